package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/continuum"
)

// drivenTo is the shape of the yielding wire, with a motion of the joints that does not depend on
// the step, so many steps after the start as there are in half a second.
func drivenTo(t *testing.T, dt float64) []float64 {
	t.Helper()
	f := yielding()
	f.Solver.Step, f.Rates.Control = dt, 1/dt
	for i := range f.Drives.Joints {
		f.Drives.Joints[i].Backlash = 0 // whose corners no step meets
	}
	m := newModel(t, f)
	turn(t, m, 0.4, -0.25)
	step(t, m, dt, int(math.Round(0.25/dt)))
	turn(t, m, -0.2, 0.1)
	step(t, m, dt, int(math.Round(0.25/dt)))
	return value(t, m, "backbone")
}

// With a quarter of the step the error is a quarter at the most, and mostly a sixteenth: dead
// time and lag are exact, so that they take nothing from the order of the rod.
func TestDrivesConvergeWithTheStep(t *testing.T) {
	const h = 1e-3
	coarse, fine, finest := drivenTo(t, h), drivenTo(t, h/4), drivenTo(t, h/16)
	_, a := farthest(coarse, finest)
	_, b := farthest(fine, finest)
	t.Logf("error %.3g m at 1 ms, %.3g m at 0.25 ms", a, b)
	if a > 1e-4 || b > a/4 {
		t.Errorf("error %g m at 1 ms, %g m at 0.25 ms", a, b)
	}
}

// A saved state continues to the last bit, with what is on its way in dead times and the sides of
// plays, in another model; and a step that fails leaves all of that as it was.
func TestDrivesSaveAndFail(t *testing.T) {
	f := yielding()
	a, b := newModel(t, f), newModel(t, f)
	wander := func(m *continuum.Model, from, to int) (path []float64) {
		for n := from; n < to; n++ {
			turn(t, m, 0.3*math.Sin(0.2*float64(n)), 0.2*math.Cos(0.13*float64(n)))
			step(t, m, 1e-3, 1)
			path = append(path, value(t, m, "measured_js")...)
			path = append(path, value(t, m, "backbone")...)
		}
		return path
	}
	wander(a, 0, 37)
	saved := saveOf(a)
	wander(b, 0, 11)
	if err := b.Restore(saved); err != nil {
		t.Fatal(err)
	}
	if !sameBits(saveOf(b), saved) {
		t.Error("saved again, the state is another")
	}
	before := saveOf(b)
	command(t, b, "external_wrench", math.NaN(), 0, 0, 0, 0, 0, 0)
	if err := b.Step(1e-3); err == nil {
		t.Fatal("a step under no number does not fail")
	}
	command(t, b, "external_wrench", 0, 0, 0, 0, 0, 0, 0)
	after := saveOf(b)
	const failureCounter = 1 // the count of failed steps
	different := 0
	for i := range before {
		if math.Float64bits(before[i]) != math.Float64bits(after[i]) {
			different++
		}
	}
	if different > failureCounter {
		t.Errorf("a step that failed has changed %d values", different)
	}
	if x, y := wander(a, 37, 90), wander(b, 37, 90); !sameBits(x, y) {
		t.Error("moves otherwise")
	}
}

// Friction at the disks, tendons that do not stretch, and a rod that is let fall on a wall go
// with drives.
func TestDrivesWithFrictionAndInextensibleTendons(t *testing.T) {
	f := yielding()
	for i := range f.Tendons {
		f.Tendons[i].Friction, f.Tendons[i].Stiffness = 0.1, math.Inf(1)
		f.Drives.Joints[i%2].Tendons[i/2].RestPull = 0
	}
	m := newModel(t, f)
	for n := range 300 {
		turn(t, m, 0.4*math.Sin(0.02*float64(n)), 0.2)
		step(t, m, 1e-3, 1)
	}
	for k, x := range tensionsOf(t, m) {
		if x < 0 {
			t.Errorf("tendon %d pushes with %g N", k, x)
		}
	}
	if err := m.Equilibrate(); err != nil {
		t.Error(err)
	}
}
