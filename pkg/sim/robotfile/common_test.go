package robotfile_test

import (
	"reflect"
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// plainHardware is the section of a file that does not mention hardware.
var plainHardware = robotfile.Hardware{PoseType: robotfile.PoseStamped, Frame: "world", Axes: robotfile.ZUp, Orientation: spatial.Quat{W: 1}, Window: 10, MaxGap: 0.05}

func TestHardware(t *testing.T) {
	r, err := robotfile.Parse[robotfile.Continuum]("f", []byte("hardware: {pose_type: PointStamped, frame_id: mocap, orientation_xyzw: [0, 0, 3, 4], latency_s: -0.02}"))
	if err != nil {
		t.Fatal(err)
	}
	latency := -0.02
	want := robotfile.Hardware{PoseType: robotfile.PointStamped, Frame: "mocap", Axes: robotfile.ZUp, Orientation: spatial.Quat{Z: 0.6, W: 0.8}, Window: 10, MaxGap: 0.05}
	got := r.Hardware
	if got.Latency == nil || *got.Latency != latency {
		t.Fatalf("latency %v, want %g", got.Latency, latency)
	}
	if got.Latency = nil; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	_, err = robotfile.Parse[robotfile.Microrobot]("f", []byte("hardware: {orientation_xyzw: [0, 0, 0, 0], window_s: 0}"))
	for _, part := range []string{"hardware.orientation_xyzw: [0, 0, 0, 0] has no length", "hardware.window_s"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v does not mention %q", err, part)
		}
	}
}

// Warnings of what tendons of the hardware get name tendons of the robot, each once.
func TestHardwareTendons(t *testing.T) {
	const robot = "tendons: [{name: up, offset_m: [0.01, 0]}]\nhardware: {tendons: "
	r, err := robotfile.Parse[robotfile.Continuum]("f", []byte(robot+"[{name: up, offset_n: -0.2}]}"))
	if err != nil || len(r.Hardware.Tendons) != 1 || r.Hardware.Tendons[0] != (robotfile.TendonCalibration{"up", 1, -0.2}) {
		t.Fatalf("%+v, %v", r, err)
	}
	for text, want := range map[string]string{
		"[{name: down}]":           "f:2: hardware.tendons[0].name: \"down\" is not a tendon of the robot; allowed: up",
		"[{name: up}, {name: up}]": "f:2: hardware.tendons[1].name: \"up\" occurs twice; allowed: each tendon once",
		"[{name: up, gain: 0}]":    "hardware.tendons[0].gain: 0 is out of range; allowed: (0, 100]",
		"[{gain: 2}]":              "hardware.tendons[0].name",
	} {
		if _, err := robotfile.Parse[robotfile.Continuum]("f", []byte(robot+text+"}")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
	var d robotfile.Draft[robotfile.Microrobot]
	d.Merge("f", []byte("body: {shape: {sphere_m: 1e-6}}\nhardware: {tendons: [{name: up}]}"))
	if _, err := d.Robot(); err != nil || len(d.Warnings()) != 1 || !strings.Contains(d.Warnings()[0].String(), "f:2: hardware.tendons: [{...}] has no effect: the robot has no tendons") {
		t.Errorf("%v, %v", err, d.Warnings())
	}
}
