// Command examples makes the recordings of launch/examples/hil: a simulation, and
// a stand-in for hardware that is simulated with other parameters, seen late, with
// noise, in a tilted frame. Run it from the top of the repository:
//
//	go run ./test/tools/examples
package main
