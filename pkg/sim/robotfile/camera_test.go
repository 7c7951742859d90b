package robotfile_test

import (
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
)

// camera is one with a marker at the tip of the only rod.
const camera = "sensors: [{name: c, rate_hz: 50, camera: {world: true, width_px: 640, height_px: 480, fx_px: 600, markers: [{name: tip}]}}]"

func TestCameraMistakes(t *testing.T) {
	const f = "f:1: sensors[0].camera"
	for _, c := range []struct{ name, was, is, want string }{
		{"no markers", ", markers: [{name: tip}]", "", f + ".markers: is empty: the camera sees nothing; allowed: at least 1 point, as {name: tip}"},
		{"no width", "width_px: 640, ", "", f + ".width_px: is missing; allowed: [1, 100000] px"},
		{"long exposure", "fx_px", "exposure_s: 0.03, fx_px", f + ".exposure_s: 0.03 s is longer than the time between two measurements; allowed: at most 1/rate_hz = 0.02 s"},
		{"three distortions", "fx_px", "distortion: [1, 2, 3], fx_px", f + ".distortion: [1, 2, 3] has 3 values; allowed: a list of 0 or 4 or 5"},
		{"two markers of a name", "{name: tip}", "{name: tip}, {name: tip, at_m: 0.1}", f + `.markers[1].name: "tip" is the name of sensors[0].camera.markers[0] too; allowed: names that differ`},
		{"a marker beyond the rod", "{name: tip}", "{name: tip, at_m: 0.3}", f + ".markers[0].at_m: 0.3 m is beyond the end of the rod; allowed: at most rod.length_m = 0.25 m"},
		{"a marker on a link", "{name: tip}", "{name: tip, rod: a}", f + `.markers[0].rod: "a" is not needed: the robot has one rod (remove it)`},
		{"a name with a point", "{name: tip}", "{name: a.b}", f + `.markers[0].name: "a.b" is not a valid name; allowed: a letter or _, then letters, digits, _ and - up to 64 in all`},
		{"an arc length in the world", "world: true", "world: true, at_m: 0.1", f + ".at_m: 0.1 m is a key of places on rods (give position_m, from the origin of the world)"},
		{"transparency of nothing", "fx_px", "transparent: [vessel], fx_px", f + ".transparent[0]: \"vessel\" hides nothing: the file has no body and no shape of the environment (remove it)"},
		{"three errors", "fx_px", "error: {bias: [1, 2, 3]}, fx_px", f + ".error.bias: 3 numbers for a signal of 2 values; allowed: 1 or 2 numbers"},
		{"a pose of the world", "camera: {world: true, width_px: 640, height_px: 480, fx_px: 600, markers: [{name: tip}]}", "pose: {world: true}", "f:1: sensors[0].pose.world: true leaves nothing to measure: what stands in the world does not move (remove it: then the sensor is on the rod)"},
		{"an accelerometer of the world", "camera: {world: true, width_px: 640, height_px: 480, fx_px: 600, markers: [{name: tip}]}", "imu: {world: true}", "f:1: sensors[0].imu.world: true leaves nothing to measure: what stands in the world does not move (remove it: then the sensor is on the rod)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(camera, c.was) {
				t.Fatalf("%q is not in the file", c.was)
			}
			wantMistakes(t, strings.Replace(camera, c.was, c.is, 1), c.want)
		})
	}
}

func TestCameraDefaults(t *testing.T) {
	r, err := robotfile.Parse[robotfile.Continuum]("f", []byte("environment: {shapes: [{name: vessel, plane: {point_m: [0, 0, -1]}}]}\n"+strings.Replace(camera, "fx_px", "distortion: [0.1, 0.2, 0.3, 0.4], transparent: [vessel], fx_px", 1)))
	if err != nil {
		t.Fatal(err)
	}
	c := r.Sensors[0].Camera
	if *c.FocalY != 600 || *c.CenterX != 319.5 || *c.CenterY != 239.5 || !slices.Equal(c.Distortion, []float64{0.1, 0.2, 0.3, 0.4, 0}) || *c.Markers[0].At != r.Rod.Length {
		t.Errorf("%+v", c)
	}
	roundTrip(t, r)
}
