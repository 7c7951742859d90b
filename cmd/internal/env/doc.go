// Package env holds the verb env: many robots that another program steps in lock-step, as an
// environment to learn in. Requests and answers are lines on stdin and stdout; actions and
// observations are arrays in shared memory, of which the header tells.
//
// # The memory
//
// A file, little-endian: 8 bytes "SINEWENV", uint32 version, uint32 length of a JSON text, the
// text (type header), zeros, and the arrays that it names, each at an offset that is a
// multiple of 64 and with one row for each robot. The caller writes
//
//	action      float64  the values of the In ports of "actions", one port after the other
//	reset       uint8    1: the next request resets this robot
//	reseed      uint8    1: and it begins anew with seed
//	seed        uint64
//	parameters  float64  after a request set: the values that a reset gives to numbers, in their order
//
// and the program
//
//	observation float64  the values of the Out ports of "observations"
//	time        float64  since the reset, s
//	parameters  float64  the values of what varies, in the order of the request vary
//	clamped     uint8    1: a value of the last action was beyond its limits and was moved to the nearest
//	failed      uint8    1: the robot stands still, as error says, until it is reset
//	error       uint8    256 of UTF-8, the rest zeros
//
// Each side touches the arrays only while it is its turn: the caller from an answer to the next
// request, the program from there to its answer.
//
// # Requests
//
// After "ready PATH" each line is a request, and each has one answer, in their order: "ok", or
// "error" and why. After an error of step, vary or set nothing has changed. A request may begin
// with a number and a blank, which its answer repeats: "17 step" has "17 ok". A caller who was
// interrupted, and does not know which answers are still to come, sends a wait with a new number
// and passes over all answers up to that number; then it is its turn.
//
//	reset                      resets the robots of which reset is 1
//	step                       resets those, and gives all others their action for one period
//	vary[TAB NAME=KIND(A,…)]…  what each reset draws anew from now on, as in sweep --vary; nothing else varies
//	set[TAB NAME]…             what each reset takes from parameters from now on; nothing else varies
//	wait                       nothing
//	close                      ends the program; so does the end of stdin
package env
