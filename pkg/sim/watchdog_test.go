package sim_test

import (
	"testing"

	"sinew/pkg/sim"
)

func TestWatchdog(t *testing.T) {
	w := sim.NewWatchdog(0.2, 1000) // 0.2 * 1000 is not quite 200
	if w.Advance(1e9) || w.Armed() {
		t.Error("expired before the first command")
	}
	w.Feed()
	if w.Advance(200) {
		t.Error("expired at the age of the limit")
	}
	if !w.Advance(1) || !w.Expired() {
		t.Error("not expired above the limit")
	}
	if w.Advance(1) || w.Age() != 202 {
		t.Errorf("expired twice, or age %d", w.Age())
	}
	w.Feed()
	if w.Expired() || w.Age() != 0 || !w.Armed() {
		t.Error("a command did not revive it")
	}
	w.Disarm()
	if w.Advance(1e9) {
		t.Error("expired when disarmed")
	}
	exact := sim.NewWatchdog(0.29, 100) // 0.29 * 100 < 29
	exact.Feed()
	if exact.Advance(29) || !exact.Advance(1) {
		t.Error("round-off moved the limit")
	}
	never := sim.NewWatchdog(0, 1000)
	never.Feed()
	if never.Advance(1e15) {
		t.Error("expired without a limit")
	}
}

// The whole way: armed by the first command, ramp to the safe values at the slew
// limit, recovery.
func TestCommandTimeout(t *testing.T) {
	s, m, _ := sim.NewFake(t, sim.FakeOptions())
	tendons := func() sim.GroupStats { return s.Stats().Groups[0] }

	sim.Periods(s, 1000)
	if m.U != [2]float64{2, 3} || tendons().Armed {
		t.Fatalf("before the first command: forces %v, %+v", m.U, tendons())
	}
	s.Post(sim.Source{}, sim.PortForce, []float64{3, 3})
	const timeout = 32                               // periods in 0.125 s
	const perPeriod = sim.FakeForceRate / sim.FakeHz // 0.25 N
	sim.Periods(s, 1+timeout)
	if m.U != [2]float64{3, 3} || tendons().TimedOut || tendons().Age != 0.125 {
		t.Fatalf("at the time-out: forces %v, %+v", m.U, tendons())
	}
	for k := 1; k <= 8; k++ {
		sim.Periods(s, 1)
		if want := 3 - perPeriod*float64(k); m.U != [2]float64{want, want} {
			t.Fatalf("%d periods after the time-out: forces %v, want %v", k, m.U, want)
		}
	}
	sim.Periods(s, 100)
	if g := tendons(); m.U != [2]float64{1, 1} || !g.TimedOut || g.Trips != 1 {
		t.Fatalf("long after the time-out: forces %v, %+v", m.U, g)
	}
	if other := s.Stats().Groups[1]; other.Armed || other.Trips != 0 {
		t.Errorf("a group without commands: %+v", other)
	}
	s.Post(sim.Source{}, sim.PortForce, []float64{1.25, 1})
	sim.Periods(s, 1)
	if m.U != [2]float64{1.25, 1} || tendons().TimedOut {
		t.Errorf("after the next command: forces %v, %+v", m.U, tendons())
	}
}
