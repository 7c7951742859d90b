package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// fourth is the robot of f with elements of order 4.
func fourth(f *robotfile.Continuum) *robotfile.Continuum {
	f.Rod.Order = 4
	return f
}

func tipAt(e *continuumtest.Robot) spatial.Vec {
	return e.System.State.Pose[len(e.System.State.Pose)-1].P
}

// softArm is the silicone robot, stepped implicitly: its tendons push it together so hard that
// shear and stretch show.
func softArm(n int) *robotfile.Continuum {
	f := silicone(n)
	f.Solver.Method, f.Solver.Step, f.Gravity = robotfile.Implicit, 1e-3, spatial.Vec{}
	return f
}

// The tip converges in order 4 with the elements in all that bends a rod: doubling them
// divides the error by 16. The bounds at 20 elements are of the length; those of order 2 show
// what is gained.
func TestFourthOrderInElements(t *testing.T) {
	load := func(force, moment spatial.Vec) *inputs {
		in := pulling()
		in.Tip.Force, in.Tip.Moment = force, moment
		return in
	}
	blade := func(n int) *robotfile.Continuum {
		f := wire(n, 0, spatial.Vec{})
		f.Rod.Section = &robotfile.Section{Area: 7.85e-7, I1: 4.9e-14, I2: 1.2e-14, J: 4e-14}
		return f
	}
	for _, c := range []struct {
		name          string
		file          func(n int) *robotfile.Continuum
		in            *inputs
		fourth, other float64 // error at 20 elements, order 4 at most and order 2 at least
	}{
		{"weight", func(n int) *robotfile.Continuum {
			f := wire(n, 0, sideways)
			f.Rod.YoungsModulus /= 300
			f.Rod.ShearModulus /= 300
			return f
		}, pulling(), 1.2e-5, 8e-4},
		{"force at the tip", func(n int) *robotfile.Continuum { return wire(n, 0, spatial.Vec{}) },
			load(spatial.Vec{X: 1, Y: 0.7}, spatial.Vec{}), 5e-6, 6e-4},
		{"moment at the tip", blade, load(spatial.Vec{}, spatial.Vec{X: 0.01, Y: 0.008, Z: 0.01}), 1e-5, 1e-3},
		{"blade", blade, load(spatial.Vec{X: 0.3, Y: 0.5}, spatial.Vec{Z: 0.01}), 2e-5, 5e-4},
		{"helix", func(n int) *robotfile.Continuum {
			f := wire(n, 0, spatial.Vec{})
			f.Rod.Precurvature = spatial.Vec{X: 10, Z: 10}
			return f
		}, load(spatial.Vec{X: 0.3, Y: 0.5}, spatial.Vec{}), 1e-5, 5e-4},
		{"elastica", func(n int) *robotfile.Continuum { return bare(1, n, 1e6, 1e6, 1, 1) }, load(spatial.Vec{X: 5}, spatial.Vec{}), 1e-5, 1e-4},
		{"Bathe's bend", func(n int) *robotfile.Continuum {
			f := bare(100*math.Pi/4, n, 0.5e7, 1e7, 1e7/12, 1e7/12)
			f.Rod.Precurvature = spatial.Vec{Y: 0.01}
			return f
		}, load(spatial.Vec{Y: 600}, spatial.Vec{}), 1e-5, 1e-4},
		{"tendons", func(n int) *robotfile.Continuum { return wire(n, 0, spatial.Vec{}, 0, 90) }, pulling(2, 1), 1e-5, 1e-4},
		{"thrust of tendons", softArm, pulling(6, 3), 3e-5, 4e-4},
		{"shear", func(n int) *robotfile.Continuum { // a rod as thick as a fifth of its length
			f := softArm(n)
			f.Rod.Radius, f.Tendons = 0.05, nil
			return f
		}, load(spatial.Vec{Y: 3000, Z: -4000}, spatial.Vec{}), 1e-6, 3e-4},
	} {
		length := c.file(20).Rod.Length
		at := func(n, order int) spatial.Vec {
			f := c.file(n)
			f.Rod.Order = order
			e := implicitOf(t, f)
			equilibrate(t, e, c.in)
			return tipAt(e)
		}
		limit := at(160, 4)
		miss := func(n, order int) float64 { return at(n, order).Sub(limit).Norm() / length }
		e20, e40 := miss(20, 4), miss(40, 4)
		order := math.Log2(e20 / e40)
		t.Logf("%s: %.3g and %.3g L at 20 and 40 elements, order %.2f; %.3g L with elements of order 2", c.name, e20, e40, order, miss(20, 2))
		if !(order > 3.6) || !(e20 <= c.fourth) || !(miss(20, 2) >= c.other) {
			t.Errorf("%s: %.3g and %.3g L at 20 and 40 elements, order %.2f, with order 2 %.3g L; want at most %g, order 4, at least %g",
				c.name, e20, e40, order, miss(20, 2), c.fourth, c.other)
		}
	}
	// both families have one limit
	for _, c := range []struct {
		file func(n int) *robotfile.Continuum
		in   *inputs
	}{
		{func(n int) *robotfile.Continuum { return wire(n, 0, sideways, 0) }, pulling(1)}, {softArm, pulling(6, 3)},
	} {
		a, b := implicitOf(t, c.file(640)), implicitOf(t, fourth(c.file(40)))
		equilibrate(t, a, c.in)
		equilibrate(t, b, c.in)
		if d := tipAt(a).Sub(tipAt(b)).Norm() / a.System.Rod.Length; !(d < 2e-6) {
			t.Errorf("640 elements of order 2 and 40 of order 4 end %.3g L apart", d)
		}
	}
}

