package parameter

import (
	"testing"
	"time"

	"sinew/msgs"
	"sinew/pkg/ros"
)

// New parameters come first, then what changes, in the order of the requests.
func TestEvents(t *testing.T) {
	table, n, _ := serve(t)
	n.wanted = false
	e, err := NewEvents(table, "/lab/left", EventsTopic, []ros.Transport{ros1{}, n}, func() time.Duration { return 5 * time.Second }, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	const sets = 50
	for i := range sets {
		if err := table.Set([]Assignment{{"b.rate", 2 + float64(i)/100}}, "test"); err != nil {
			t.Fatal(err)
		}
		_ = table.Set([]Assignment{{"b.rate", 11.0}}, "test")
		_ = table.Set([]Assignment{{"a", int64(7)}}, "test")
	}
	if len(n.events()) > 0 {
		t.Error("an event before anybody listens")
	}
	n.mu.Lock()
	n.wanted = true
	n.mu.Unlock()
	for deadline := time.Now().Add(time.Minute); len(n.events()) <= sets && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	got := n.events()
	if len(got) != 1+sets {
		t.Fatalf("%d events, want %d", len(got), 1+sets)
	}
	for i, m := range got {
		news, changed := 0, 1
		if i == 0 {
			news, changed = 7, 0
		}
		if m.Node != "/lab/left" || m.Stamp != msgs.At(5*time.Second) || len(m.NewParameters) != news || len(m.ChangedParameters) != changed || m.DeletedParameters != nil {
			t.Fatalf("event %d: %+v", i, m)
		}
		if i > 0 && (m.ChangedParameters[0].Name != "b.rate" || m.ChangedParameters[0].Value.DoubleValue != 2+float64(i-1)/100) {
			t.Errorf("event %d: %+v", i, m.ChangedParameters)
		}
	}
}

// Somebody who begins to listen later is told of all parameters with their present values, and then of
// changes alone.
func TestRepeatedEvents(t *testing.T) {
	table, n, _ := serve(t)
	e, err := NewEvents(table, "/lab/left", EventsTopic, []ros.Transport{n}, func() time.Duration { return 5 * time.Second }, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(table.Set([]Assignment{{"b.rate", 3.0}}, "test"))
	e.Repeat()
	must(table.Set([]Assignment{{"b.rate", 4.0}}, "test"))
	for deadline := time.Now().Add(5 * time.Second); len(n.events()) < 4 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	got := n.events()
	if len(got) != 4 {
		t.Fatalf("%d events, want 4", len(got))
	}
	again := got[2]
	if len(again.NewParameters) != len(got[0].NewParameters) || len(again.ChangedParameters) > 0 {
		t.Errorf("repeated: %+v", again)
	}
	for _, p := range again.NewParameters {
		if p.Name == "b.rate" && p.Value.DoubleValue != 3 {
			t.Errorf("repeated: %+v", p)
		}
	}
}

// hearing is a network whose publishers know when those who listen have heard of them.
type hearing struct{ *network }

func (h hearing) Advertise(ros.Topic) (ros.Publisher, error) { return h, nil }

func (h hearing) Heard() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.heard
}

// The first event waits until those who listen would get it.
func TestFirstEventIsHeard(t *testing.T) {
	table, n, _ := serve(t)
	e, err := NewEvents(table, "/x", "/lab/events", []ros.Transport{hearing{n}}, func() time.Duration { return 0 }, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	time.Sleep(discovery / 10)
	if len(n.events()) > 0 {
		t.Error("an event before anybody would get it")
	}
	n.mu.Lock()
	n.heard = true
	n.mu.Unlock()
	for deadline := time.Now().Add(discovery); len(n.events()) == 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if len(n.events()) != 1 {
		t.Errorf("%d events, want 1", len(n.events()))
	}
}
