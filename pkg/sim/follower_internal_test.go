package sim

import (
	"slices"
	"sync"
	"testing"
	"time"
)

// Tests of what has no exported name.

// Every time that is set runs all whole periods up to it, and nothing else makes time pass.
func TestFollowsClock(t *testing.T) {
	s, m, c := NewFollowing(t)
	c.Pass(time.Hour)
	if s.loop.followOnce() || m.Steps != 0 || s.loop.stamp() != 0 || s.Stats().Follow.Began {
		t.Fatalf("%v steps before any time was told", m.Steps)
	}
	s.Follow(BagTime) // the loop may look after the second time only
	Follow(s, BagTime+FakePeriod/2)
	if m.Steps != 0 || s.loop.stamp() != BagTime {
		t.Fatalf("%v steps to the first time, stamp %v", m.Steps, s.loop.stamp())
	}
	c.Pass(time.Hour)
	Follow(s, BagTime+10*FakePeriod+FakePeriod/2)
	Follow(s, BagTime+10*FakePeriod+FakePeriod/2) // the same time again
	Follow(s, BagTime+11*FakePeriod)
	all := Drain(s)
	if m.Steps != 4*11 || len(all) != 12 {
		t.Fatalf("%v steps, %d snapshots", m.Steps, len(all))
	}
	for k, shot := range all {
		if want := BagTime + time.Duration(k)*FakePeriod; shot.Stamp != want || shot.SimTime != float64(k)/FakeHz {
			t.Errorf("snapshot %d: stamp %v, want %v; simulated %v", k, shot.Stamp, want, shot.SimTime)
		}
	}
	if st := s.Stats(); st.Skipped != 0 || st.Follow != (FollowStats{Began: true, Behind: 0}) {
		t.Errorf("%+v", st.Follow)
	}
}

// As far as MaxCatchUp the simulation catches up; what is further is a jump.
func TestFollowJumpsAhead(t *testing.T) {
	s, m, _ := NewFollowing(t)
	Follow(s, BagTime)
	s.Post(Source{Name: "a"}, PortForce, []float64{3, 3})
	Follow(s, BagTime+FakePeriod)
	const most = uint64(MaxCatchUp / FakePeriod)
	Follow(s, BagTime+FakePeriod+MaxCatchUp)
	if st := s.Stats(); st.Periods != 1+most || st.Follow.Resyncs != 0 {
		t.Fatalf("%d periods, %+v", st.Periods, st.Follow)
	}
	s.Post(Source{Name: "a"}, PortForce, []float64{3, 3})
	Follow(s, s.loop.stamp()+FakePeriod)
	const year = 365 * 24 * time.Hour
	before, at := m.Steps, s.loop.stamp()+year
	Follow(s, at)
	st := s.Stats()
	if m.Steps != before+4 || s.loop.stamp() != at || st.Follow.Resyncs != 1 || st.Follow.LeftOut != uint64(year/FakePeriod)-1 || st.Skipped != st.Follow.LeftOut {
		t.Errorf("a year ahead: %v steps, stamp %v, %+v", m.Steps-before, s.loop.stamp()-at, st.Follow)
	}
	if g := st.Groups[0]; !g.TimedOut || g.Commander != "" {
		t.Errorf("a command is a year old: %+v", g)
	}
}

// A clock that goes back begins time anew: the robot stays, time-outs begin at zero.
func TestFollowGoesBack(t *testing.T) {
	s, m, _ := NewFollowing(t)
	Follow(s, BagTime)
	s.Post(Source{Name: "a"}, PortForce, []float64{3, 3})
	Follow(s, BagTime+30*FakePeriod) // 32 are the time-out
	x := m.X
	Drain(s)
	Follow(s, 5*time.Second)
	if all := Drain(s); m.X != x || len(all) != 1 || all[0].Stamp != 5*time.Second || all[0].Period != 30 {
		t.Fatalf("%d snapshots, moved by %v", len(all), m.X[0]-x[0])
	}
	if st := s.Stats(); st.Groups[0].Commander != "" || st.Follow.Rewinds != 1 {
		t.Errorf("%+v, %+v", st.Groups[0], st.Follow)
	}
	Follow(s, 5*time.Second+32*FakePeriod)
	if st := s.Stats(); st.Groups[0].TimedOut || st.Periods != 62 || s.loop.stamp() != 5*time.Second+32*FakePeriod {
		t.Errorf("%+v, %d periods, stamp %v", st.Groups[0], st.Periods, s.loop.stamp())
	}
	if v := s.Post(Source{Name: "b"}, PortForce, []float64{1, 1}); v != Accepted {
		t.Errorf("the next commander: %v", v)
	}
	Follow(s, 5*time.Second+66*FakePeriod)
	if st := s.Stats(); !st.Groups[0].TimedOut || st.Groups[0].Trips != 1 {
		t.Errorf("33 periods after its command: %+v", st.Groups[0])
	}
}

