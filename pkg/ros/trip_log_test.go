package ros

import (
	"strings"
	"testing"
	"time"

	"sinew/msgs/sensor_msgs"
	"sinew/pkg/sim"
)

// A watchdog that trips is told at once, and again after a pause with how often it did.
func TestTripsAreTold(t *testing.T) {
	log, logged := observed()
	var l tripLog
	for i, c := range []struct {
		at    time.Duration
		trips uint64
		times uint64 // 0: no line
	}{
		{0, 0, 0}, {time.Second, 1, 1}, {2 * time.Second, 1, 0}, {3 * time.Second, 2, 0}, {5 * time.Second, 4, 0},
		{6 * time.Second, 4, 3}, {20 * time.Second, 4, 0}, {21 * time.Second, 5, 1},
	} {
		l.report(log, c.at, 0.2, []sim.GroupStats{{Name: "tendons", Trips: c.trips, Last: "/a"}})
		lines := logged.TakeAll()
		if c.times == 0 && len(lines) == 0 {
			continue
		}
		if len(lines) != 1 || lines[0].Message != "no command to tendons for 0.2 s: gone to the safe state" || lines[0].ContextMap()["times"] != c.times {
			t.Errorf("%d: %v, want %d times", i, lines, c.times)
			continue
		}
		fields := lines[0].ContextMap()
		if hold, _ := fields["to_hold"].(string); fields["last_from"] != "/a" || !strings.Contains(hold, "-r 25, or set command_timeout_s") {
			t.Errorf("%d: %v does not say whose command that was and how to hold it", i, fields)
		}
	}
}

// The clamps after the first are told although none follows, and each topic by itself.
func TestHeldRefusalsAreTold(t *testing.T) {
	log, logged := observed()
	net := newMemory()
	b, clock := still(t, everyKind(), Options{Log: log}, net)
	for _, effort := range []float64{25, 26, 27, 28} {
		net.arrive(t, "/lab/left/in_tension", &sensor_msgs.JointState{Effort: []float64{1, effort}})
	}
	net.arrive(t, "/lab/left/in_length", &sensor_msgs.JointState{Position: []float64{1}})
	net.arrive(t, "/lab/left/in_joints", &sensor_msgs.JointState{Position: []float64{1}})
	if n := len(logged.TakeAll()); n != 3 {
		t.Errorf("%d lines, want one of each topic", n)
	}
	b.report()
	if n := logged.Len(); n != 0 {
		t.Errorf("%d lines before the pause is over", n)
	}
	clock.now.Add(int64(refusalPause))
	b.report()
	lines := logged.TakeAll()
	if len(lines) != 1 || lines[0].Message != "command clamped" {
		t.Fatalf("%v, want a line of the clamps", lines)
	}
	if f := lines[0].ContextMap(); f["unlogged_before"] != int64(2) || f["detail"] != "right = 28 N is above its limit 20" {
		t.Errorf("%v", f)
	}
}
