package microrobot_test

import (
	"testing"

	"sinew/pkg/sim/microrobot"
)

// A robot is described in units in which its numbers are easy to read.
func TestText(t *testing.T) {
	const rest = "magnet of 1e-09 A m², in fluid of 0.85 mPa s, overdamped, rkmk4 in steps of 0.5 ms"
	for shape, want := range map[string]string{
		"sphere_m: 1e-6":                  "sphere of radius 1 µm, ",
		"sphere_m: 2.5":                   "sphere of radius 2.5 m, ",
		"ellipsoid_m: [1e-3, 2e-4, 2e-4]": "ellipsoid of 2 × 0.4 × 0.4 mm, ",
		"helix: {length_m: 240e-6, radius_m: 30e-6, pitch_m: 80e-6, wire_radius_m: 8e-6}": "helix of 240 µm length and 30 µm radius, ",
	} {
		r, err := microrobot.NewRobotWith(microrobot.Parse(t, "body: {shape: {"+shape+"}, magnet: {moment_a_m2: [0, 0, 1e-9]}}\nfluid: {viscosity_pa_s: 8.5e-4}\nsolver: {method: rkmk4, step_s: 5e-4}"), microrobot.Files{})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.String(); got != want+rest {
			t.Errorf("%s: %q, want %q", shape, got, want+rest)
		}
	}
}