// Requests need no clock, and a stop is safe at once where time stands.
func TestFollowStopsWithoutClock(t *testing.T) {
	for _, withClock := range []bool{false, true} {
		s, m, c := NewFollowing(t)
		end := start(t, s)
		if withClock {
			s.Follow(BagTime)
			for !s.Stats().Follow.Began {
			}
		}
		c.Pass(time.Hour)
		r := s.Do(Request{Verb: EStop})
		if st := s.State(); !r.OK || st != Fault {
			t.Errorf("told %t: %+v, %v", withClock, r, st)
		}
		end()
		if all := Drain(s); m.Steps != 0 || m.U != [2]float64{1, 1} || all[len(all)-1].State != Fault {
			t.Errorf("told %t: %v steps, forces %v, want the safe ones", withClock, m.Steps, m.U)
		}
	}
}

// A stop acts within a period also while the simulation catches up.
func TestFollowStopsCatchingUp(t *testing.T) {
	s, m, _ := NewFollowing(t)
	Follow(s, BagTime)
	s.Follow(BagTime + MaxCatchUp)
	s.loop.followOnce()
	reply := make(chan Reply, 1)
	go func() {
		close(s.requests.started)
		reply <- s.Do(Request{Verb: EStop})
	}()
	for s.requests.urgent.stops.waiting.Load() == nil {
	}
	steps, state := m.Steps, s.loop.state.current
	for n := 0; state != Fault && n < 1000; n++ {
		time.Sleep(10 * time.Microsecond) // for the other goroutine to hand it over
		steps = m.Steps
		s.loop.followOnce()
		state = s.loop.state.current
	}
	if r := <-reply; !r.OK || m.Steps > steps+4 || s.Stats().Follow.Behind < 1 {
		t.Errorf("%+v: %v steps after the stop, %+v", r, m.Steps-steps, s.Stats().Follow)
	}
}

// A step while PAUSED takes as many periods as it says, whatever the clock does.
func TestFollowPausedAndStepped(t *testing.T) {
	s, m, _ := NewFollowing(t)
	Follow(s, BagTime)
	Ask(t, s, "pause")
	Follow(s, BagTime+10*FakePeriod)
	if m.Steps != 0 || s.loop.stamp() != BagTime+10*FakePeriod {
		t.Errorf("paused: %v steps, stamp %v", m.Steps, s.loop.stamp())
	}
	if r := Ask(t, s, "step 7"); !r.OK || m.Steps != 4*7 {
		t.Errorf("%+v: %v steps", r, m.Steps)
	}
	Ask(t, s, "resume")
	Follow(s, BagTime+12*FakePeriod)
	if m.Steps != 4*9 {
		t.Errorf("resumed: %v steps", m.Steps)
	}
}

// The frame of a wrench changes at once, however slowly its values may.
func TestFrameDoesNotRamp(t *testing.T) {
	rate := []float64{1, 1, 1, 1, 1, 1, 1}
	p := Port{Name: "w", Kind: Wrench, Direction: In, Frames: []string{World, "tip", "base"}, MaxRate: rate}
	l := NewLimits(&p)
	if got := l.slew(6, 0, 2, 0.001); got != 2 {
		t.Errorf("frame %v", got)
	}
	if got := l.slew(0, 0, 2, 0.001); got != 0.001 || rate[6] != 1 {
		t.Errorf("force %v, rates of the port %v", got, rate)
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

// Steps as fast as possible are no overrun, and pacing continues after them.
func TestStepKeepsPace(t *testing.T) {
	s, m, c := NewFake(t, FakeOptions())
	m.Cost = func(float64) time.Duration { return 500 * time.Microsecond } // 2 ms of 3.9
	stop := make(chan struct{})
	reply := make(chan Reply, 1)
	n := -1 // sleeps for the next period; those within the step let other threads run
	c.Slept = func(int) {
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
	if slept := c.NowValue - 1000*time.Second; slept < least || slept > least+60*time.Second/FakeHz {
		t.Errorf("took %v, want %v and the paced periods", slept, least)
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
		o := FakeOptions()
		o.Lockstep = lockstep
		s, _, c := NewFake(t, o)
		s.WantScene(FakeOptions().MarkerHz)
		v := []float64{3, 3}
		w := make([]float64, 7)
		pacer := NewPacer(c, o.ControlHz)
		k := 0
		allocs := testing.AllocsPerRun(2000, func() { // past windows, scenes, full ring
			k++
			v[0] = float64(k % 12) // clamped at times
			if k%100 < 50 {        // times out at times
				s.Post(Source{}, k/7%2, v)
				s.Post(Source{}, PortWrench, w)
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
	s, _, _ := NewFake(b, FakeOptions())
	b.ReportAllocs()
	for b.Loop() {
		s.loop.period(1)
	}
}
