package staggered

import (
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// A load at any arc length of a straight rod has the right force and moment about the base, without
// the part of the clamp.
func TestLoadsKeepTheirResultant(t *testing.T) {
	w := spatial.Wrench{Force: spatial.Vec{X: 2, Y: -1, Z: 0.5}, Moment: spatial.Vec{X: 0.3, Y: 0.2, Z: -0.7}}
	for i, n := range []int{1, 2, 5, 4} {
		p := softParams(n)
		if i == 3 {
			p.Nodes = []float64{0.09, 0.3, 0.55}
		}
		x := testRod(t, p, Options{Scheme: Corrected})
		for _, s := range []float64{0, 0.07, 0.1, 0.5, 0.62, 0.93, 1} {
			x.ClearLoads()
			x.AddLoadAt(s, w, false)
			var force, moment spatial.Vec
			for k, f := range x.force {
				force = force.Add(f)
				moment = moment.Add(x.pos[k].Cross(f))
			}
			for e, c := range x.couple {
				moment = moment.Add(x.dir[e].World(c))
			}
			// part of the moment; below the first element centre the clamp has the rest
			part := math.Min(1, s*2/x.Lengths[0])
			want := (spatial.Vec{Z: s}).Cross(w.Force).Add(w.Moment.Scale(part))
			if force.Sub(w.Force).Norm() > 1e-14 || moment.Sub(want).Norm() > 1e-14 {
				t.Errorf("n = %d, s = %g: force %v, moment %v, want %v and %v", n, s, force, moment, w.Force, want)
			}
		}
	}
}

// AddTipLoad equals AddLoadAt the end.
func TestTipLoadIsALoadAtTheEnd(t *testing.T) {
	w := spatial.Wrench{Force: spatial.Vec{X: 2, Y: -1, Z: 0.5}, Moment: spatial.Vec{X: 0.3, Y: 0.2, Z: -0.7}}
	run := func(load func(*State)) *State {
		x := testRod(t, softParams(6), Options{Scheme: Corrected})
		disturb(x, 0.1, 2)
		load(x)
		return x
	}
	a := run(func(x *State) { x.AddLoadAt(1, w, false) })
	b := run(func(x *State) { x.AddTipLoad(w, false) })
	for e := range a.couple {
		if a.couple[e].Sub(b.couple[e]).Norm() > 1e-14 || a.force[e+1].Sub(b.force[e+1]).Norm() > 1e-14 {
			t.Errorf("element %d: %v and %v", e, a.couple[e], b.couple[e])
		}
	}
	// in the axes of the end, the force rotates with it
	c := run(func(x *State) { x.AddTipLoad(w, true) })
	want := c.NodePose(6).R.Apply(w.Force)
	if d := c.force[6].Sub(want).Norm(); d > 1e-14 {
		t.Errorf("body force off by %.3g", d)
	}
}

// A rod of one element comes to rest, and its base carries load and moment.
func TestOneElement(t *testing.T) {
	d := Damping{Drag: 2, KelvinVoigt: 0.02}
	x := testRod(t, softParams(1), Options{Scheme: Corrected, Damping: d})
	l := &loaded{State: x, force: spatial.Vec{X: 0.01}, ramp: 0.1}
	dt := 0.8 * StepLimit(x.Rod, d, 0)
	l.run(t, int(40/dt), dt, func(int) {})
	p := x.NodePose(1).P
	r := x.BaseReaction()
	want := x.Base.P.Sub(p).Cross(l.force)
	if !(p.X > 0) || r.Force.Add(l.force).Norm() > 1e-9 || r.Moment.Sub(want).Norm() > 1e-9 {
		t.Errorf("end at %v, base reaction %v, want moment %v", p, r, want)
	}
}

// Reading a state between steps changes no bit of the results.
func TestReadingChangesNothing(t *testing.T) {
	run := func(look bool) []float64 {
		x := testRod(t, softParams(5), Options{Scheme: Corrected, Gravity: spatial.Vec{Y: -9}})
		for i := range 300 {
			integrate.PositionVerlet(x, 1e-3*(1+0.1*float64(i%3)))
			if look && i%7 == 0 {
				x.NodePose(5)
				x.Energy()
			}
		}
		s := make([]float64, x.StateLen())
		x.Save(s)
		return s
	}
	a, b := run(false), run(true)
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("value %d is %.17g and, looked at on the way, %.17g", i, a[i], b[i])
		}
	}
}
