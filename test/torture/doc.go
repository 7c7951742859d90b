// Package torture generates robots and command histories that go far beyond what the
// examples do, and runs them with what ships: robot files through Print and Parse, the
// public constructors, sim.Inputs with the limits of the file. A run has to stay within
// a stated distance of the same run at a quarter of the step, or to end in an error that
// the models name. Anything else is a silent failure.
//
//	go test -v ./test/torture
//	go test -v ./test/torture -torture.first 5000 -torture.count 1000
//
// Insertions push rods into vessels; there the centre line that a vessel is made from judges
// whether the rod has left it.
//
// The first line runs the fixed seeds, the second one fresh ones. A seed and the code
// decide everything about a robot.
package torture
