// Command mutants measures how much the tests of a package notice. It changes the
// package at a random place, runs the tests, and lists the changes that no test
// noticed:
//
//	go run ./test/tools/mutants -package ./pkg/sim/hil -n 20 -seed 1
//	go run ./test/tools/mutants -package ./pkg/sim/rod -tests "./pkg/sim/continuum ./test/offline"
//	go run ./test/tools/mutants -package ./pkg/ros -short -then "./cmd/internal/run ./test/recordings -run TestRosbag"
//	go run ./test/tools/mutants -package ./pkg/ros/ros1 -only "slave.go:.* busStats "
//
// The second form tries every mutant with all the tests. The third keeps slow tests
// for those that the package's own let pass. The last tries all changes of a function.
//
// A mutant is one change of one of these kinds:
//
//	operator    + and -, * and /, & and |, << and >> change places, also in
//	            assignments; ++ becomes --, and -x becomes +x
//	comparison  == and != change places; < becomes > and <= becomes >=
//	boundary    < and <=, > and >= change places
//	logic       && and || change places
//	condition   the condition of an if, for or case is negated
//	constant    a whole number grows by one, another number doubles, 0 becomes 1,
//	            true becomes false
//	statement   a call, assignment, send, defer, go, break or continue is left out
//	error       an error that is returned becomes nil
//
// Every kind is drawn as often as the others, and within a kind every place. The
// same seed and the same code give the same mutants. The mutated file lies in a
// temporary directory and go build -overlay puts it in its place, also in programs
// that the tests build, so that the tree is never modified. A mutant that does not
// compile is replaced by another one; one that runs longer than -timeout counts as
// noticed.
//
// Some changes do not alter what a program does, for example the boundary of a
// search that takes either of two equal values. They are listed in equivalents.txt,
// one on a line, as the table of survivors prints them, with the reason after a #.
//
// It takes as many runs of the tests as there are mutants, so it is no part of the
// continuous integration.
package main
