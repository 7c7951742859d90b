package ros

import (
	"testing"
	"time"

	"sinew/msgs/sinew_msgs"
)

// Who comes late and gets nothing that was latched hears of the operating state within a
// second or so, with a stamp of then.
func TestOperatingStateIsRepeated(t *testing.T) {
	net := newMemory()
	live(t, everyKind(), quick, Options{}, net)
	topic := net.topic(t, "/lab/left/operating_state")
	eventually(t, "the first state", func() bool { return len(topic.take()) > 0 })
	var got []*sinew_msgs.OperatingState
	begun := time.Now()
	eventually(t, "three repetitions", func() bool {
		for _, m := range topic.take() {
			got = append(got, m.(*sinew_msgs.OperatingState))
		}
		return len(got) >= 3
	})
	if took := time.Since(begun); took < repeatPeriod {
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
