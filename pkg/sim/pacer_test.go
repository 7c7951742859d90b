package sim_test

import (
	"testing"
	"time"

	"sinew/pkg/sim"
)

func TestPacer(t *testing.T) {
	const ms, us = time.Millisecond, time.Microsecond
	type wait struct {
		work time.Duration // before the wait
		late time.Duration // of SleepUntil
		want sim.Tick
		at   time.Duration // when it returns, since the start
	}
	tests := []struct {
		name  string
		waits []wait
	}{
		{"on time", []wait{
			{0, 0, sim.Tick{1, false, 0}, 1 * ms},
			{900 * us, 0, sim.Tick{1, false, 0}, 2 * ms},
			{1000 * us, 0, sim.Tick{1, false, 0}, 3 * ms},
		}},
		{"a late wake-up does not shift the next", []wait{
			{0, 70 * us, sim.Tick{1, false, 70 * us}, 1070 * us},
			{0, 70 * us, sim.Tick{1, false, 70 * us}, 2070 * us},
			{0, 0, sim.Tick{1, false, 0}, 3 * ms},
		}},
		{"a little too much work is an overrun without a skip", []wait{
			{0, 0, sim.Tick{1, false, 0}, 1 * ms},
			{1200 * us, 0, sim.Tick{1, true, 200 * us}, 2200 * us},
			{700 * us, 0, sim.Tick{1, false, 0}, 3 * ms},
		}},
		{"far too much work skips whole periods, no burst", []wait{
			{0, 0, sim.Tick{1, false, 0}, 1 * ms},
			{5300 * us, 0, sim.Tick{5, true, 4300 * us}, 6300 * us},
			{0, 0, sim.Tick{1, false, 0}, 7 * ms},
			{0, 0, sim.Tick{1, false, 0}, 8 * ms},
		}},
		{"a very late wake-up skips too", []wait{
			{0, 2500 * us, sim.Tick{3, true, 2500 * us}, 3500 * us},
			{0, 0, sim.Tick{1, false, 0}, 4 * ms},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := 7 * time.Hour
			c := &sim.FakeClock{NowValue: start}
			var late time.Duration
			c.Late = func(int) time.Duration { return late }
			p := sim.NewPacer(c, 1000)
			for i, w := range tt.waits {
				c.Pass(w.work)
				late = w.late
				if got := p.Wait(); got != w.want || c.NowValue-start != w.at {
					t.Errorf("wait %d: %+v at %v, want %+v at %v", i, got, c.NowValue-start, w.want, w.at)
				}
			}
		})
	}
}

// A period that is no whole number of nanoseconds must not drift.
func TestPacerDoesNotDrift(t *testing.T) {
	c := &sim.FakeClock{NowValue: 1_700_000_000 * time.Second}
	start := c.NowValue
	p := sim.NewPacer(c, 3000)
	for range 30_000 {
		if tick := p.Wait(); tick != (sim.Tick{Elapsed: 1}) {
			t.Fatalf("%+v", tick)
		}
	}
	if got := c.NowValue - start; got != 10*time.Second {
		t.Errorf("30000 periods at 3 kHz took %v", got)
	}
}

func TestPacerResync(t *testing.T) {
	c := &sim.FakeClock{}
	p := sim.NewPacer(c, 1000)
	p.Wait()
	c.Pass(time.Hour + 300*time.Microsecond)
	p.Resync()
	if tick := p.Wait(); tick != (sim.Tick{Elapsed: 1}) || c.NowValue != time.Hour+2*time.Millisecond {
		t.Errorf("%+v at %v", tick, c.NowValue)
	}
}
