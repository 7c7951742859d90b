package microrobot_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// slider is a spheroid in water that a turning field and a gradient move, and a load off
// its axes. Its weight does not depend on its mass: there is no gravity.
const slider = `{%s, gravity_m_per_s2: [0, 0, 0],
	body: {shape: {ellipsoid_m: [1e-3, 5e-4, 5e-4]}, magnet: {moment_a_m2: [1e-6, 0, 2e-7]}, load: {force_n: [0, 0, 2e-8]}%s},
	field: {rotating: {axis: [0, 0, 1], amplitude_t: 2e-3, frequency_hz: 1}, gradient_t_per_m: [0.02, 0.05, 0, 0, 0.01]}}`

// Overdamped motion is the limit of motion with inertia: half the mass, half the distance,
// from a body whose drag takes many steps to slow it to one that it stops a thousand times
// within a step.
func TestOverdampedIsTheLimitOfInertial(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	const duration = 0.5
	overdamped := microrobot.NewModel(t, fmt.Sprintf(slider, "solver: {method: rkmk4, step_s: 1e-3}", ""))
	microrobot.StepsInTest(t, overdamped, 500, 1e-3)
	run := func(solver string, n int, mass float64) *microrobot.Model {
		j := mass / 5 * 1e-6
		body := fmt.Sprintf(", mass_kg: %g, inertia_kg_m2: [%g, %g, %g, 0, 0, 0]", mass, 0.5*j, 1.25*j, 1.25*j)
		m := microrobot.NewModel(t, fmt.Sprintf(slider, "dynamics: inertial, solver: {"+solver+", step_s: 1e-3, spectral_radius: 0}", body))
		microrobot.StepsInTest(t, m, n, duration/float64(n))
		return m
	}
	off := func(m *microrobot.Model) (position, attitude float64) {
		return m.Placement().P.Sub(overdamped.Placement().P).Norm(), microrobot.Angle(m.Placement().Q, overdamped.Placement().Q)
	}
	way := overdamped.Placement().P.Norm()
	for _, k := range []struct {
		solver string
		steps  int
		mass   float64 // kg
	}{
		{"method: rkmk4", 500, 1e-9}, {"method: cg4", 500, 1e-9},
		{"method: splitting", 500, 1e-9},
		{"method: generalized-alpha, parametrization: rotation-vector", 5000, 1e-7},
		{"method: generalized-alpha, parametrization: quaternion", 5000, 1e-7},
	} {
		p1, a1 := off(run(k.solver, k.steps, k.mass))
		heavy := run(k.solver, k.steps, k.mass/2)
		p2, a2 := off(heavy)
		t.Logf("%s, %g kg: off by %.3g m of %.3g m and %.3g rad; half the mass: %.3g m, %.3g rad; drag time %.3g s",
			k.solver, k.mass, p1, way, a1, p2, a2, microrobot.Gauge(t, heavy, "drag_time"))
		if math.Abs(p1/p2-2) > 0.1 || math.Abs(a1/a2-2) > 0.1 {
			t.Errorf("%s: half the mass leaves %.4g of the distance and %.4g of the angle, want 0.5", k.solver, p2/p1, a2/a1)
		}
	}
	// a thousandth of the mass of any real body: implicit steps see no stiffness. What is
	// left is the start, in one step instead of none: half a step's way, for once.
	light := run("method: generalized-alpha, parametrization: rotation-vector", 500, 1e-12)
	p, a := off(light)
	t.Logf("1e-12 kg: off by %.3g m, %.3g rad, %g iterations at most", p, a, microrobot.Gauge(t, light, "newton_iterations_max"))
	if p > 3e-3*way || a > 1e-3 || microrobot.Gauge(t, light, "newton_iterations_max") > 12 {
		t.Errorf("1e-12 kg: off by %.3g m of %.3g m, %.3g rad, %g iterations at most", p, way, a, microrobot.Gauge(t, light, "newton_iterations_max"))
	}
}

// Explicit steps are divided until drag is no longer stiff, and refused with the limit where
// that would take more than a thousand parts.
func TestStiffDragDividesExplicitSteps(t *testing.T) {
	const text = `{dynamics: inertial, solver: {method: rkmk4, step_s: %g}, body: {shape: {sphere_m: 1e-5}, density_kg_per_m3: 1100, load: {force_n: [1e-12, 0, 0]}}, gravity_m_per_s2: [0, 0, 0]}`
	m := microrobot.NewModel(t, fmt.Sprintf(text, 1e-3))
	// the fastest is the rotation: J/ζ = ρ a²/15η = 8.6 µs, so 232 parts of half of that
	microrobot.Near(t, "drag_time", microrobot.Gauge(t, m, "drag_time"), 1100*1e-10/(15*8.5e-4), 1e-12)
	microrobot.StepsInTest(t, m, 5, 1e-3)
	microrobot.Near(t, "substeps", microrobot.Gauge(t, m, "substeps"), 232, 0)
	microrobot.NearVec(t, "velocity", spatial.VecAt(microrobot.Value(t, m, "measured_cv")), spatial.Vec{X: 1e-12 / (6 * math.Pi * 8.5e-4 * 1e-5)}, 1e-15)

	_, err := microrobot.New(microrobot.Parse(t, fmt.Sprintf(text, 5e-3)), nil)
	if err == nil || !strings.Contains(err.Error(), "takes step_s up to 0.00431 s") {
		t.Errorf("stiff drag: %v", err)
	}
}
