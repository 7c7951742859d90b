package staggered

import (
	"math"
	"reflect"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// A new rod is stress-free and at rest, straight or precurved, and its end has the direction of its
// arc.
func TestNewRodIsFreeOfStress(t *testing.T) {
	for _, scheme := range []Scheme{Original, Corrected} {
		for _, c := range []spatial.Vec{{}, {X: 1.2}, {X: 0.4, Y: -0.3, Z: 0.5}} {
			p := softParams(10)
			p.Precurvature = c
			p.Base.P = spatial.Vec{X: 1, Y: 2, Z: 3}
			x := testRod(t, p, Options{Scheme: scheme})
			kinetic, elastic := x.Energy()
			// Original has a bias of 3e-11 in the curvature
			if s := x.MaxStrain(); s > 1e-10 || kinetic != 0 || elastic > 1e-18 {
				t.Errorf("scheme %d, precurvature %v: strain %.3g, energies %.3g and %.3g J", scheme, c, s, kinetic, elastic)
			}
			if f := x.ResidualForce(); f > 1e-8 {
				t.Errorf("scheme %d, precurvature %v: %.3g N are not in balance", scheme, c, f)
			}
			bent := c.Norm()
			if scheme == Original { // the clamp holds the whole first element
				bent *= 0.9
			}
			r := x.Base.R.TMul(x.NodePose(10).R)
			if got := math.Acos((r.Trace() - 1) / 2); math.Abs(got-bent) > 1e-7 {
				t.Errorf("scheme %d, precurvature %v: the end is turned by %.9g, want %.9g", scheme, c, got, bent)
			}
		}
	}
	x := testRod(t, softParams(10), Options{Scheme: Corrected})
	for k, p := range x.Positions() { // not even by round-off
		if want := (spatial.Vec{Z: float64(k) / 10}); p != want {
			t.Errorf("node %d of a straight rod is at %v, want %v", k, p, want)
		}
	}
}

// MaxStrain covers every direction, and bending at the outermost fibre.
func TestMaxStrain(t *testing.T) {
	const n = 4
	p := softParams(n)
	p.Precurvature = spatial.Vec{X: 0.5}
	for _, scheme := range []Scheme{Original, Corrected} {
		x := testRod(t, p, Options{Scheme: scheme})
		radius := x.Section.Radius()
		for name, c := range map[string]struct {
			change func()
			want   float64
		}{
			"shear":   {func() { x.pos[1] = x.pos[1].AddScaled(-0.02*x.ElementLength, x.dir[0].D1) }, 0.02},
			"stretch": {func() { x.pos[n] = x.pos[n].AddScaled(0.03*x.ElementLength, x.dir[n-1].D3) }, 0.03},
			"squeeze": {func() { x.pos[n] = x.pos[n].AddScaled(-0.03*x.ElementLength, x.dir[n-1].D3) }, 0.03},
			"twist at last": {func() {
				x.dir[n-1].rotate(spatial.Vec{Z: 0.01}, 0)
				x.pos[n] = x.pos[n-1].AddScaled(x.ElementLength, x.dir[n-1].D3)
			}, 0.01 / x.ElementLength * radius},
		} {
			x.Reset()
			c.change()
			// the rotation of one element changes the axes of the precurvature a little
			if got := x.MaxStrain(); math.Abs(got-c.want) > 0.01*c.want {
				t.Errorf("scheme %d, %s: strain %.9g, want %.9g", scheme, name, got, c.want)
			}
		}
	}
	x := testRod(t, p, Options{Scheme: Corrected})
	for k := range x.pos { // the clamp strains over half an element, too
		x.pos[k] = x.Base.P.Add(spatial.Vec{Z: float64(k) * x.ElementLength})
	}
	for e := range x.dir {
		x.dir[e] = directorsOf(x.Base.R.Mul(expRotation(spatial.Vec{Z: 0.01})))
	}
	got, want := x.MaxStrain(), x.Section.Radius()*math.Max(0.5, 0.01/(0.5*x.ElementLength))
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("strain at the clamp %.9g, want %.9g", got, want)
	}
}

// A volume-preserving section has less rotary inertia where it is stretched; one of the linear law
// does not.
func TestStretchedRotaryInertia(t *testing.T) {
	const n, stretch = 4, 1.25
	w := spatial.Vec{X: 1, Y: 2, Z: 3}
	for _, c := range []struct {
		scheme Scheme
		law    rod.Law
		want   float64
	}{
		{Corrected, rod.Linear, 1}, {Corrected, rod.VolumePreserving, 1 / stretch},
		{Original, rod.Linear, 1 / stretch}, {Original, rod.VolumePreserving, 1 / stretch},
	} {
		p := softParams(n)
		p.Material.Law = c.law
		x := testRod(t, p, Options{Scheme: c.scheme})
		for k := range x.pos {
			x.pos[k] = x.pos[k].Scale(stretch)
		}
		for e := range x.omega {
			x.omega[e] = w
		}
		want := c.want * 0.5 * w.Dot(x.LineInertia.Scale(x.Length).Mul(w))
		if got, _ := x.Energy(); !near(got, want) {
			t.Errorf("scheme %d, law %v: %.17g J, want %.17g", c.scheme, c.law, got, want)
		}
	}
}

