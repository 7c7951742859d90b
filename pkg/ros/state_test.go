package ros_test

import (
	"testing"
	"time"

	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros"
)

// Who comes late and gets nothing that was latched hears of the operating state within a
// second or so, with a stamp of then.
func TestOperatingStateIsRepeated(t *testing.T) {
	t.Parallel()
	net := ros.NewMemory()
	ros.Live(t, ros.EveryKind(), ros.Quick, ros.Options{}, net)
	topic := net.Topic(t, "/lab/left/operating_state")
	ros.Eventually(t, "the first state", func() bool { return len(topic.Take()) > 0 })
	var got []*sinew_msgs.OperatingState
	begun := time.Now()
	ros.Eventually(t, "three repetitions", func() bool {
		for _, m := range topic.Take() {
			got = append(got, m.(*sinew_msgs.OperatingState))
		}
		return len(got) >= 3
	})
	if took := time.Since(begun); took < ros.RepeatPeriod {
		t.Errorf("three repetitions within %v, want one a second", took)
	}
	for i, m := range got {
		if m.State != "ENABLED" {
			t.Errorf("repetition %d is %+v", i, m)
		}
		if i > 0 && m.Header.Stamp <= got[i-1].Header.Stamp {
			t.Errorf("repetition %d is stamped %v, the one before %v", i, m.Header.Stamp, got[i-1].Header.Stamp)
		}
	}
}
