package robotfile_test

import (
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
)

// Keys without effect give warnings, where they are and with what to do; robots whose keys
// all count are not spoken of.
func TestMicrorobotWarnings(t *testing.T) {
	const (
		ball  = "body: {shape: {sphere_m: 1e-6}, magnet: {}}\n"
		heavy = "dynamics: inertial\n" + ball
	)
	testWarnings[robotfile.Microrobot](t, []warningCase{
		{"method of Brownian motion", ball + "fluid: {brownian: true}\nsolver: {method: rkmk4}", "solver.method", "f:3: solver.method: \"rkmk4\" has no effect with fluid.brownian"},
		{"method without Brownian motion", ball + "solver: {method: cg4}", "", ""},
		{"parametrization of an explicit method", ball + "solver: {parametrization: rotation-vector}", "solver.parametrization", "f:2: solver.parametrization: \"rotation-vector\" has no effect with the method rkmk4"},
		{"parametrization of splitting", heavy + "solver: {method: splitting, parametrization: rotation-vector}", "solver.parametrization", "method splitting"},
		{"parametrization of trapezoidal", heavy + "solver: {method: trapezoidal, parametrization: rotation-vector}", "", ""},
		{"radius of trapezoidal", heavy + "solver: {method: trapezoidal, spectral_radius: 0.5}", "solver.spectral_radius", "f:3: solver.spectral_radius: 0.5 has no effect with the method trapezoidal"},
		{"radius of generalized-alpha", heavy + "solver: {method: generalized-alpha, spectral_radius: 0.5, parametrization: rotation-vector}", "", ""},
		{"inertia without inertia", "body: {shape: {sphere_m: 1e-6}, inertia_kg_m2: [1, 1, 1, 0, 0, 0]}", "body.inertia_kg_m2", "dynamics overdamped"},
		{"inertia with inertia", "dynamics: inertial\nbody: {shape: {sphere_m: 1e-6}, inertia_kg_m2: [1, 1, 1, 0, 0, 0]}", "", ""},
		{"density beside mass", "body: {shape: {sphere_m: 1e-6}, mass_kg: 1, density_kg_per_m3: 2}", "body.density_kg_per_m3", "2 kg/m^3 has no effect beside body.mass_kg"},
		{"density of no volume", "dynamics: inertial\nbody: {mass_kg: 0, density_kg_per_m3: 2, shape: {resistance: {trans_kg_per_s: [1, 1, 1], rot_kg_m2_per_s: [1, 1, 1]}}}", "", mistaken},
		{"density of a resistance", "body: {density_kg_per_m3: 2, shape: {resistance: {trans_kg_per_s: [1, 1, 1], rot_kg_m2_per_s: [1, 1, 1]}}}", "body.density_kg_per_m3", "has no volume"},
		{"field without magnet", "body: {shape: {sphere_m: 1e-6}}\nfield: {uniform_t: [0, 0, 0.01]}", "field", "not magnetic"},
		{"density of vacuum", "dynamics: inertial\nbody: {shape: {sphere_m: 1e-6}}\nfluid: {viscosity_pa_s: 0, density_kg_per_m3: 1000}", "fluid.density_kg_per_m3", "vacuum"},
		{"temperature at rest", ball + "fluid: {temperature_k: 300}", "fluid.temperature_k", "without Brownian motion"},
		{"seed of nothing", ball + "seed: 3", "seed", "f:2: seed: 3 has no effect"},
		{"keys at their defaults", ball + "seed: 1\nfluid: {temperature_k: 310.15}\nsolver: {parametrization: quaternion, spectral_radius: 0.90}", "", ""},
		{"seed of sensors", ball + "seed: 3\nsensors: [{name: camera, rate_hz: 100, pose: {}}]", "", ""},
		{"limit of no coils", ball + "field: {coil_max_current_a: 3}", "field.coil_max_current_a", "without coils"},
	})
}

// Warnings come in the order of the files and their lines, and are those of the last
// reading.
func TestWarningsInOrder(t *testing.T) {
	var d robotfile.Draft[robotfile.Microrobot]
	d.Merge("a", []byte("seed: 2\nbody: {shape: {sphere_m: 1e-6}}\n"))
	d.Merge("b", []byte("\nsolver:\n  spectral_radius: 0.5\n  parametrization: rotation-vector\n"))
	for range 2 {
		if _, err := d.Robot(); err != nil {
			t.Fatal(err)
		}
		var places []string
		for _, w := range d.Warnings() {
			place, _, _ := strings.Cut(w.String(), ": ")
			places = append(places, place)
		}
		if got := strings.Join(places, " "); got != "a:1 b:3 b:4" {
			t.Errorf("warnings at %s", got)
		}
	}
	d.Set("body.mass_kg", "-1", "command line")
	if _, err := d.Robot(); err == nil || len(d.Warnings()) > 0 {
		t.Errorf("after a mistake: %v, warnings %v", err, d.Warnings())
	}
}
