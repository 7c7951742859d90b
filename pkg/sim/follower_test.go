package sim

import (
	"slices"
	"testing"
	"time"
)

// fakePeriod is the control period of newFake; binary, so that it is a whole number of ns.
const fakePeriod = time.Second / fakeHz

// bagTime is where the clocks of these tests begin.
const bagTime = 1_700_000_000 * time.Second

// newFollowing makes a simulator that follows a clock and is not running.
func newFollowing(t testing.TB) (*Simulator, *fakeModel, *fakeClock) {
	t.Helper()
	o := fakeOptions()
	o.Follow = true
	return newFake(t, o)
}

// follow tells the time and runs what is due.
func follow(s *Simulator, at time.Duration) {
	s.Follow(at)
	for s.loop.followOnce() {
	}
}

// Every time that is told runs all whole periods up to it, and nothing else makes time pass.
func TestFollowsClock(t *testing.T) {
	s, m, c := newFollowing(t)
	c.pass(time.Hour)
	if s.loop.followOnce() || m.steps != 0 || s.loop.stamp() != 0 || s.Stats().Follow.Began {
		t.Fatalf("%v steps before any time was told", m.steps)
	}
	s.Follow(bagTime) // the loop may look after the second time only
	follow(s, bagTime+fakePeriod/2)
	if m.steps != 0 || s.loop.stamp() != bagTime {
		t.Fatalf("%v steps to the first time, stamp %v", m.steps, s.loop.stamp())
	}
	c.pass(time.Hour)
	follow(s, bagTime+10*fakePeriod+fakePeriod/2)
	follow(s, bagTime+10*fakePeriod+fakePeriod/2) // the same time again
	follow(s, bagTime+11*fakePeriod)
	all := drain(s)
	if m.steps != 4*11 || len(all) != 12 {
		t.Fatalf("%v steps, %d snapshots", m.steps, len(all))
	}
	for k, shot := range all {
		if want := bagTime + time.Duration(k)*fakePeriod; shot.Stamp != want || shot.SimTime != float64(k)/fakeHz {
			t.Errorf("snapshot %d: stamp %v, want %v; simulated %v", k, shot.Stamp, want, shot.SimTime)
		}
	}
	if st := s.Stats(); st.Skipped != 0 || st.Follow != (FollowStats{Began: true, Behind: 0}) {
		t.Errorf("%+v", st.Follow)
	}
}

// As far as MaxCatchUp the simulation catches up; what is further is a jump.
func TestFollowJumpsAhead(t *testing.T) {
	s, m, _ := newFollowing(t)
	follow(s, bagTime)
	s.Post(Source{Name: "a"}, portForce, []float64{3, 3})
	follow(s, bagTime+fakePeriod)
	const most = uint64(MaxCatchUp / fakePeriod)
	follow(s, bagTime+fakePeriod+MaxCatchUp)
	if st := s.Stats(); st.Periods != 1+most || st.Follow.Resyncs != 0 {
		t.Fatalf("%d periods, %+v", st.Periods, st.Follow)
	}
	s.Post(Source{Name: "a"}, portForce, []float64{3, 3})
	follow(s, s.loop.stamp()+fakePeriod)
	const year = 365 * 24 * time.Hour
	before, at := m.steps, s.loop.stamp()+year
	follow(s, at)
	st := s.Stats()
	if m.steps != before+4 || s.loop.stamp() != at || st.Follow.Resyncs != 1 || st.Follow.LeftOut != uint64(year/fakePeriod)-1 || st.Skipped != st.Follow.LeftOut {
		t.Errorf("a year ahead: %v steps, stamp %v, %+v", m.steps-before, s.loop.stamp()-at, st.Follow)
	}
	if g := st.Groups[0]; !g.TimedOut || g.Commander != "" {
		t.Errorf("a command is a year old: %+v", g)
	}
}

// A clock that goes back begins time anew: the robot stays, time-outs begin at zero.
func TestFollowGoesBack(t *testing.T) {
	s, m, _ := newFollowing(t)
	follow(s, bagTime)
	s.Post(Source{Name: "a"}, portForce, []float64{3, 3})
	follow(s, bagTime+30*fakePeriod) // 32 are the time-out
	x := m.x
	drain(s)
	follow(s, 5*time.Second)
	if all := drain(s); m.x != x || len(all) != 1 || all[0].Stamp != 5*time.Second || all[0].Period != 30 {
		t.Fatalf("%d snapshots, moved by %v", len(all), m.x[0]-x[0])
	}
	if st := s.Stats(); st.Groups[0].Commander != "" || st.Follow.Rewinds != 1 {
		t.Errorf("%+v, %+v", st.Groups[0], st.Follow)
	}
	follow(s, 5*time.Second+32*fakePeriod)
	if st := s.Stats(); st.Groups[0].TimedOut || st.Periods != 62 || s.loop.stamp() != 5*time.Second+32*fakePeriod {
		t.Errorf("%+v, %d periods, stamp %v", st.Groups[0], st.Periods, s.loop.stamp())
	}
	if v := s.Post(Source{Name: "b"}, portForce, []float64{1, 1}); v != Accepted {
		t.Errorf("the next commander: %v", v)
	}
	follow(s, 5*time.Second+66*fakePeriod)
	if st := s.Stats(); !st.Groups[0].TimedOut || st.Groups[0].Trips != 1 {
		t.Errorf("33 periods after its command: %+v", st.Groups[0])
	}
}

