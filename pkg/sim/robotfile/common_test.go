package robotfile

import (
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
)

// plainHardware is the section of a file that does not mention hardware.
var plainHardware = Hardware{PoseType: PoseStamped, Frame: "world", Orientation: spatial.Quat{W: 1}, Window: 10, MaxGap: 0.05}

func TestHardware(t *testing.T) {
	r, err := Parse[Continuum]("f", []byte("hardware: {pose_type: PointStamped, frame_id: mocap, orientation_xyzw: [0, 0, 3, 4], latency_s: -0.02}"))
	if err != nil {
		t.Fatal(err)
	}
	latency := -0.02
	want := Hardware{PoseType: PointStamped, Frame: "mocap", Orientation: spatial.Quat{Z: 0.6, W: 0.8}, Window: 10, MaxGap: 0.05}
	got := r.Hardware
	if got.Latency == nil || *got.Latency != latency {
		t.Fatalf("latency %v, want %g", got.Latency, latency)
	}
	if got.Latency = nil; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	_, err = Parse[Microrobot]("f", []byte("hardware: {orientation_xyzw: [0, 0, 0, 0], window_s: 0}"))
	for _, part := range []string{"hardware.orientation_xyzw: [0, 0, 0, 0] has no length", "hardware.window_s"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v does not mention %q", err, part)
		}
	}
}
