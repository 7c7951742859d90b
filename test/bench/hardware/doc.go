// Command hardware fits robot files to physical robots and tells how well they predict
// what the fit has not seen. From the repository's root:
//
//	go run ./test/bench/hardware ROBOT              # table of errors, and the figure in docs/images
//	go run ./test/bench/hardware ROBOT fit          # first writes test/bench/hardware/ROBOT/fitted.yaml
//	go run ./test/bench/hardware ROBOT leave-out    # also predicts each recording by a fit to the others
//
// A robot is a Go file with a value of type robot and a folder of its name: robot.yaml,
// what its makers say; plan.yaml, what identify is to find; fitted.yaml, what it found.
// The recordings belong to others and are not in this repository: they are read from
// -shared. What a Go file does is to bring them into the columns that identify reads, and to
// sort the errors; searches and predictions are those of the programs that users have.
//
// Results, and what limits them, are in docs/hardware.md.
package main
