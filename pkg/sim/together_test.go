package sim

import (
	"strings"
	"testing"
	"time"
)

// newScheduled makes simulators of fakeModels at some rates that share a clock, and a stop for each.
func newScheduled(t testing.TB, rates ...float64) (turns []ScheduledSimulator, models []*fakeModel, stops []chan struct{}, c *fakeClock) {
	t.Helper()
	c = &fakeClock{now: 1000 * time.Second}
	for _, hz := range rates {
		o := fakeOptions()
		o.ControlHz, o.PublishHz, o.MarkerHz, o.StepS = hz, hz, 0, 1/hz/4
		m := &fakeModel{u: [2]float64{2, 3}, clock: c}
		s, err := NewSimulator(m, c, o)
		if err != nil {
			t.Fatal(err)
		}
		stop := make(chan struct{})
		turns, models, stops = append(turns, ScheduledSimulator{s, stop}), append(models, m), append(stops, stop)
	}
	return turns, models, stops, c
}

// until stops all simulators once the clock has passed so many seconds.
func until(c *fakeClock, stops []chan struct{}, seconds float64, also func(t float64)) {
	begin, over := c.now, false
	c.slept = func(int) {
		t := (c.Now() - begin).Seconds()
		if also != nil {
			also(t)
		}
		if t >= seconds && !over {
			over = true
			for _, s := range stops {
				select {
				case <-s:
				default:
					close(s)
				}
			}
		}
	}
}

func together(t *testing.T, turns []ScheduledSimulator) {
	t.Helper()
	if err := RunTogether(turns, nil); err != nil {
		t.Fatal(err)
	}
	for i, turn := range turns {
		if r := turn.Simulator.Do(Request{Verb: Reset}); r.OK || !strings.Contains(r.Message, "has stopped") {
			t.Errorf("simulator %d after the end: %+v", i, r)
		}
	}
}

// Each keeps its own pace, and the loop sleeps once for all deadlines that come together.
func TestTogetherKeepsPaces(t *testing.T) {
	turns, models, stops, c := newScheduled(t, 256, 64, 256, 10)
	until(c, stops, 1.5, nil)
	together(t, turns)
	for i, want := range []uint64{384, 96, 384, 15} {
		st := turns[i].Simulator.Stats()
		if st.Periods != want && st.Periods != want-1 || st.Overruns != 0 || st.Skipped != 0 || models[i].steps != 4*float64(st.Periods) {
			t.Errorf("simulator %d: %d periods, want %d; %d overruns, %d skipped, %v steps", i, st.Periods, want, st.Overruns, st.Skipped, models[i].steps)
		}
		if st.LatenessMax != 0 {
			t.Errorf("simulator %d begins %v s late", i, st.LatenessMax)
		}
	}
	const deadlines = 384 + 15 - 3 // those of 64 Hz are of 256 Hz too, and of 10 Hz each fifth
	if c.n > deadlines+1 {
		t.Errorf("slept %d times for %d deadlines", c.n, deadlines)
	}
}

// What fails stands still, and the others do not notice.
func TestTogetherFailsAlone(t *testing.T) {
	turns, models, stops, c := newScheduled(t, 256, 256, 256)
	models[1].failAt = 41
	until(c, stops, 1, nil)
	together(t, turns)
	for i, want := range []OperatingState{Enabled, Fault, Enabled} {
		if got := turns[i].Simulator.State(); got != want {
			t.Errorf("simulator %d is %v, want %v", i, got, want)
		}
	}
	if _, reason := turns[1].Simulator.Condition(); reason != errFake.Error() || models[1].steps != 40 {
		t.Errorf("reason %q after %v steps", reason, models[1].steps)
	}
	for _, i := range []int{0, 2} {
		if st := turns[i].Simulator.Stats(); st.Periods < 255 || st.Overruns != 0 {
			t.Errorf("simulator %d beside it: %d periods, %d overruns", i, st.Periods, st.Overruns)
		}
	}
}