// Commands grow old in the time that is followed, however fast that passes.
func TestFollowTimeout(t *testing.T) {
	s, _, c := newFollowing(t)
	follow(s, bagTime)
	s.Post(Source{Name: "a"}, portForce, []float64{3, 3})
	follow(s, bagTime+fakePeriod)
	c.pass(time.Hour)
	if st := s.Stats(); st.Groups[0].TimedOut || s.Post(Source{Name: "b"}, portForce, []float64{1, 1}) != NotInCommand {
		t.Errorf("time stood: %+v", st.Groups[0])
	}
	follow(s, bagTime+40*fakePeriod)
	if st := s.Stats(); !st.Groups[0].TimedOut || st.Groups[0].Commander != "" || s.Post(Source{Name: "b"}, portForce, []float64{1, 1}) != Accepted {
		t.Errorf("after the time-out: %+v", st.Groups[0])
	}
}

// Requests need no clock, and a stop is safe at once where time stands.
func TestFollowStopsWithoutClock(t *testing.T) {
	for _, told := range []bool{false, true} {
		s, m, c := newFollowing(t)
		end := start(t, s)
		if told {
			s.Follow(bagTime)
			for !s.Stats().Follow.Began {
			}
		}
		c.pass(time.Hour)
		r := s.Do(Request{Verb: EStop})
		if st := s.State(); !r.OK || st != Fault {
			t.Errorf("told %t: %+v, %v", told, r, st)
		}
		end()
		if all := drain(s); m.steps != 0 || m.u != [2]float64{1, 1} || all[len(all)-1].State != Fault {
			t.Errorf("told %t: %v steps, forces %v, want the safe ones", told, m.steps, m.u)
		}
	}
}

// A stop acts within a period also while the simulation catches up.
func TestFollowStopsCatchingUp(t *testing.T) {
	s, m, _ := newFollowing(t)
	follow(s, bagTime)
	s.Follow(bagTime + MaxCatchUp)
	s.loop.followOnce()
	reply := make(chan Reply, 1)
	go func() {
		close(s.requests.started)
		reply <- s.Do(Request{Verb: EStop})
	}()
	for s.requests.urgent.stops.waiting.Load() == nil {
	}
	steps, state := m.steps, s.loop.state.current
	for n := 0; state != Fault && n < 1000; n++ {
		time.Sleep(10 * time.Microsecond) // for the other goroutine to hand it over
		steps = m.steps
		s.loop.followOnce()
		state = s.loop.state.current
	}
	if r := <-reply; !r.OK || m.steps > steps+4 || s.Stats().Follow.Behind < 1 {
		t.Errorf("%+v: %v steps after the stop, %+v", r, m.steps-steps, s.Stats().Follow)
	}
}

// A reader that is slower than a loop that catches up gets every snapshot.
func TestFollowSparesTheReader(t *testing.T) {
	s, _, c := newFollowing(t)
	var stamps []time.Duration
	shot := s.NewSnapshot()
	c.slept = func(int) { // as long as the loop sleeps, the reader reads
		for range 2 {
			if s.Next(shot) {
				stamps = append(stamps, shot.Stamp)
			}
		}
	}
	const n = 4 * ringSize
	follow(s, bagTime)
	follow(s, bagTime+n*fakePeriod)
	for _, shot := range drain(s) {
		stamps = append(stamps, shot.Stamp)
	}
	if len(stamps) != n+1 || !slices.IsSorted(stamps) || s.Missed() != 0 {
		t.Errorf("%d snapshots of %d, %d missed", len(stamps), n+1, s.Missed())
	}
}

// A step while PAUSED takes as many periods as it says, whatever the clock does.
func TestFollowPausedAndStepped(t *testing.T) {
	s, m, _ := newFollowing(t)
	follow(s, bagTime)
	ask(t, s, "pause")
	follow(s, bagTime+10*fakePeriod)
	if m.steps != 0 || s.loop.stamp() != bagTime+10*fakePeriod {
		t.Errorf("paused: %v steps, stamp %v", m.steps, s.loop.stamp())
	}
	if r := ask(t, s, "step 7"); !r.OK || m.steps != 4*7 {
		t.Errorf("%+v: %v steps", r, m.steps)
	}
	ask(t, s, "resume")
	follow(s, bagTime+12*fakePeriod)
	if m.steps != 4*9 {
		t.Errorf("resumed: %v steps", m.steps)
	}
}

// Only one thing advances time.
func TestFollowOrLockstep(t *testing.T) {
	o := fakeOptions()
	o.Follow, o.Lockstep = true, true
	if _, err := NewSimulator(&fakeModel{}, &fakeClock{}, o); err == nil {
		t.Error("both are accepted")
	}
}
