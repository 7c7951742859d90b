package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/spatial"
)

// insertable is a rod whose base points along (0, 0.6, 0.8), with its inputs and the number of
// its port servo_insertion.
func insertable(t *testing.T) (m *continuum.Model, in *sim.Inputs, joints int) {
	t.Helper()
	m = newModel(t, parse(t, `{rod: {length_m: 0.1, radius_m: 0.001, density_kg_per_m3: 1500, youngs_modulus_pa: 1e9, shear_modulus_pa: 4e8, elements: 8, damping: {drag_per_s: 20, kelvin_voigt_s: 0.002}},
base: {position_m: [1, 2, 3], direction: [0, 0.6, 0.8], normal: [1, 0, 0]}, gravity_m_per_s2: [0, 0, 0], solver: {step_s: 0.001}}`))
	return m, sim.NewInputs(m), port(t, m, "servo_insertion")
}

// stepFor steps for so many milliseconds and returns the base.
func stepFor(t *testing.T, m *continuum.Model, in *sim.Inputs, steps int) spatial.Pose {
	t.Helper()
	for range steps {
		in.Advance(1e-3)
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
	}
	return basePose(m)
}

var insertionAxis = spatial.Vec{Y: 0.6, Z: 0.8}

// TestInsertionMovesTheBaseAlongItsAxis demands that joints be followed at their greatest rates
// and reached, more than once around.
func TestInsertionMovesTheBaseAlongItsAxis(t *testing.T) {
	m, in, joints := insertable(t)
	start := basePose(m)
	if v := in.Set(joints, []float64{0.05, 3 * math.Pi}); v != sim.Accepted {
		t.Fatalf("the command is %v", v)
	}
	g := stepFor(t, m, in, 100)
	if d := g.P.Sub(start.P).Sub(insertionAxis.Scale(m.Ports()[joints].MaxRate[0] * 0.1)).Norm(); d > 1e-9 {
		t.Errorf("after 0.1 s the base is %.3g m from where its rate takes it", d)
	}
	if turn := start.R.TMul(g.R).Log(); turn.Sub(spatial.Vec{Z: m.Ports()[joints].MaxRate[1] * 0.1}).Norm() > 1e-9 {
		t.Errorf("after 0.1 s the base is turned by %v", turn)
	}
	g = stepFor(t, m, in, 1600)
	if d := g.P.Sub(start.P).Sub(insertionAxis.Scale(0.05)).Norm(); d > 1e-12 {
		t.Errorf("the base ends %.3g m from where it was sent", d)
	}
	if turn := start.R.TMul(g.R).Log().Norm(); math.Abs(turn-math.Pi) > 1e-6 {
		t.Errorf("one and a half turns end at %g rad", turn)
	}
	now := make([]float64, 2)
	m.Setpoint(joints, now)
	if math.Abs(now[0]-0.05) > 1e-12 || now[1] != 3*math.Pi {
		t.Errorf("the setpoint is %v", now)
	}
}

// TestInsertionAndPosesTakeTurns demands that insertion go on from where a pose has brought the
// base, and stop where it is when commands end.
func TestInsertionAndPosesTakeTurns(t *testing.T) {
	m, in, joints := insertable(t)
	start := basePose(m)
	aside := start
	aside.P = aside.P.Add(spatial.Vec{X: 0.01})
	in.Set(port(t, m, "base_pose"), poseValues(aside))
	stepFor(t, m, in, 20)
	in.Set(joints, []float64{0.02, sim.Keep})
	g := stepFor(t, m, in, 110)
	if d := g.P.Sub(aside.P).Sub(insertionAxis.Scale(0.02)).Norm(); d > 1e-9 {
		t.Errorf("the base is %.3g m from 0.02 m beyond where it was put", d)
	}
	in.Set(joints, []float64{0.2, sim.Keep})
	stepFor(t, m, in, 50)
	in.Release(in.Group(joints))
	at := stepFor(t, m, in, 2)
	if end := stepFor(t, m, in, 50); apart(end, at) > 1e-12 || at.P.Sub(g.P).Norm() < 0.005 {
		t.Errorf("without commands the base went on from %v to %v", at.P, end.P)
	}
}

func TestInsertionRefusesMistakes(t *testing.T) {
	m, in, joints := insertable(t)
	start := basePose(m)
	for _, c := range []struct {
		v    []float64
		want sim.CommandStatus
	}{
		{[]float64{math.NaN(), 0}, sim.NotFinite}, {[]float64{0, math.Inf(1)}, sim.NotFinite},
		{[]float64{50, 0}, sim.OutOfRange}, {[]float64{0, -2e4}, sim.OutOfRange}, {[]float64{0}, sim.WrongLength},
	} {
		if got := in.Set(joints, c.v); got != c.want {
			t.Errorf("%v is %v, want %v", c.v, got, c.want)
		}
	}
	if g := stepFor(t, m, in, 5); apart(g, start) != 0 {
		t.Errorf("the base went to %v", g)
	}
}
