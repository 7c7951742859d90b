package ros

import (
	"math"
	"strconv"
	"testing"
	"time"

	"sinew/msgs/geometry_msgs"
)

// TestHardwareLatency: once the hardware has moved enough, errors and diagnostics say
// how much later it is. Before it is heard there is nothing to estimate.
func TestHardwareLatency(t *testing.T) {
	const late, period = 0.05, 10 * time.Millisecond
	m, net := everyKind(), newMemory()
	b, clock := still(t, m, Options{Hardware: beside(geometry_msgs.PoseStampedType)}, net)
	motion := func(at time.Duration) float64 {
		s := at.Seconds()
		return 0.1*math.Sin(2*math.Pi*0.7*s) + 0.05*math.Sin(2*math.Pi*1.9*s)
	}
	b.hardware.estimate()
	move := func(from, to time.Duration) {
		for at := from; at < to; at += period {
			poseAt(b, m, at, motion(at))
			net.arrive(t, "/lab/left/hardware/measured_cp", &geometry_msgs.PoseStamped{
				Header: headerAt(at, "world"),
				Pose:   geometry_msgs.Pose{Position: geometry_msgs.Point{X: motion(at - time.Duration(late*float64(time.Second)))}, Orientation: geometry_msgs.Quaternion{W: 1}},
			})
		}
	}
	move(0, 10*time.Second)
	net.topic(t, "/lab/left/hil_error").take()
	b.hardware.estimate()
	move(10*time.Second, 10*time.Second+2*period)
	if e := b.hardware.newest; !(math.Abs(e.Latency-late) < 1e-3) {
		t.Errorf("latency %g s, want %g", e.Latency, late)
	}
	s := b.hardware.status("left", clock.Now())
	if v, err := strconv.ParseFloat(keyValue(s, "latency_s"), 64); err != nil || !(math.Abs(v-late) < 1e-3) {
		t.Errorf("diagnostics say a latency of %q s, want %g", keyValue(s, "latency_s"), late)
	}
}
