package mechanism_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/spatial"
)

// TestTimeErrorAfterImpacts: what falls on a floor has an estimate of about how far it is from the same motion in steps of an eighth, be
// it a ball that slides, one that rolls, a soft rod or a stiffer one, or a rod that slides on and turns. An impact goes on beyond its first steps, by which its velocities
// are no part of the motion after it. What it adds itself is mostly left out.
func TestTimeErrorAfterImpacts(t *testing.T) {
	const between, parts = 0.02, 8
	ball := func(friction float64) mechanism.Parameters {
		b := shaped("ball", sphere(t, 0.02), spatial.Vec{Z: 0.12}, spatial.Vec{})
		b.Mass, b.Inertia, b.Friction = 1, [6]float64{1.6e-4, 1.6e-4, 1.6e-4}, friction
		b.Velocity = &spatial.Twist{Linear: spatial.Vec{X: 1}}
		return mechanism.Parameters{Bodies: []mechanism.Body{b}}
	}
	rod := func(stiffness float64) mechanism.Parameters {
		r := shortRod("rod", spatial.Vec{Z: 0.05}, spatial.Vec{Y: math.Pi/2 - 0.2})
		r.Parameters.Elements, r.KelvinVoigt = 6, 5e-3
		r.Parameters.Material.YoungsModulus, r.Parameters.Material.ShearModulus = stiffness, 0.35*stiffness
		return mechanism.Parameters{Rods: []mechanism.Rod{r}}
	}
	slider := rod(2e9)
	slider.Rods[0].Parameters.Elements = 12
	slider.Rods[0].Start = &spatial.Pose{R: spatial.ExpRot(spatial.Vec{Y: math.Pi / 2}), P: spatial.Vec{Z: 0.004}}
	slider.Rods[0].Velocity = &spatial.Twist{Linear: spatial.Vec{X: 1}, Angular: spatial.Vec{Z: 15}}
	for _, c := range []struct {
		name string
		of   mechanism.Parameters
	}{{"ball that slides", ball(0.05)}, {"ball that rolls", ball(0.5)}, {"soft rod", rod(5e6)}, {"stiffer rod", rod(1e9)}, {"rod that slides", slider}} {
		c.of.Gravity, c.of.Walls = spatial.Vec{Z: -earth}, []mechanism.Wall{floor(t, 0.5)}
		for _, h := range []float64{1e-3, 2.5e-4} {
			a, b := mustWorld(t, c.of), mustWorld(t, c.of)
			off, estimated := 0.0, 0.0
			for range 15 {
				march(t, a, h, 0, between)
				march(t, b, h/parts, 0, between)
				off, estimated = max(off, apart(a, b, &c.of)), max(estimated, a.TimeError()*a.Length())
			}
			t.Logf("%s, step %g s: error %.3g m, estimated %.3g m, ratio %.2f", c.name, h, off, estimated, estimated/off)
			if !(estimated > off/50 && estimated < 10*off) {
				t.Errorf("%s, step %g s: the error is %.3g m, estimated %.3g m", c.name, h, off, estimated)
			}
		}
	}
}