// A stop of one is done in its next period, whatever the others do, and ends none of them.
func TestTogetherStopsOne(t *testing.T) {
	turns, models, stops, c := newScheduled(t, 256, 256)
	var asked, at float64
	until(c, stops, 2, func(now float64) {
		switch {
		case now >= 0.5 && asked == 0:
			asked = models[0].steps
			turns[0].Simulator.EStop()
		case now >= 1 && at == 0:
			at = models[1].steps
			close(stops[1])
		}
	})
	together(t, turns)
	if s, reason := turns[0].Simulator.Condition(); s != Fault || reason != ReasonEStop {
		t.Errorf("%v %q", s, reason)
	}
	shots := drain(turns[0].Simulator)
	for k, shot := range shots[1:] {
		if shot.State == Fault && shots[k].State == Enabled && shot.Period > uint64(asked/4)+1 {
			t.Errorf("FAULT in period %d, asked in %v", shot.Period, asked/4)
		}
	}
	if models[1].steps > at+4 || models[0].steps < 2*at-8 {
		t.Errorf("%v steps of the one that was ended at %v, %v of the other", models[1].steps, at, models[0].steps)
	}
}

// Steps that take too long cost each the periods that it misses, counted and not caught up with, and leave the
// processor to others for an eleventh of the time.
func TestTogetherOverruns(t *testing.T) {
	turns, models, stops, c := newScheduled(t, 256, 256)
	const half = time.Second / 256 / 8 // of four steps, so that the two take 1.5 periods
	models[1].cost = func(float64) time.Duration { return 2 * half }
	stopAt := c.now + 3*time.Second
	models[0].cost = func(float64) time.Duration {
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
	together(t, turns)
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

// Steps on request come at the pace of the periods.
func TestTogetherSteps(t *testing.T) {
	turns, models, stops, c := newScheduled(t, 256, 256)
	ask(t, turns[0].Simulator, "pause")
	w := call{Request{Verb: Step, Steps: 20}, make(chan Reply, 1)}
	turns[0].Simulator.loop.handle(w)
	until(c, stops, 0.5, nil)
	together(t, turns)
	if r := <-w.reply; !r.OK || r.Message != "20 periods simulated" || models[0].steps != 80 {
		t.Errorf("%+v after %v steps", r, models[0].steps)
	}
	if st := turns[1].Simulator.Stats(); st.Periods < 127 || st.Overruns != 0 || st.LatenessMax != 0 {
		t.Errorf("beside it: %d periods, %d overruns, %v s late", st.Periods, st.Overruns, st.LatenessMax)
	}
}

// What cannot share a loop is refused before anything runs.
func TestTogetherRefuses(t *testing.T) {
	for want, change := range map[string]func(turns []ScheduledSimulator) []ScheduledSimulator{
		"needs one simulator": func([]ScheduledSimulator) []ScheduledSimulator { return nil },
		"1: only those that the clock paces": func(turns []ScheduledSimulator) []ScheduledSimulator {
			o := fakeOptions()
			o.Lockstep = true
			turns[1].Simulator, _, _ = newFake(t, o)
			return turns
		},
		"1: has another clock": func(turns []ScheduledSimulator) []ScheduledSimulator {
			turns[1].Simulator, _, _ = newFake(t, fakeOptions())
			return turns
		},
		"has been run already": func(turns []ScheduledSimulator) []ScheduledSimulator { return []ScheduledSimulator{turns[0], turns[0]} },
	} {
		turns, _, _, _ := newScheduled(t, 256, 256)
		if err := RunTogether(change(turns), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// The loop of many allocates no more than that of one.
func TestTogetherDoesNotAllocate(t *testing.T) {
	turns, models, _, c := newScheduled(t, 256, 256, 64)
	members := make([]scheduled, len(turns))
	for i, turn := range turns {
		models[i].clock = nil
		members[i] = scheduled{ScheduledSimulator: turn, pacer: newPacer(c, turn.Simulator.opt.ControlHz, c.Now())}
	}
	if n := testing.AllocsPerRun(1000, func() {
		m := &members[earliest(members)]
		c.SleepUntil(m.pacer.next())
		m.run(c.Now())
	}); n != 0 {
		t.Errorf("%v allocations in a period", n)
	}
}