// swing is the tip of the nitinol robot, with disks of mass, under changing tensions.
func swing(t *testing.T, n, order int) []spatial.Vec {
	t.Helper()
	f := wire(n, 0.0005, sideways, 0, 90, 180, 270)
	f.Rod.Order = order
	e := implicitOf(t, f)
	converged(e) // what shipped iterations leave, 2e-4 L, hides the error of the elements
	in := pulling(0, 0, 0, 0)
	tips := make([]spatial.Vec, 300)
	for k := range tips {
		sweep(in, float64(k)*1e-3)
		if err := e.Step(1e-3, in); err != nil {
			t.Fatal(err)
		}
		tips[k] = tipAt(e)
	}
	return tips
}

// In motion 20 elements of order 4 do what takes 100 of order 2.
func TestFourthOrderInMotion(t *testing.T) {
	limit := swing(t, 120, 4)
	miss := func(n, order int) float64 {
		sum := 0.0
		for i, p := range swing(t, n, order) {
			sum += p.Sub(limit[i]).Norm2()
		}
		return math.Sqrt(sum/float64(len(limit))) / 0.2
	}
	few, more, second := miss(20, 4), miss(40, 4), miss(100, 2)
	t.Logf("rms of the tip: %.3g L with 20 elements of order 4, %.3g L with 40, %.3g L with 100 of order 2", few, more, second)
	if !(few < 1.2*second) || !(math.Log2(few/more) > 3.5) {
		t.Errorf("rms of the tip: %.3g and %.3g L with 20 and 40 elements of order 4, want order 4 and the %.3g L of 100 of order 2", few, more, second)
	}
}

// A damped rod that bends and twists by itself loses energy in every step and comes to the
// rest that statics find.
func TestFourthOrderComesToRest(t *testing.T) {
	f := fourth(softWire())
	f.Rod.Precurvature = spatial.Vec{X: 3, Z: 4}
	f.Rod.Damping.KelvinVoigt, f.Rod.Damping.Drag = 0.05, 5
	f.Gravity = spatial.Vec{X: -9.81}
	e := implicitOf(t, f)
	in := pulling(make([]float64, len(f.Tendons))...)
	for range 4000 {
		if err := e.Step(5e-3, in); err != nil {
			t.Fatal(err)
		}
	}
	rest := implicitOf(t, f)
	equilibrate(t, rest, in)
	if d := tipAt(e).Sub(tipAt(rest)).Norm(); !(d < 1e-6) {
		t.Errorf("comes to rest %.3g m from the equilibrium", d)
	}
	if kinetic, _ := e.Energy(); !(kinetic < 1e-12) {
		t.Errorf("%.3g J are left in motion", kinetic)
	}
}
