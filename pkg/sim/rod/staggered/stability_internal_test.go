package staggered

import (
	"math"
	"reflect"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Tests of what has no exported name.

// grows reports whether a small disturbance of a straight rod grows at a share of the step limit.
func grows(t *testing.T, p rod.Params, scheme Scheme, d Damping, share float64) bool {
	r, err := rod.New(p)
	if err != nil {
		t.Fatal(err)
	}
	dt := share * StepLimit(r, d, 0)
	d.LegacyStep = dt
	x := New(r, Options{Scheme: scheme, Damping: d})
	disturb(x, 1e-9, 5)
	x.vel[0] = spatial.Vec{}
	const steps, much = 4000, 1e4
	var early float64
	for i := range steps {
		integrate.PositionVerlet(x, dt)
		switch now := x.KineticEnergy(); {
		case i < 10:
			early = math.Max(early, now)
		case !(now < much*early):
			return true
		}
	}
	return false
}

// The limit is sharp for small motions: 1 % below it a disturbance stays small, 2 % above it grows.
func TestStepLimitIsTheOneOfSmallMotions(t *testing.T) {
	stiff := Silicone(20)
	stiff.Section = rod.Section{Area: 1e-4, I1: 1e-10, I2: 3e-9, J: 4e-10}
	linear := Silicone(30)
	linear.Material.Law = rod.Linear
	unequal := Silicone(12)
	unequal.Nodes = []float64{0.01, 0.1, 0.105, 0.22}
	if grows(t, unequal, Corrected, Damping{}, 0.99) { // and the limit is a bound only
		t.Error("unequal elements are unstable 1 % below the limit")
	}
	for _, c := range []struct {
		name   string
		p      rod.Params
		scheme Scheme
		d      Damping
	}{
		{"fine", Silicone(60), Original, Damping{}},
		{"coarse", Silicone(10), Original, Damping{}},
		{"fine, corrected", Silicone(60), Corrected, Damping{}},
		{"coarse, corrected", Silicone(10), Corrected, Damping{}},
		{"nitinol", NitinolParams(20), Corrected, Damping{}},
		{"flat section", stiff, Corrected, Damping{}},
		{"legacy damper, coarse", Silicone(10), Original, Damping{Legacy: 0.1}},
		{"legacy damper", Silicone(20), Original, Damping{Legacy: 0.1}},
		{"legacy damper and Kelvin-Voigt", Silicone(20), Corrected, Damping{Legacy: 0.05, KelvinVoigt: 1e-5}},
		{"weak Kelvin-Voigt", linear, Corrected, Damping{KelvinVoigt: 1e-5}},
		{"strong Kelvin-Voigt", linear, Corrected, Damping{KelvinVoigt: 1e-3}},
		{"Kelvin-Voigt, coarse", Silicone(10), Corrected, Damping{KelvinVoigt: 1e-4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if grows(t, c.p, c.scheme, c.d, 0.99) {
				t.Error("unstable 1 % below the limit")
			}
			if !grows(t, c.p, c.scheme, c.d, 1.02) {
				t.Error("stable 2 % above the limit")
			}
		})
	}
}

// MaxStrain covers every direction, and bending at the outermost fibre.
func TestMaxStrain(t *testing.T) {
	const n = 4
	p := SoftParams(n)
	p.Precurvature = spatial.Vec{X: 0.5}
	for _, scheme := range []Scheme{Original, Corrected} {
		x := Rod(t, p, Options{Scheme: scheme})
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
	x := Rod(t, p, Options{Scheme: Corrected})
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
		p := SoftParams(n)
		p.Material.Law = c.law
		x := Rod(t, p, Options{Scheme: c.scheme})
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
		x := Rod(t, SoftParams(n), Options{Scheme: Corrected})
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
	x := Rod(t, SoftParams(n), Options{Scheme: Corrected})
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

// The velocity of the end is the rate of its pose.
func TestNodeTwistIsTheRateOfTheEnd(t *testing.T) {
	for _, scheme := range []Scheme{Original, Corrected} {
		for _, n := range []int{2, 5} {
			x := Rod(t, SoftParams(n), Options{Scheme: scheme})
			for e := range x.omega {
				x.omega[e] = spatial.Vec{Z: 1 + 0.3*float64(e)} // about the axis, so that angles add up
				x.vel[e+1] = spatial.Vec{X: 0.2, Y: float64(e)}
			}
			before, twist := x.NodePose(n), x.NodeTwist(n)
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
