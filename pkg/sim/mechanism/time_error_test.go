package mechanism_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/mechanism"
)

// apart returns the largest distance between two motions of a mechanism, of nodes, and of bodies at their radius of gyration, m.
func apart(a, b *mechanism.World, p *mechanism.Parameters) (most float64) {
	for i := range p.Rods {
		for k, g := range a.NodePoses(i) {
			most = max(most, g.P.Sub(b.NodePoses(i)[k].P).Norm())
		}
	}
	for i, body := range p.Bodies {
		g, o := a.BodyPose(i), b.BodyPose(i)
		radius := math.Sqrt(max(body.Inertia[0], body.Inertia[1], body.Inertia[2]) / body.Mass)
		most = max(most, g.Apply(body.CenterOfMass).Sub(o.Apply(body.CenterOfMass)).Norm(), radius*g.R.TMul(o.R).Log().Norm())
	}
	return most
}

// TestTimeErrorIsThatOfTheMotion: the estimate for pendulums, closed loops, bodies and rods in the air, springs and a driven blade
// is how far they are from the same motion in steps of an eighth. That of fast spins is up to ten times as large, since the estimate
// does not know which terms of their rotations cancel.
func TestTimeErrorIsThatOfTheMotion(t *testing.T) {
	const h, parts, between, count = 0.002, 8, 0.05, 20
	for _, m := range goldenMotions {
		c := golden(t, m.name)
		p := c.Robot.parameters(8)
		a, b := mustWorld(t, p), mustWorld(t, p)
		off, estimated := 0.0, 0.0
		for range count {
			march(t, a, h, 0, between)
			march(t, b, h/parts, 0, between)
			off, estimated = max(off, apart(a, b, &p)), max(estimated, a.TimeError()*a.Length())
		}
		t.Logf("%s: error %.3g m, estimated %.3g m, ratio %.2f", m.name, off, estimated, estimated/off)
		if r := estimated / off; !(r > 0.5 && r < 10) {
			t.Errorf("%s: the error is %.3g m, estimated %.3g m", m.name, off, estimated)
		}
	}
}

// TestTimeErrorAtRest: what rests has no error, however short the steps are: the round-off of the poses does not grow in the equations
// of the error, beside damping that bent elements make softer.
func TestTimeErrorAtRest(t *testing.T) {
	c := golden(t, "six_leg_platform")
	p := c.Robot.parameters(10)
	for i := range p.Rods {
		p.Rods[i].KelvinVoigt = 0.0005
	}
	w := mustWorld(t, p)
	if err := w.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	for _, h := range []float64{1e-3, 1e-4, 2e-5} {
		march(t, w, h, 0, 600*h)
		if e := w.TimeError(); !(e < 1e-6) {
			t.Errorf("after 600 steps of %g s at rest the error is %.3g of the length", h, e)
		}
	}
}
