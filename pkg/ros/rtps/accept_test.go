package rtps

import "testing"

// TestAccept: a best-effort reader that leaves reliable writers to its reliable
// sibling gets each sample once, and no event says that they do not fit.
func TestAccept(t *testing.T) {
	events := make(chan Event, 100)
	us := join(t, Options{Notify: func(e Event) {
		if e.Kind == Incompatible {
			events <- e
		}
	}})
	them := join(t, Options{})
	only := func(reliable bool) (*Reader, *box) {
		b := new(box)
		r, err := us.NewReader(ReaderOptions{
			Topic: "rt/accept", Type: "T", QoS: QoS{Reliable: reliable, Depth: 10}, Receive: b.receive,
			Accept: func(w Endpoint) bool { return w.Reliable == reliable },
		})
		if err != nil {
			t.Fatal(err)
		}
		return r, b
	}
	strict, fromReliable := only(true)
	loose, fromBestEffort := only(false)
	q := QoS{Reliable: true, Depth: 10}
	a, b := newWriter(t, them, "rt/accept", q), newWriter(t, them, "rt/accept", QoS{Depth: 10})
	matched(t, a, 2, strict, loose) // what others match is their affair
	matched(t, b, 1)
	write(t, a, payload("reliable"))
	write(t, b, payload("best effort"))
	eventually(t, "both samples", func() bool { return fromReliable.len() == 1 && fromBestEffort.len() == 1 })
	if strict.Matched() != 1 || loose.Matched() != 1 {
		t.Errorf("the readers matched %d and %d writers, want one each", strict.Matched(), loose.Matched())
	}
	if got := fromReliable.texts()[0] + ", " + fromBestEffort.texts()[0]; got != "reliable, best effort" {
		t.Errorf("got %q", got)
	}
	select {
	case e := <-events:
		t.Errorf("event %+v", e)
	default:
	}
}
