package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/spatial"
)

func TestStaticFriction(t *testing.T) {
	for _, c := range readStatics(t).Friction.Rows {
		if c.Dir < 0 {
			continue // tendons that slide away from their motors
		}
		f := wire(10, 0, spatial.Vec{}, 0)
		if c.Dir != 0 {
			f.Tendons[0].Friction = 0.3
		}
		e := implicitOf(t, f)
		equilibrate(t, e, pulling(2))
		within(t, "tip", tip(e), c.Tip, convergedTolerance)
		if n := e.Stepper.Report().Iterations; n > 20 {
			t.Errorf("%d iterations, want at most 20", n)
		}
		if c.Dir != 0 {
			got := make([]float64, len(c.Ts))
			for i := range got {
				got[i] = e.Tendons.TensionAt(0, i)
			}
			within(t, "tensions", got, c.Ts, convergedTolerance)
		}
	}
}

func TestElasticTendonsWithSlack(t *testing.T) {
	g := readStatics(t).Elastic
	f := wire(10, 0.0005, sideways, 0, 90, 180, 270)
	in := &inputs{}
	for i := range f.Tendons {
		f.Tendons[i].Stiffness = 1e3
		in.Setpoints = append(in.Setpoints, force.Setpoint{Mode: force.LengthControl, Pull: g.Pull[i]})
	}
	e := implicitOf(t, f)
	equilibrate(t, e, in)
	within(t, "tip", tip(e), g.Tip, convergedTolerance)
	got := make([]float64, 4)
	for k := range got {
		got[k] = e.Tension(k, in.Setpoints[k])
	}
	within(t, "tensions", got, g.T, convergedTolerance)
	if slack, _ := e.Tendons.Inactive(); slack != 2 {
		t.Errorf("%d tendons slack, want 2", slack)
	}
}

// TestStaticFrictionAgainstShooting compares with the boundary-value problem of the
// continuous rod between ten disks, solved by shooting (DOP853).
func TestStaticFrictionAgainstShooting(t *testing.T) {
	for _, c := range []struct {
		mu    float64
		x, z  float64
		ratio float64
	}{
		{0, 0.1000605, 0.1613756, 1},
		{0.3, 0.0937058522, 0.1678959528, 0.76982558},
	} {
		f := wire(80, 0, spatial.Vec{}, 0)
		f.Tendons[0].Friction = c.mu
		e := implicitOf(t, f)
		equilibrate(t, e, pulling(2))
		p := e.NodePose(80).P
		if d := math.Hypot(p.X-c.x, p.Z-c.z); d > 1e-5 {
			t.Errorf("μ = %g: tip off by %.3g m, want at most 1e-5", c.mu, d)
		}
		if got := e.Tendons.TensionAt(0, 9) / 2; math.Abs(got-c.ratio) > 1e-3 {
			t.Errorf("μ = %g: last tension %g of the first, want %g", c.mu, got, c.ratio)
		}
	}
}
