package rtps_test

import (
	"testing"

	"sinew/pkg/ros/rtps"
)

// TestAccept: a best-effort reader that leaves reliable writers to its reliable
// sibling gets each sample once, and no event says that they do not fit.
func TestAccept(t *testing.T) {
	events := make(chan rtps.Event, 100)
	us := rtps.Join(t, rtps.Options{Notify: func(e rtps.Event) {
		if e.Kind == rtps.Incompatible {
			events <- e
		}
	}})
	them := rtps.Join(t, rtps.Options{})
	only := func(reliable bool) (*rtps.Reader, *rtps.Box) {
		b := new(rtps.Box)
		r, err := us.NewReader(rtps.ReaderOptions{
			Topic: "rt/accept", Type: "T", QoS: rtps.QoS{Reliable: reliable, Depth: 10}, Receive: b.Receive,
			Accept: func(w rtps.Endpoint) bool { return w.Reliable == reliable },
		})
		if err != nil {
			t.Fatal(err)
		}
		return r, b
	}
	strict, fromReliable := only(true)
	loose, fromBestEffort := only(false)
	q := rtps.QoS{Reliable: true, Depth: 10}
	a, b := rtps.NewWriter(t, them, "rt/accept", q), rtps.NewWriter(t, them, "rt/accept", rtps.QoS{Depth: 10})
	rtps.MatchedInTest(t, a, 2, strict, loose) // what others match is their affair
	rtps.MatchedInTest(t, b, 1)
	rtps.Write(t, a, rtps.Payload("reliable"))
	rtps.Write(t, b, rtps.Payload("best effort"))
	rtps.Eventually(t, "both samples", func() bool { return fromReliable.Len() == 1 && fromBestEffort.Len() == 1 })
	if strict.Matched() != 1 || loose.Matched() != 1 {
		t.Errorf("the readers matched %d and %d writers, want one each", strict.Matched(), loose.Matched())
	}
	if got := fromReliable.Texts()[0] + ", " + fromBestEffort.Texts()[0]; got != "reliable, best effort" {
		t.Errorf("got %q", got)
	}
	select {
	case e := <-events:
		t.Errorf("event %+v", e)
	default:
	}
}
