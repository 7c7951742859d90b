package staggered

import (
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

func silicone(elements int) rod.Params {
	return rod.Params{
		Length: 0.25, Elements: elements, Section: rod.Circle(0.0055),
		Material: rod.Material{YoungsModulus: 16598637, ShearModulus: 7216880, Density: 997.7, ShearCorrection: rod.CircleShearCorrection, Law: rod.VolumePreserving},
		Base:     spatial.IdentityPose(),
	}
}

func nitinolParams(elements int) rod.Params {
	return rod.Params{
		Length: 0.2, Elements: elements, Section: rod.Circle(0.0005),
		Material: rod.Material{YoungsModulus: 60e9, ShearModulus: 60e9 / 2.6, Density: 6450, ShearCorrection: rod.CircleShearCorrection, Law: rod.VolumePreserving},
		Base:     spatial.IdentityPose(),
	}
}

// The largest stable steps of PyElastica with four tendons and legacy damping, by bisection to 1.1
// %. There a step counted as stable without overflow within 0.2 s. Coarse rods saturate for that
// long in their fastest mode, so their true limit is lower.
func TestStepLimitMeetsPyElastica(t *testing.T) {
	const (
		nu     = 0.1
		within = 0.03
	)
	for _, c := range []struct {
		name     string
		p        rod.Params
		measured float64
		coarse   bool
	}{
		{"soft n=20", silicone(20), 7.655578758150575e-05, true},
		{"soft n=50", silicone(50), 3.531200339339103e-05, false},
		{"soft n=100", silicone(100), 1.913995381185517e-05, false},
		{"soft n=200", silicone(200), 9.569976905927584e-06, false},
		{"nitinol n=20", nitinolParams(20), 3.3648681939955637e-07, true},
	} {
		r, err := rod.New(c.p)
		if err != nil {
			t.Fatal(err)
		}
		limit := StepLimit(r, Damping{Legacy: nu}, 0)
		q := c.measured / limit
		t.Logf("%s: measured/predicted %.3f", c.name, q)
		if !(q > 1-within) || !c.coarse && !(q < 1+within) {
			t.Errorf("%s: limit %.4g s, PyElastica's %.4g s", c.name, limit, c.measured)
		}
	}
}

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
	stiff := silicone(20)
	stiff.Section = rod.Section{Area: 1e-4, I1: 1e-10, I2: 3e-9, J: 4e-10}
	linear := silicone(30)
	linear.Material.Law = rod.Linear
	unequal := silicone(12)
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
		{"fine", silicone(60), Original, Damping{}},
		{"coarse", silicone(10), Original, Damping{}},
		{"fine, corrected", silicone(60), Corrected, Damping{}},
		{"coarse, corrected", silicone(10), Corrected, Damping{}},
		{"nitinol", nitinolParams(20), Corrected, Damping{}},
		{"flat section", stiff, Corrected, Damping{}},
		{"legacy damper, coarse", silicone(10), Original, Damping{Legacy: 0.1}},
		{"legacy damper", silicone(20), Original, Damping{Legacy: 0.1}},
		{"legacy damper and Kelvin-Voigt", silicone(20), Corrected, Damping{Legacy: 0.05, KelvinVoigt: 1e-5}},
		{"weak Kelvin-Voigt", linear, Corrected, Damping{KelvinVoigt: 1e-5}},
		{"strong Kelvin-Voigt", linear, Corrected, Damping{KelvinVoigt: 1e-3}},
		{"Kelvin-Voigt, coarse", silicone(10), Corrected, Damping{KelvinVoigt: 1e-4}},
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
