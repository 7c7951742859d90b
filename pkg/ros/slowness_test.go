package ros

import (
	"strings"
	"testing"
	"time"

	"sinew/msgs/sinew_msgs"
	"sinew/pkg/sim"
)

// What is said of a loop that is too slow stays the same while it is about as slow.
func TestSlowness(t *testing.T) {
	const rate = 1000
	o := sim.Options{ControlHz: rate}
	var w slowness
	for i, c := range []struct {
		factor float64 // real-time factor of the last second
		age    time.Duration
		state  sim.OperatingState
		whole  bool
		want   string
	}{
		{1, 0, sim.Enabled, true, ""},
		{0.91, 0, sim.Enabled, true, ""},
		{0.5, 0, sim.Enabled, false, ""}, // a second with a pause in it
		{0.5, 0, sim.Enabled, true, "2 x too slow for 1000 Hz"},
		{0.3, 0, sim.Enabled, true, "2 x too slow for 1000 Hz"},
		{0.2, 0, sim.Enabled, true, "5 x too slow for 1000 Hz"},
		{0.7, 0, sim.Disabled, true, "1.4 x too slow for 1000 Hz"},
		{0.2, 999 * time.Millisecond, sim.Enabled, false, ""},
		{0, 1234 * time.Millisecond, sim.Enabled, false, "1200 x too slow for 1000 Hz"},
		{0, 57 * time.Second, sim.Enabled, true, "57000 x too slow for 1000 Hz"},
		{0.2, 57 * time.Second, sim.Paused, true, ""},
		{0.2, 57 * time.Second, sim.Fault, true, ""},
		{0.00021, 0, sim.Enabled, true, "4800 x too slow for 1000 Hz"},
		{1, 0, sim.Enabled, true, ""},
	} {
		now := latestState{state: c.state, age: c.age}
		if got := w.assess(o, sim.Stats{RealTimeFactor: c.factor}, now, c.whole); got != c.want {
			t.Errorf("%d: %+v: %q, want %q", i, c, got, c.want)
		}
	}
	o.Lockstep = true
	if got := w.assess(o, sim.Stats{RealTimeFactor: 0.1}, latestState{state: sim.Enabled}, true); got != "" {
		t.Errorf("in lock-step, which has no rate: %q", got)
	}
}

// A step that hangs is told on operating_state while it does.
func TestAHangingStepIsTold(t *testing.T) {
	m, net := everyKind(), newMemory()
	calm := sim.Options{ControlHz: 100, PublishHz: 10, MarkerHz: 1, StepS: 0.01} // which any computer keeps up with
	live(t, m, calm, Options{}, net)
	state := net.topic(t, "/lab/left/operating_state")
	reason := func() string {
		got := state.take()
		if len(got) == 0 {
			return "-"
		}
		last := got[len(got)-1].(*sinew_msgs.OperatingState)
		return strings.TrimSpace(last.State + " " + last.Reason)
	}
	eventually(t, "enabled", func() bool { return reason() == "ENABLED" })
	goOn := m.stop(t)
	eventually(t, "the step is told of", func() bool {
		r := reason()
		return strings.HasPrefix(r, "ENABLED ") && strings.HasSuffix(r, "0 x too slow for 100 Hz")
	})
	goOn()
	eventually(t, "the word goes when the loop keeps up", func() bool { return reason() == "ENABLED" })
}
