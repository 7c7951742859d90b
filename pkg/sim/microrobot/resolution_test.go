package microrobot_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/microrobot"
	"sinew/test/testsize"
)

// A pulsatile flow is resolved by substeps, whatever its frequency is beside the steps, by every method:
// the body goes where steps take it that are fifty times shorter. At one and two pulses a step, a
// sphere without inertia drifted by a third and by the whole of the peak velocity.
func TestPulsatileFlowIsResolved(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	const text = "dynamics: %s\nsolver: {method: %s}\nbody: {shape: {sphere_m: 5e-5}, density_kg_per_m3: 1000%s}\ngravity_m_per_s2: [0, 0, 0]\n" +
		"fluid: {viscosity_pa_s: 1e-3, density_kg_per_m3: 1000, flow: {pulsatile: {axis: [1, 0, 0], radius_m: 1e-3, peak_m_per_s: 1e-3, frequency_hz: %g, phase_rad: 1.5707963267948966}}}\n%s"
	const peak, steps, shorter = 1e-3, 20, 50
	for _, k := range []struct {
		dynamics, method, body, more string
		tolerance                    float64 // of the amplitude
	}{
		{"overdamped", "rkmk4", "", "", 1e-4},
		{"overdamped", "cg4", "", "", 1e-4},
		{"overdamped", "lie-euler", "", "", 0.1}, // order 1: half of the largest phase in a substep
		{"overdamped", "rkmk4", "", "walls: [{plane: {point_m: [0, 0, -1e-3]}}]", 1e-4},
		{"overdamped", "rkmk4", ", magnet: {moment_a_m2: [1e-6, 0, 0]}", "field: {uniform_t: [0.02, 0, 0]}\naccept: [magnetization]", 0.01}, // in balance, order 2
		{"inertial", "rkmk4", "", "", 1e-3},
		{"inertial", "splitting", "", "", 0.02},
		{"inertial", "generalized-alpha", "", "", 0.02},
	} {
		for _, frequency := range []float64{437, 1000, 2000} {
			at := func(n int, dt float64) float64 {
				m := microrobot.NewModel(t, fmt.Sprintf(text, k.dynamics, k.method, k.body, frequency, k.more))
				microrobot.StepsInTest(t, m, n, dt)
				return m.Placement().P.X
			}
			amplitude := peak / (2 * math.Pi * frequency)
			got, want := at(steps, 1e-3), at(shorter*steps, 1e-3/shorter)
			microrobot.Near(t, fmt.Sprintf("%s, %s, %q, %g Hz", k.dynamics, k.method, k.more, frequency), got, want, k.tolerance*amplitude)
		}
	}
}

// The gauge of what is prescribed warns where even substeps do not resolve it, and not before.
func TestPrescribedRotationPerStep(t *testing.T) {
	const (
		field = "body: {shape: {sphere_m: 5e-5}, magnet: {moment_a_m2: [1e-12, 0, 0]}}\nfield: {rotating: {axis: [0, 0, 1], amplitude_t: 0.005, frequency_hz: %g}}"
		flow  = "body: {shape: {sphere_m: 5e-5}}\nfluid: {flow: {pulsatile: {axis: [1, 0, 0], radius_m: 1e-3, peak_m_per_s: 1e-3, frequency_hz: %g}}}"
	)
	for _, k := range []struct {
		text      string
		frequency float64
		want      float64 // rad in a substep of a step of 1 ms
		warns     bool
	}{
		{field, 10, 2 * math.Pi / 100, false},
		{field, 1000, 2 * math.Pi / 13, false},
		{field, -1e5, 2 * math.Pi / 10, true}, // a thousand substeps
		{flow, 1000, 2 * math.Pi / 21, false},
		{flow, 1e5, 2 * math.Pi / 10, true},
	} {
		m := microrobot.NewModel(t, fmt.Sprintf(k.text, k.frequency))
		got, warning := microrobot.Gauge(t, m, "prescribed_rotation_per_step"), ""
		for _, g := range m.Gauges() {
			if g.Key == "prescribed_rotation_per_step" {
				warning = g.Warning(got)
			}
		}
		microrobot.Near(t, fmt.Sprintf(k.text, k.frequency), got, k.want, 1e-12)
		if warns := warning != ""; warns != k.warns {
			t.Errorf("%g Hz: warning %q", k.frequency, warning)
		}
	}
	m := microrobot.NewModel(t, fmt.Sprintf(field, 1.))
	microrobot.Command(t, m, "rotating_field", 0, 0, 1, 0.005, 2e5, 0)
	microrobot.Near(t, "commanded", microrobot.Gauge(t, m, "prescribed_rotation_per_step"), 2*math.Pi/5, 1e-12)
}

// A body that turns once a step has turned, although its attitude is the same.
func TestRotationOfWholeTurns(t *testing.T) {
	m := microrobot.NewModel(t, "body: {shape: {sphere_m: 5e-6}, magnet: {moment_a_m2: [1e-11, 0, 0]}}\nfield: {rotating: {axis: [0, 0, 1], amplitude_t: 0.02, frequency_hz: 1000}}\naccept: [magnetization]")
	microrobot.StepsInTest(t, m, 20, 1e-3)
	turned := microrobot.Gauge(t, m, "rotation_per_step") * microrobot.Gauge(t, m, "substeps")
	microrobot.Near(t, "turned in a step", turned, 2*math.Pi, 1e-2)
}
