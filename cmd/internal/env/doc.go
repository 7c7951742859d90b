// Package env holds the command env: another program steps many robots in lock-step, such as a
// learning environment. Requests and answers are lines on stdin and stdout; actions and
// observations are arrays in shared memory, which its header describes.
//
// # The memory
//
// A file, little-endian: 8 bytes "SINEWENV", uint32 version, uint32 length of a JSON text, the
// text (type header), zeros, and the arrays that it names, each at an offset that is a
// multiple of 64 and with one row for each robot. The caller writes
//
//	action      float64  the values of the In ports of "actions", one port after the other
//	reset       uint8    1: the next request resets this robot
//	reseed      uint8    1: with the new seed
//	seed        uint64
//	parameters  float64  after a request set: the values that a reset gives to numbers, in their order
//
// and the program
//
//	observation float64  the values of the Out ports of "observations", in their order
//	time        float64  since the reset, s
//	parameters  float64  the varied numbers, in the order of the request vary
//	clamped     uint8    1: a value of the last action was clamped to its limits
//	failed      uint8    1: the robot has stopped with error and needs a reset
//	error       uint8    256 of UTF-8, the rest zeros
//
// Each side accesses the arrays only during its turn: the caller from an answer to the next
// request, the program from the request to its answer.
//
// The header names the ports of actions and observations, of each value its name, its unit, and what it is of the order of
// ("scales"): the robot's length, or the limit of a force or field. Within "min" and "max" no action is refused.
//
// # Requests
//
// After "ready PATH" each line is a request, and each has one answer, in their order: "ok", or
// "error" and the reason. After an error nothing has changed. A request may begin
// with a number and a blank, which its answer repeats: "17 step" is answered by "17 ok". A caller
// that was interrupted while answers were pending sends a wait with a new number and skips all
// answers up to that number; then it is its turn.
//
//	reset                      reset the robots whose reset is 1; those that cannot be have failed
//	reset_all                  the same, of all or none: an error says which cannot be
//	step                       reset those, and step all others with their action for one period
//	vary[TAB NAME=KIND(A,…)]…  draw these numbers at each reset, as in sweep --vary, and no others
//	set[TAB NAME]…             take these numbers from parameters at each reset, and no others
//	draw TAB NUMBER            describe what this robot looks like, as JSON behind "ok" (type scene)
//	jacobian TAB NUMBER        the quasi-static derivative of this robot at its present shape, as JSON (sim.Jacobian)
//	linearise TAB NUMBER       its next step linearised, as JSON (program.LinearisedStep)
//	wait                       do nothing
//	close                      end the program; the end of stdin does so, too
package env
