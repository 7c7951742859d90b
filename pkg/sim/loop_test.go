package sim

import (
	"math"
	"slices"
	"sync"
	"testing"
	"time"
)

// runFor runs s until its clock has slept n times.
func runFor(t *testing.T, s *Simulator, c *fakeClock, n int) {
	t.Helper()
	stop := make(chan struct{})
	c.slept = func(k int) {
		if k == n-1 {
			close(stop)
		}
	}
	if err := s.Run(stop); err != nil {
		t.Fatal(err)
	}
}

// start runs s on another goroutine, on a clock that goes as fast as it can.
func start(t *testing.T, s *Simulator) (end func()) {
	t.Helper()
	stop, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- s.Run(stop) }()
	<-s.requests.started
	return sync.OnceFunc(func() {
		close(stop)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

func TestRunKeepsPace(t *testing.T) {
	s, m, c := newFake(t, fakeOptions())
	const n = 1.5 * fakeHz
	runFor(t, s, c, n)
	if m.steps != 4*n || m.x != [2]float64{3, 4.5} {
		t.Errorf("after 1.5 s: %v steps, positions %v", m.steps, m.x)
	}
	st := s.Stats()
	if st.Overruns != 0 || st.Skipped != 0 || st.SimTime != 1.5 || st.Periods != n || st.Steps != 4*n {
		t.Errorf("%+v", st)
	}
	if math.Abs(st.RealTimeFactor-1) > 1e-9 || math.Abs(st.Rate-fakeHz) > 1e-6 {
		t.Errorf("real-time factor %v, rate %v", st.RealTimeFactor, st.Rate)
	}
	shots := drain(s)
	if len(shots) != n+1 || st.Missed != 0 {
		t.Errorf("%d snapshots, %d missed", len(shots), st.Missed)
	}
	for k, shot := range shots {
		// The first shows the initial state.
		at := time.Duration(math.Round(float64(k) / fakeHz * 1e9))
		if shot.Period != uint64(k) || shot.SimTime != float64(k)/fakeHz || shot.Stamp != 1000*time.Second+at {
			t.Fatalf("snapshot %d: period %d, %v s, stamp %v", k, shot.Period, shot.SimTime, shot.Stamp)
		}
	}
}

// A loop that cannot keep up falls behind and says so; it never rushes.
func TestRunOverloaded(t *testing.T) {
	const slowdown = 4
	s, m, _ := newFake(t, fakeOptions())
	period := time.Second / fakeHz
	stop := make(chan struct{})
	m.cost = func(step float64) time.Duration {
		if step == 4*fakeHz {
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
	if st.Periods != fakeHz+1 || st.Skipped+st.Periods < slowdown*fakeHz {
		t.Errorf("%d periods, %d skipped, %d overruns", st.Periods, st.Skipped, st.Overruns)
	}
	if st.StepMax != (slowdown * period / 4).Seconds() {
		t.Errorf("step time %v", st.StepMax)
	}
	last := drain(s)
	for k := 1; k < len(last); k++ {
		if gap := last[k].Stamp - last[k-1].Stamp; gap < slowdown*period-time.Microsecond {
			t.Fatalf("a burst: periods %v apart", gap)
		}
	}
}

// The age of a control period counts the steps of it that are done and the one at work;
// between periods there is none.
func TestPeriodAge(t *testing.T) {
	s, m, _ := newFake(t, fakeOptions())
	var ages []time.Duration
	m.cost = func(float64) time.Duration {
		ages = append(ages, s.PeriodAge())
		return time.Second
	}
	periods(s, 1)
	if want := []time.Duration{0, time.Second, 2 * time.Second, 3 * time.Second}; !slices.Equal(ages, want) {
		t.Errorf("ages %v, want %v", ages, want)
	}
	if age := s.PeriodAge(); age != 0 {
		t.Errorf("between periods the age is %v", age)
	}
}

// One hiccup costs the periods it lasts and nothing else.
func TestRunAfterHiccup(t *testing.T) {
	s, m, c := newFake(t, fakeOptions())
	m.cost = func(step float64) time.Duration {
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
	if got, want := c.now-1000*time.Second, 516*time.Second/fakeHz; (got - want).Abs() > time.Microsecond {
		t.Errorf("501 periods took %v, want %v", got, want)
	}
}

func TestRunTwice(t *testing.T) {
	s, _, c := newFake(t, fakeOptions())
	runFor(t, s, c, 1)
	if err := s.Run(nil); err == nil {
		t.Error("no error")
	}
	if r := s.Do(Request{Verb: Pause}); r.OK || r.Message != "the simulator has stopped" {
		t.Errorf("request after the end: %+v", r)
	}
}

func TestPublishRates(t *testing.T) {
	o := Options{ControlHz: 1000, PublishHz: 200, MarkerHz: 25, StepS: 0.001}
	s, _, c := newFake(t, o)
	runFor(t, s, c, 1000)
	shots := drain(s)
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
	s, _, c := newFake(t, Options{ControlHz: 1000, PublishHz: 200, MarkerHz: 30, StepS: 0.001})
	runFor(t, s, c, 200)
	var slow []uint64
	for _, shot := range drain(s) {
		if shot.Slow {
			slow = append(slow, shot.Period)
		}
	}
	if want := []uint64{35, 70, 100, 135, 170, 200}; !slices.Equal(slow, want) {
		t.Errorf("slow snapshots at %v, want %v", slow, want)
	}
}

// Steps as fast as possible are no overrun, and pacing goes on after them.
func TestStepKeepsPace(t *testing.T) {
	s, m, c := newFake(t, fakeOptions())
	m.cost = func(float64) time.Duration { return 500 * time.Microsecond } // 2 ms of 3.9
	stop := make(chan struct{})
	reply := make(chan Reply, 1)
	n := -1 // sleeps for the next period; those within the step let other threads run
	c.slept = func(int) {
		if s.loop.steps.current != nil {
			return
		}
		n++
		switch n {
		case 10:
			s.loop.enter(Paused, "")
		case 20:
			if err := s.loop.beginSteps(call{Request{Verb: Step, Steps: 1000}, reply}); err != nil {
				t.Error(err)
			}
		case 30:
			s.loop.enter(Enabled, "")
		case 50:
			close(stop)
		}
	}
	if err := s.Run(stop); err != nil {
		t.Fatal(err)
	}
	if r := <-reply; !r.OK {
		t.Errorf("%+v", r)
	}
	if st := s.Stats(); st.Periods != 10+1000+21 || st.Overruns != 0 || st.Skipped != 0 {
		t.Errorf("%d periods, %d overruns, %d skipped", st.Periods, st.Overruns, st.Skipped)
	}
	// 2 s of work, a fifth of the time asleep, and the paced periods
	least := 2*time.Second + 2*time.Second/4
	if slept := c.now - 1000*time.Second; slept < least || slept > least+60*time.Second/fakeHz {
		t.Errorf("took %v, want %v and the paced periods", slept, least)
	}
}

func TestBusy(t *testing.T) {
	s, _, _ := newFake(t, fakeOptions())
	busy := func() bool {
		periods(s, 1)
		shots := drain(s)
		return shots[len(shots)-1].Busy
	}
	if busy() {
		t.Error("busy before anything happens")
	}
	s.Post(Source{}, portForce, []float64{2.5, 3}) // two periods
	if first, second := busy(), busy(); !first || second {
		t.Errorf("a ramp of two periods: %v, %v", first, second)
	}
	ask(t, s, "pause")
	drain(s)
	ask(t, s, "step 2")
	shots := drain(s)
	if len(shots) != 2 || !shots[0].Busy || shots[1].Busy {
		t.Errorf("two steps gave %d snapshots, busy %v ...", len(shots), shots[0].Busy)
	}
}

func TestCadence(t *testing.T) {
	for _, tt := range []struct {
		rate, of float64
		want     []uint64
	}{
		{1, 3, []uint64{3, 6, 9}},
		{2, 3, []uint64{2, 3, 5, 6, 8, 9}},
		{3, 3, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{0, 3, nil},
		{0.1, 0.3, []uint64{3, 6, 9}},
		{0.3, 0.9, []uint64{3, 6, 9}}, // 3 * 0.3 / 0.9 < 1
	} {
		c := cadence{rate: tt.rate, of: tt.of}
		var got []uint64
		for tick := uint64(1); tick <= 9; tick++ {
			if c.due(tick) {
				got = append(got, tick)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v of %v Hz: due at %v, want %v", tt.rate, tt.of, got, tt.want)
		}
	}
	c := cadence{rate: 100, of: 1000}
	if !c.due(95) || c.due(99) || !c.due(100) {
		t.Error("skipped periods: not due once for all of them, then on time")
	}
}

// The control loop must not disturb the garbage collector.
func TestPeriodDoesNotAllocate(t *testing.T) {
	for _, lockstep := range []bool{false, true} {
		o := fakeOptions()
		o.Lockstep = lockstep
		s, _, c := newFake(t, o)
		s.WantScene(fakeOptions().MarkerHz)
		v := []float64{3, 3}
		w := make([]float64, 7)
		pacer := NewPacer(c, o.ControlHz)
		k := 0
		allocs := testing.AllocsPerRun(2000, func() { // past windows, scenes, full ring
			k++
			v[0] = float64(k % 12) // clamped at times
			if k%100 < 50 {        // times out at times
				s.Post(Source{}, k/7%2, v)
				s.Post(Source{}, portWrench, w)
			}
			s.meter.tick(pacer.Wait())
			s.loop.serve()
			s.loop.period(1)
			select {
			case <-s.Copied():
			default:
			}
			s.WantState()
		})
		if allocs != 0 {
			t.Errorf("lock-step %v: %v allocations per period", lockstep, allocs)
		}
		if st := s.Stats(); st.Periods < 2000 || st.Missed == 0 || st.Groups[0].Trips == 0 && !lockstep || st.Rate == 0 {
			t.Errorf("the run did not exercise what it should: %+v", st)
		}
	}
}

func BenchmarkPeriod(b *testing.B) {
	s, _, _ := newFake(b, fakeOptions())
	b.ReportAllocs()
	for b.Loop() {
		s.loop.period(1)
	}
}