// FirstNonFinite returns the first node at which, or after which, a number is not finite.
func TestFirstNonFinite(t *testing.T) {
	const n = 4
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		change func(x *State)
		want   int
	}{
		"all is well":    {func(*State) {}, -1},
		"node":           {func(x *State) { x.vel[3].Y = nan }, 3},
		"last node":      {func(x *State) { x.vel[n].Z = inf }, n},
		"element":        {func(x *State) { x.omega[2].X = -inf }, 2},
		"first element":  {func(x *State) { x.omega[0].Z = nan }, 0},
		"both":           {func(x *State) { x.vel[1].X, x.omega[3].X = nan, nan }, 1},
		"fast":           {func(x *State) { x.vel[1].X, x.vel[2].X = 1e308, 1e308 }, -1},
		"turning fast":   {func(x *State) { x.omega[1].X, x.omega[2].Y = -1e308, -1e308 }, -1},
		"infinite twice": {func(x *State) { x.vel[2].X, x.vel[3].X = inf, -inf }, 2},
	} {
		x := testRod(t, softParams(n), Options{Scheme: Corrected})
		c.change(x)
		if got := x.FirstNonFinite(); got != c.want {
			t.Errorf("%s: node %d, want %d", name, got, c.want)
		}
	}
}

// ResidualForce is the load on a rod at rest: a force on a node, or a couple over the element
// length. It changes nothing but the checkpoint.
func TestResidualForce(t *testing.T) {
	const n = 4
	x := testRod(t, softParams(n), Options{Scheme: Corrected})
	for k := 1; k <= n; k++ {
		x.vel[k] = spatial.Vec{X: 0.1 * float64(k)}
	}
	x.Drift(1e-3)
	x.Stop()
	x.vel[2] = spatial.Vec{Y: 3} // a motion is no load
	before := make([]float64, x.StateLen())
	x.Save(before)
	own := x.ResidualForce()
	x.force[3] = spatial.Vec{Y: 1e6}
	if got := x.ResidualForce(); math.Abs(got-1e6) > 2*own {
		t.Errorf("%.9g N, want 1e6 and at most %.3g of the strain", got, own)
	}
	x.ClearLoads()
	x.couple[1] = spatial.Vec{Z: 1e6}
	if got, want := x.ResidualForce(), 1e6/x.ElementLength; math.Abs(got-want) > 2*own {
		t.Errorf("%.9g N, want %.9g and at most %.3g of the strain", got, want, own)
	}
	after := make([]float64, x.StateLen())
	x.Save(after)
	if !reflect.DeepEqual(after, before) {
		t.Error("asking for what is not in balance moves the rod")
	}
}

// A state that is saved or checkpointed in motion and restored continues with the same bits; Stop
// leaves a rod at rest.
func TestRestoredStatesContinueAlike(t *testing.T) {
	for _, scheme := range []Scheme{Original, Corrected} {
		x := testRod(t, softParams(5), Options{Scheme: scheme, Gravity: spatial.Vec{Y: -9}})
		steps := func(n int) []float64 {
			for range n {
				integrate.PositionVerlet(x, 1e-3)
			}
			s := make([]float64, x.StateLen())
			x.Save(s)
			return s
		}
		saved := steps(50)
		x.SaveCheckpoint()
		want := steps(50)
		x.NodePose(5) // a look that is under way when the state changes
		x.RestoreCheckpoint()
		if got := steps(50); !reflect.DeepEqual(got, want) {
			t.Errorf("scheme %d: a rewound rod moves elsewhere", scheme)
		}
		x.NodePose(5)
		x.Restore(saved)
		if got := steps(50); !reflect.DeepEqual(got, want) {
			t.Errorf("scheme %d: a restored rod moves elsewhere", scheme)
		}
		tip := x.NodePose(5)
		x.Stop()
		if twist := x.TipTwist(); x.NodePose(5) != tip || twist != (spatial.Twist{}) || x.KineticEnergy() != 0 {
			t.Errorf("scheme %d: stopped at %v with %v, was at %v", scheme, x.NodePose(5), twist, tip)
		}
		x.AddTipLoad(spatial.Wrench{Force: spatial.Vec{X: 1}, Moment: spatial.Vec{Y: 1}}, false)
		x.Reset()
		for k, f := range x.Forces() {
			if f != (spatial.Vec{}) || k > 0 && x.Couples()[k-1] != (spatial.Vec{}) {
				t.Errorf("scheme %d: node %d of a reset rod is loaded", scheme, k)
			}
		}
		if fresh := testRod(t, softParams(5), Options{Scheme: scheme}); !reflect.DeepEqual(x.Positions(), fresh.Positions()) || x.KineticEnergy() != 0 {
			t.Errorf("scheme %d: a reset rod is not as new", scheme)
		}
	}
}

// The velocity of the end is the rate of its pose.
func TestTipTwistIsTheRateOfTheEnd(t *testing.T) {
	for _, scheme := range []Scheme{Original, Corrected} {
		for _, n := range []int{2, 5} {
			x := testRod(t, softParams(n), Options{Scheme: scheme})
			for e := range x.omega {
				x.omega[e] = spatial.Vec{Z: 1 + 0.3*float64(e)} // about the axis, so that angles add up
				x.vel[e+1] = spatial.Vec{X: 0.2, Y: float64(e)}
			}
			before, twist := x.NodePose(n), x.TipTwist()
			const h = 1e-3
			x.Drift(h)
			after := x.NodePose(n)
			v := after.P.Sub(before.P).Scale(1 / h)
			a, b := directorsOf(before.R), directorsOf(after.R)
			w := before.R.Apply(relativeRotation(&a, &b)).Scale(1 / h)
			if v.Sub(twist.Linear).Norm() > 1e-9 || w.Sub(twist.Angular).Norm() > 1e-9 {
				t.Errorf("scheme %d, %d elements: the end moves with %v and %v, and says %v", scheme, n, v, w, twist)
			}
		}
	}
}
