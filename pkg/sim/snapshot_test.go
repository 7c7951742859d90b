package sim_test

import (
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim"
)

// A reader that stops reading holds nothing up.
func TestFrozenReader(t *testing.T) {
	s, m, c := sim.NewFake(t, sim.FakeOptions())
	s.WantScene(sim.FakeOptions().MarkerHz)
	runFor(t, s, c, 4000)
	if m.Steps != 4*4000 || s.Stats().Overruns != 0 {
		t.Errorf("%v steps", m.Steps)
	}
	if got := s.Missed(); got != 4001-sim.RingSize {
		t.Errorf("missed %d", got)
	}
	if shots := sim.Drain(s); len(shots) != sim.RingSize || shots[sim.RingSize-1].Period != 4000 {
		t.Errorf("%d snapshots left", len(shots))
	}
}

func TestSnapshotCopy(t *testing.T) {
	s, m, _ := sim.NewFake(t, sim.FakeOptions())
	sim.Periods(s, 1)
	shot := sim.Drain(s)[0]
	m.X[0], m.Steps = 99, 99
	sim.Periods(s, 1)
	if shot.Gauges[0] != 4 || shot.Values[sim.PortJoints][0] != 2/sim.FakeHz || shot.Values[sim.PortTip][6] != 1 || shot.Values[sim.PortForce] != nil {
		t.Errorf("%+v", shot)
	}
}

// A copy of the state comes once for each time that it is asked for, with the next snapshot.
func TestStateCopy(t *testing.T) {
	s, m, _ := sim.NewFake(t, sim.FakeOptions())
	sim.Periods(s, 100)
	select {
	case c := <-s.Copied():
		t.Fatalf("%+v without a request", c)
	default:
	}
	want := make([]float64, m.StateLen())
	for range 3 {
		sim.Drain(s)
		s.WantState()
		var shots []*sim.Snapshot
		for len(shots) == 0 {
			sim.Periods(s, 1)
			shots = sim.Drain(s)
		}
		m.Save(want)
		c := <-s.Copied()
		if !slices.Equal(c.State, want) || c.Stamp != shots[0].Stamp || c.SimTime != shots[0].SimTime {
			t.Errorf("%+v, want %v of %+v", c, want, shots[0])
		}
		sim.Periods(s, 100)
		if len(s.Copied()) > 0 {
			t.Error("a copy without a request")
		}
	}
}

func TestScene(t *testing.T) {
	s, m, _ := sim.NewFake(t, sim.FakeOptions()) // a scene every 16 periods
	var scene sim.Scene
	if sim.Periods(s, 100); len(sim.Drain(s)) == 0 {
		t.Fatal("no snapshots")
	}
	if _, ok := s.Scene(&scene); ok {
		t.Error("drawn without a request")
	}
	s.WantScene(sim.FakeOptions().MarkerHz)
	sim.Periods(s, 20)
	var slow *sim.Snapshot
	for _, shot := range sim.Drain(s) {
		if shot.Slow {
			slow = shot
		}
	}
	stamp, ok := s.Scene(&scene)
	if !ok || stamp != slow.Stamp || scene.Tubes[0].Points[1].X != slow.Values[sim.PortJoints][0] || scene.Tubes[0].Name != "rod" {
		t.Errorf("%v %v %+v, want that of %+v", stamp, ok, scene, slow)
	}
	if _, ok := s.Scene(&scene); ok {
		t.Error("the same scene twice")
	}
	seen := scene.Tubes[0].Points[1].X
	s.WantScene(0)
	sim.Periods(s, 100)
	if _, ok := s.Scene(&scene); ok || scene.Tubes[0].Points[1].X != seen || m.X[0] == seen {
		t.Error("drawn after the request was withdrawn")
	}
}

// Scenes are drawn at the rate that is wanted, also beyond that of markers, whose snapshots stay
// as slow as they are; at 0 there are none.
func TestSceneRate(t *testing.T) {
	o := sim.FakeOptions()
	s, _, _ := sim.NewFake(t, o)
	count := func(rate float64, n int) (drawn, slow int) {
		s.WantScene(rate)
		for range n {
			sim.Periods(s, 1)
			for _, shot := range sim.Drain(s) {
				if shot.Drawn {
					drawn++
				}
				if shot.Slow {
					slow++
				}
			}
		}
		return drawn, slow
	}
	const n = 1600
	seconds := n / o.ControlHz
	for _, rate := range []float64{4 * o.MarkerHz, o.MarkerHz / 2, o.PublishHz} {
		drawn, slow := count(rate, n)
		if want := rate * seconds; math.Abs(float64(drawn)-want) > 1 || math.Abs(float64(slow)-o.MarkerHz*seconds) > 1 {
			t.Errorf("at %g Hz: %d scenes, want %g, and %d slow snapshots, want %g", rate, drawn, want, slow, o.MarkerHz*seconds)
		}
	}
	if drawn, _ := count(0, n); drawn != 0 {
		t.Errorf("%d scenes without a request", drawn)
	}
}

// Who waits for pictures is woken by each and by an emergency stop, not by the snapshots between.
func TestDrawn(t *testing.T) {
	o := sim.FakeOptions()
	s, _, _ := sim.NewFake(t, o)
	woken := func() bool {
		select {
		case <-s.Drawn():
			return true
		default:
			return false
		}
	}
	s.WantScene(o.PublishHz / 4)
	drawn := 0
	for range 1600 {
		sim.Periods(s, 1)
		is := false
		for _, shot := range sim.Drain(s) {
			is = is || shot.Drawn
		}
		if is {
			drawn++
		}
		if got := woken(); got != is {
			t.Fatalf("a scene: %t, woken: %t", is, got)
		}
	}
	if drawn == 0 {
		t.Error("no scenes")
	}
	s.WantScene(0)
	if s.EStop(); !woken() {
		t.Error("not woken by an emergency stop")
	}
	for _, text := range []string{"reset", "pause", "step 3", "resume"} {
		sim.Ask(t, s, text)
		if sim.Drain(s); !woken() {
			t.Errorf("not woken by %q", text)
		}
	}
}
