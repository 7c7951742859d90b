package ros_test

import (
	"strings"
	"testing"

	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/sim"
)

// A step that hangs is reported on operating_state while it does.
func TestAHangingStepIsTold(t *testing.T) {
	t.Parallel()
	m, net := ros.EveryKind(), ros.NewMemory()
	calm := sim.Options{ControlHz: 100, PublishHz: 10, MarkerHz: 1, StepS: 0.01} // which any computer keeps up with
	ros.Live(t, m, calm, ros.Options{}, net)
	state := net.Topic(t, "/lab/left/operating_state")
	reason := func() string {
		got := state.Take()
		if len(got) == 0 {
			return "-"
		}
		last := got[len(got)-1].(*sinew_msgs.OperatingState)
		return strings.TrimSpace(last.State + " " + last.Reason)
	}
	ros.Eventually(t, "enabled", func() bool { return reason() == "ENABLED" })
	goOn := m.Stop(t)
	ros.Eventually(t, "the step is reported", func() bool {
		r := reason()
		return strings.HasPrefix(r, "ENABLED ") && strings.HasSuffix(r, "0 x too slow for 100 Hz")
	})
	goOn()
	ros.Eventually(t, "the word goes when the loop keeps up", func() bool { return reason() == "ENABLED" })
}
