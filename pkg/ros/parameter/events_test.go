package parameter_test

import (
	"testing"
	"time"

	"sinew/msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/parameter"
)

// New parameters come first, then what changes, in the order of the requests.
func TestEvents(t *testing.T) {
	table, n, _ := parameter.ServeInTest(t)
	n.WantedValue = false
	e, err := parameter.NewEvents(table, "/lab/left", parameter.EventsTopic, []ros.Transport{parameter.Ros1{}, n}, func() time.Duration { return 5 * time.Second }, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	const sets = 50
	for i := range sets {
		if err := table.Set([]parameter.Assignment{{"b.rate", 2 + float64(i)/100}}, "test"); err != nil {
			t.Fatal(err)
		}
		_ = table.Set([]parameter.Assignment{{"b.rate", 11.0}}, "test")
		_ = table.Set([]parameter.Assignment{{"a", int64(7)}}, "test")
	}
	if len(n.Events()) > 0 {
		t.Error("an event before anybody listens")
	}
	n.Mu.Lock()
	n.WantedValue = true
	n.Mu.Unlock()
	for deadline := time.Now().Add(time.Minute); len(n.Events()) <= sets && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	got := n.Events()
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

// A subscriber that comes later gets all parameters with their present values, and then of
// changes alone.
func TestRepeatedEvents(t *testing.T) {
	table, n, _ := parameter.ServeInTest(t)
	e, err := parameter.NewEvents(table, "/lab/left", parameter.EventsTopic, []ros.Transport{n}, func() time.Duration { return 5 * time.Second }, nil)
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
	must(table.Set([]parameter.Assignment{{"b.rate", 3.0}}, "test"))
	e.Repeat()
	must(table.Set([]parameter.Assignment{{"b.rate", 4.0}}, "test"))
	for deadline := time.Now().Add(5 * time.Second); len(n.Events()) < 4 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	got := n.Events()
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
type hearing struct{ *parameter.Network }

func (h hearing) Advertise(ros.Topic) (ros.Publisher, error) { return h, nil }

func (h hearing) IsDiscovered() bool {
	h.Mu.Lock()
	defer h.Mu.Unlock()
	return h.HeardValue
}

// The first event waits until those who listen would get it.
func TestFirstEventIsHeard(t *testing.T) {
	table, n, _ := parameter.ServeInTest(t)
	e, err := parameter.NewEvents(table, "/x", "/lab/events", []ros.Transport{hearing{n}}, func() time.Duration { return 0 }, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	time.Sleep(parameter.Discovery / 10)
	if len(n.Events()) > 0 {
		t.Error("an event before anybody would get it")
	}
	n.Mu.Lock()
	n.HeardValue = true
	n.Mu.Unlock()
	for deadline := time.Now().Add(parameter.Discovery); len(n.Events()) == 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if len(n.Events()) != 1 {
		t.Errorf("%d events, want 1", len(n.Events()))
	}
}
