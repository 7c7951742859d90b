package sim

import "testing"

// Tests of what has no exported name.

// Steps on request come at the pace of the periods.
func TestTogetherSteps(t *testing.T) {
	turns, models, stops, c := NewScheduled(t, 256, 256)
	Ask(t, turns[0].Simulator, "pause")
	w := call{Request{Verb: Step, Steps: 20}, make(chan Reply, 1)}
	turns[0].Simulator.loop.handle(w)
	Until(c, stops, 0.5, nil)
	Together(t, turns)
	if r := <-w.reply; !r.OK || r.Message != "20 periods simulated" || models[0].Steps != 80 {
		t.Errorf("%+v after %v steps", r, models[0].Steps)
	}
	if st := turns[1].Simulator.Stats(); st.Periods < 127 || st.Overruns != 0 || st.LatenessMax != 0 {
		t.Errorf("beside it: %d periods, %d overruns, %v s late", st.Periods, st.Overruns, st.LatenessMax)
	}
}

// The loop of many allocates no more than that of one.
func TestTogetherDoesNotAllocate(t *testing.T) {
	turns, models, _, c := NewScheduled(t, 256, 256, 64)
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

// Skipped periods are time that passed; a pause is not.
func TestCommandAge(t *testing.T) {
	s, _, _ := NewFake(t, FakeOptions())
	s.Post(Source{}, PortForce, []float64{3, 3})
	Periods(s, 1)
	s.loop.period(10)
	if got := s.Stats().Groups[0].Age; got != 10/FakeHz {
		t.Errorf("age %v s after 9 skipped periods, want %v", got, 10/FakeHz)
	}
	Ask(t, s, "pause")
	Periods(s, 1000)
	if g := s.Stats().Groups[0]; g.Age != 10/FakeHz || g.TimedOut {
		t.Errorf("after a pause: %+v", g)
	}
	Ask(t, s, "step 5")
	if got := s.Stats().Groups[0].Age; got != 15/FakeHz {
		t.Errorf("age %v s after 5 steps, want %v", got, 15/FakeHz)
	}
}
