package microrobot_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// A load across the field of half of mB tilts the moment by 30°.
func TestLoadTiltsTheMoment(t *testing.T) {
	for _, share := range []float64{0, 0.1, 0.5, 0.9, 0.99} {
		m := microrobot.NewModel(t, fmt.Sprintf(`{body: {shape: {sphere_m: 1e-5}, magnet: {moment_a_m2: [2e-9, 0, 0]}, load: {moment_nm: [0, 0, %g]}},
  gravity_m_per_s2: [0, 0, 0], field: {uniform_t: [0.01, 0, 0]}}`, share*2e-11))
		microrobot.StepsInTest(t, m, 20, 1e-3)
		microrobot.Near(t, fmt.Sprintf("tilt under %g mB", share), microrobot.Gauge(t, m, "lag_angle"), math.Asin(share), 1e-7)
		if w := spatial.VecAt(microrobot.Value(t, m, "measured_cv")[3:]); w.Norm() > 1e-3 {
			t.Errorf("at rest it reports %v rad/s", w)
		}
	}
}

// A moment that slips too fast to be followed is an error that says which step can, and
// leaves the state alone; a swarm says the same.
func TestSlipError(t *testing.T) {
	testsize.SkipInShort(t)
	const text = `{body: {shape: {sphere_m: 1e-5}, magnet: {moment_a_m2: [2e-9, 0, 0]}, load: {moment_nm: [0, 0, 4e-11]}},
  gravity_m_per_s2: [0, 0, 0], field: {uniform_t: [0.01, 0, 0]}%s}`
	for _, swarm := range []string{"", ", swarm: {count: 3, spacing_m: 1e-3, interaction: none}"} {
		m := microrobot.NewModel(t, fmt.Sprintf(text, swarm))
		before := *m.Placement()
		err := m.Step(0.5)
		var slip *microrobot.SlipError
		if !errors.As(err, &slip) || *m.Placement() != before {
			t.Fatalf("%v", err)
		}
		if slip.Step > 0.05 || slip.Step < 1e-3 {
			t.Errorf("steps up to %g s", slip.Step)
		}
		if err := m.Step(slip.Step / 4); err != nil {
			t.Errorf("a quarter of the step that it says: %v", err)
		}
	}
}

// The way to the field is that of the closed form tan(θ/2) = tan(θ0/2) exp(−h/τ), also
// from all but opposition; a body that was turned about its moment keeps that turn.
func TestRelaxationWithinAStep(t *testing.T) {
	for _, theta := range []float64{1e-7, 0.1, 1.5, 3, math.Pi - 1e-6} {
		m := microrobot.NewModel(t, fmt.Sprintf(`{body: {shape: {sphere_m: 1e-5}, magnet: {moment_a_m2: [2e-9, 0, 0]}, orientation_xyzw: [0, 0, %.17g, %.17g]},
  gravity_m_per_s2: [0, 0, 0], field: {uniform_t: [0.01, 0, 0]}}`, math.Sin(theta/2), math.Cos(theta/2)))
		tau := microrobot.Gauge(t, m, "alignment_time")
		microrobot.StepsInTest(t, m, 1, 600*tau)
		microrobot.Near(t, fmt.Sprintf("angle left of %g", theta), 2*math.Atan2(m.Placement().Q.Z, m.Placement().Q.W), 0, 1e-9)
		if q := m.Placement().Q; math.Abs(q.X)+math.Abs(q.Y) > 1e-12 {
			t.Errorf("it turned about other axes: %v", q)
		}
	}
}
