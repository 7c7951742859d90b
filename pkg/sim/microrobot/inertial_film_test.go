package microrobot_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/microrobot"
	"sinew/test/testsize"
)

// roller is a magnetic sphere that a turning field rolls over the floor, as that of
// launch/robots/sphere.yaml.
const roller = `{%s, body: {shape: {sphere_m: 50e-6}, density_kg_per_m3: 1100, magnet: {moment_a_m2: [1e-11, 0, 0]}, position_m: [0, 0, 51e-6]},
	walls: [{plane: {}}], field: {rotating: {axis: [0, 1, 0], amplitude_t: 0.005, frequency_hz: 2}}}`

// A sphere of micrometres on the floor, where the fluid film resists a thousand times as
// much as far away, moves with inertia as it does without, by every method and without
// short steps.
func TestInertialRolling(t *testing.T) {
	testsize.SkipInShort(t)
	const h, n = 1e-3, 1000
	overdamped := microrobot.NewModel(t, fmt.Sprintf(roller, "solver: {method: rkmk4, step_s: 1e-3}"))
	microrobot.StepsInTest(t, overdamped, n, h)
	want := overdamped.Placement().P
	for _, s := range inertialSolvers {
		if strings.Contains(s.name, "tait-bryan") {
			continue // the sphere turns through the singularity
		}
		m := microrobot.NewModel(t, fmt.Sprintf(roller, "dynamics: inertial, solver: {"+s.name+", step_s: 1e-3, spectral_radius: 0.5}"))
		microrobot.StepsInTest(t, m, n, h)
		t.Logf("%s: %.4g m, %.4g m without inertia; %g parts", s.name, m.Placement().P.X, want.X, microrobot.Gauge(t, m, "substeps"))
		if math.Abs(m.Placement().P.X/want.X-1) > 5e-3 || math.Abs(m.Placement().P.Z-want.Z) > 1e-8 {
			t.Errorf("%s: at %v after 1 s, without inertia at %v", s.name, m.Placement().P, want)
		}
		if parts := microrobot.Gauge(t, m, "substeps"); parts > 12 {
			t.Errorf("%s: %g parts of a step", s.name, parts)
		}
	}
}

// A ball that falls through oil onto the floor slows down in the film, and comes to rest in
// the time that lubrication gives it: all methods agree with small steps.
func TestFallOntoTheFloor(t *testing.T) {
	const text = `{dynamics: inertial, solver: {%s, step_s: 1e-3, spectral_radius: 0.5}, gravity_m_per_s2: [0, 0, -9.81], walls: [{plane: {}}],
		body: {shape: {sphere_m: 1e-3}, density_kg_per_m3: 2500, position_m: [0, 0, 3e-3]}, fluid: {viscosity_pa_s: 0.1, density_kg_per_m3: 1000}}`
	heights := func(solver string, h float64) (z [8]float64) {
		m := microrobot.NewModel(t, fmt.Sprintf(text, solver))
		for i := range z {
			microrobot.StepsInTest(t, m, int(math.Round(0.02/h)), h)
			z[i] = m.Placement().P.Z
		}
		return z
	}
	want := heights("method: cg4", 1e-5)
	if want[3] < 1.05e-3 || want[7] > 1.3e-3 || want[7] < 1e-3 { // m: fell, and slows in the film
		t.Fatalf("heights %v", want)
	}
	for _, s := range inertialSolvers {
		worst := 0.0
		for i, z := range heights(s.name, 1e-3) {
			worst = math.Max(worst, math.Abs(z-want[i]))
		}
		t.Logf("%s: off by %.2g m", s.name, worst)
		if !(worst < 1e-5) { // m, half a percent of the fall
			t.Errorf("%s: off by %.3g m", s.name, worst)
		}
	}
}
