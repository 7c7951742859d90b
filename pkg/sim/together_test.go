package sim_test

import (
	"strings"
	"testing"
	"time"

	"sinew/pkg/sim"
)

// Each keeps its own pace, and the loop sleeps once for all deadlines that come together.
func TestTogetherKeepsPaces(t *testing.T) {
	turns, models, stops, c := sim.NewScheduled(t, 256, 64, 256, 10)
	sim.Until(c, stops, 1.5, nil)
	sim.Together(t, turns)
	for i, want := range []uint64{384, 96, 384, 15} {
		st := turns[i].Simulator.Stats()
		if st.Periods != want && st.Periods != want-1 || st.Overruns != 0 || st.Skipped != 0 || models[i].Steps != 4*float64(st.Periods) {
			t.Errorf("simulator %d: %d periods, want %d; %d overruns, %d skipped, %v steps", i, st.Periods, want, st.Overruns, st.Skipped, models[i].Steps)
		}
		if st.LatenessMax != 0 {
			t.Errorf("simulator %d begins %v s late", i, st.LatenessMax)
		}
	}
	const deadlines = 384 + 15 - 3 // those of 64 Hz are of 256 Hz too, and of 10 Hz each fifth
	if c.N > deadlines+1 {
		t.Errorf("slept %d times for %d deadlines", c.N, deadlines)
	}
}

// What fails stands still, and the others do not notice.
func TestTogetherFailsAlone(t *testing.T) {
	turns, models, stops, c := sim.NewScheduled(t, 256, 256, 256)
	models[1].FailAt = 41
	sim.Until(c, stops, 1, nil)
	sim.Together(t, turns)
	for i, want := range []sim.OperatingState{sim.Enabled, sim.Fault, sim.Enabled} {
		if got := turns[i].Simulator.State(); got != want {
			t.Errorf("simulator %d is %v, want %v", i, got, want)
		}
	}
	if _, reason := turns[1].Simulator.Condition(); reason != sim.ErrFake.Error() || models[1].Steps != 40 {
		t.Errorf("reason %q after %v steps", reason, models[1].Steps)
	}
	for _, i := range []int{0, 2} {
		if st := turns[i].Simulator.Stats(); st.Periods < 255 || st.Overruns != 0 {
			t.Errorf("simulator %d beside it: %d periods, %d overruns", i, st.Periods, st.Overruns)
		}
	}
}

// A stop of one is done in its next period, whatever the others do, and ends none of them.
func TestTogetherStopsOne(t *testing.T) {
	turns, models, stops, c := sim.NewScheduled(t, 256, 256)
	var asked, at float64
	sim.Until(c, stops, 2, func(now float64) {
		switch {
		case now >= 0.5 && asked == 0:
			asked = models[0].Steps
			turns[0].Simulator.EStop()
		case now >= 1 && at == 0:
			at = models[1].Steps
			close(stops[1])
		}
	})
	sim.Together(t, turns)
	if s, reason := turns[0].Simulator.Condition(); s != sim.Fault || reason != sim.ReasonEStop {
		t.Errorf("%v %q", s, reason)
	}
	shots := sim.Drain(turns[0].Simulator)
	for k, shot := range shots[1:] {
		if shot.State == sim.Fault && shots[k].State == sim.Enabled && shot.Period > uint64(asked/4)+1 {
			t.Errorf("FAULT in period %d, asked in %v", shot.Period, asked/4)
		}
	}
	if models[1].Steps > at+4 || models[0].Steps < 2*at-8 {
		t.Errorf("%v steps of the one that was ended at %v, %v of the other", models[1].Steps, at, models[0].Steps)
	}
}

// Steps that take too long cost each the periods that it misses, counted and not caught up with, and leave the
// processor to others for an eleventh of the time.
func TestTogetherOverruns(t *testing.T) {
	turns, models, stops, c := sim.NewScheduled(t, 256, 256)
	const half = time.Second / 256 / 8 // of four steps, so that the two take 1.5 periods
	models[1].Cost = func(float64) time.Duration { return 2 * half }
	stopAt := c.NowValue + 3*time.Second
	models[0].Cost = func(float64) time.Duration {
		if c.Now() >= stopAt {
			for _, s := range stops {
				select {
				case <-s:
				default:
					close(s)
				}
			}
		}
		return half
	}
	sim.Together(t, turns)
	for i, turn := range turns {
		st := turn.Simulator.Stats()
		all := st.Periods + st.Skipped
		if st.Periods < 460 || st.Periods > 470 || all < 765 || all > 772 || st.Overruns < st.Skipped/2 {
			t.Errorf("simulator %d: %d periods, %d skipped, %d overruns in 768 periods of time", i, st.Periods, st.Skipped, st.Overruns)
		}
		if r := turn.Simulator.Stats().RealTimeFactor; r < 0.59 || r > 0.62 {
			t.Errorf("simulator %d: real-time factor %v, want 2/3 of 10/11", i, r)
		}
	}
}

// What cannot share a loop is refused before anything runs.
func TestTogetherRefuses(t *testing.T) {
	for want, change := range map[string]func(turns []sim.ScheduledSimulator) []sim.ScheduledSimulator{
		"needs one simulator": func([]sim.ScheduledSimulator) []sim.ScheduledSimulator { return nil },
		"1: only those that the clock paces": func(turns []sim.ScheduledSimulator) []sim.ScheduledSimulator {
			o := sim.FakeOptions()
			o.Lockstep = true
			turns[1].Simulator, _, _ = sim.NewFake(t, o)
			return turns
		},
		"1: has another clock": func(turns []sim.ScheduledSimulator) []sim.ScheduledSimulator {
			turns[1].Simulator, _, _ = sim.NewFake(t, sim.FakeOptions())
			return turns
		},
		"has been run already": func(turns []sim.ScheduledSimulator) []sim.ScheduledSimulator {
			return []sim.ScheduledSimulator{turns[0], turns[0]}
		},
	} {
		turns, _, _, _ := sim.NewScheduled(t, 256, 256)
		if err := sim.RunTogether(change(turns), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
