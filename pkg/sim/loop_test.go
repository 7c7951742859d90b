package sim_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"sinew/pkg/sim"
)

// runFor runs s until its clock has slept n times.
func runFor(t *testing.T, s *sim.Simulator, c *sim.FakeClock, n int) {
	t.Helper()
	stop := make(chan struct{})
	c.Slept = func(k int) {
		if k == n-1 {
			close(stop)
		}
	}
	if err := s.Run(stop); err != nil {
		t.Fatal(err)
	}
}

func TestRunKeepsPace(t *testing.T) {
	s, m, c := sim.NewFake(t, sim.FakeOptions())
	const n = 1.5 * sim.FakeHz
	runFor(t, s, c, n)
	if m.Steps != 4*n || m.X != [2]float64{3, 4.5} {
		t.Errorf("after 1.5 s: %v steps, positions %v", m.Steps, m.X)
	}
	st := s.Stats()
	if st.Overruns != 0 || st.Skipped != 0 || st.SimTime != 1.5 || st.Periods != n || st.Steps != 4*n {
		t.Errorf("%+v", st)
	}
	if math.Abs(st.RealTimeFactor-1) > 1e-9 || math.Abs(st.Rate-sim.FakeHz) > 1e-6 {
		t.Errorf("real-time factor %v, rate %v", st.RealTimeFactor, st.Rate)
	}
	shots := sim.Drain(s)
	if len(shots) != n+1 || st.Missed != 0 {
		t.Errorf("%d snapshots, %d missed", len(shots), st.Missed)
	}
	for k, shot := range shots {
		// The first shows the initial state.
		at := time.Duration(math.Round(float64(k) / sim.FakeHz * 1e9))
		if shot.Period != uint64(k) || shot.SimTime != float64(k)/sim.FakeHz || shot.Stamp != 1000*time.Second+at {
			t.Fatalf("snapshot %d: period %d, %v s, stamp %v", k, shot.Period, shot.SimTime, shot.Stamp)
		}
	}
}

// A loop that cannot keep up falls behind and says so; it never rushes.
func TestRunOverloaded(t *testing.T) {
	const slowdown = 4
	s, m, _ := sim.NewFake(t, sim.FakeOptions())
	period := time.Second / sim.FakeHz
	stop := make(chan struct{})
	m.Cost = func(step float64) time.Duration {
		if step == 4*sim.FakeHz {
			close(stop)
		}
		return slowdown * period / 4 // four steps to a period
	}
	if err := s.Run(stop); err != nil {
		t.Fatal(err)
	}
	st := s.Stats()
	if math.Abs(st.RealTimeFactor-1.0/slowdown) > 0.01 {
		t.Errorf("real-time factor %v, want 1/%d", st.RealTimeFactor, slowdown)
	}
	// Every period takes exactly four; each begins a little late or on time.
	if st.Periods != sim.FakeHz+1 || st.Skipped+st.Periods < slowdown*sim.FakeHz {
		t.Errorf("%d periods, %d skipped, %d overruns", st.Periods, st.Skipped, st.Overruns)
	}
	if st.StepMax != (slowdown * period / 4).Seconds() {
		t.Errorf("step time %v", st.StepMax)
	}
	last := sim.Drain(s)
	for k := 1; k < len(last); k++ {
		if gap := last[k].Stamp - last[k-1].Stamp; gap < slowdown*period-time.Microsecond {
			t.Fatalf("a burst: periods %v apart", gap)
		}
	}
}

// The age of a control period counts the steps of it that are done and the one at work;
// between periods there is none.
func TestPeriodAge(t *testing.T) {
	s, m, _ := sim.NewFake(t, sim.FakeOptions())
	var ages []time.Duration
	m.Cost = func(float64) time.Duration {
		ages = append(ages, s.PeriodAge())
		return time.Second
	}
	sim.Periods(s, 1)
	if want := []time.Duration{0, time.Second, 2 * time.Second, 3 * time.Second}; !slices.Equal(ages, want) {
		t.Errorf("ages %v, want %v", ages, want)
	}
	if age := s.PeriodAge(); age != 0 {
		t.Errorf("between periods the age is %v", age)
	}
}

// One hiccup costs the periods it lasts and nothing else.
func TestRunAfterHiccup(t *testing.T) {
	s, m, c := sim.NewFake(t, sim.FakeOptions())
	m.Cost = func(step float64) time.Duration {
		if step == 400 {
			return time.Second / 16 // 16 periods
		}
		return 0
	}
	runFor(t, s, c, 500) // and one period without a sleep, after the hiccup
	st := s.Stats()
	if st.Overruns != 1 || st.Skipped != 15 || st.Periods != 501 {
		t.Errorf("%d overruns, %d skipped, %d periods", st.Overruns, st.Skipped, st.Periods)
	}
	if got, want := c.NowValue-1000*time.Second, 516*time.Second/sim.FakeHz; (got - want).Abs() > time.Microsecond {
		t.Errorf("501 periods took %v, want %v", got, want)
	}
}

func TestRunTwice(t *testing.T) {
	s, _, c := sim.NewFake(t, sim.FakeOptions())
	runFor(t, s, c, 1)
	if err := s.Run(nil); err == nil {
		t.Error("no error")
	}
	if r := s.Do(sim.Request{Verb: sim.Pause}); r.OK || r.Message != "the simulator has stopped" {
		t.Errorf("request after the end: %+v", r)
	}
}

func TestPublishRates(t *testing.T) {
	o := sim.Options{ControlHz: 1000, PublishHz: 200, MarkerHz: 25, StepS: 0.001}
	s, _, c := sim.NewFake(t, o)
	runFor(t, s, c, 1000)
	shots := sim.Drain(s)
	var slow []uint64
	for k, shot := range shots {
		if shot.Period != uint64(5*k) {
			t.Fatalf("snapshot %d of period %d", k, shot.Period)
		}
		if shot.Slow {
			slow = append(slow, shot.Period)
		}
	}
	if len(shots) != 201 || len(slow) != 25 || slow[0] != 40 || slow[24] != 1000 {
		t.Errorf("%d snapshots, slow ones at %v", len(shots), slow)
	}
}

// The marker rate need not divide the publish rate.
func TestSlowSnapshotsWait(t *testing.T) {
	s, _, c := sim.NewFake(t, sim.Options{ControlHz: 1000, PublishHz: 200, MarkerHz: 30, StepS: 0.001})
	runFor(t, s, c, 200)
	var slow []uint64
	for _, shot := range sim.Drain(s) {
		if shot.Slow {
			slow = append(slow, shot.Period)
		}
	}
	if want := []uint64{35, 70, 100, 135, 170, 200}; !slices.Equal(slow, want) {
		t.Errorf("slow snapshots at %v, want %v", slow, want)
	}
}

func TestBusy(t *testing.T) {
	s, _, _ := sim.NewFake(t, sim.FakeOptions())
	busy := func() bool {
		sim.Periods(s, 1)
		shots := sim.Drain(s)
		return shots[len(shots)-1].Busy
	}
	if busy() {
		t.Error("busy before anything happens")
	}
	s.Post(sim.Source{}, sim.PortForce, []float64{2.5, 3}) // two periods
	if first, second := busy(), busy(); !first || second {
		t.Errorf("a ramp of two periods: %v, %v", first, second)
	}
	sim.Ask(t, s, "pause")
	sim.Drain(s)
	sim.Ask(t, s, "step 2")
	shots := sim.Drain(s)
	if len(shots) != 2 || !shots[0].Busy || shots[1].Busy {
		t.Errorf("two steps gave %d snapshots, busy %v ...", len(shots), shots[0].Busy)
	}
}
