package sim

import (
	"sync/atomic"
	"time"
)

// follower releases the control periods of a simulator that follows another clock: all
// that are due whenever that clock tells its time. Deadlines, and with them stamps, lie on
// a grid that begins at the first time that is told.
type follower struct {
	told  atomic.Pointer[toldTime] // newest time, nil before the first
	ready chan struct{}            // receives after a time was told; capacity 1

	reached atomic.Int64 // deadline of the newest period, ns; 0 before the first time is told
	resyncs atomic.Uint64
	leftOut atomic.Uint64

	// The following fields belong to the loop.
	pacer Pacer  // of the present epoch
	epoch uint64 // 0 before the first time is told
}

// toldTime is a time of the clock that is followed.
type toldTime struct {
	time  time.Duration // since the Unix epoch
	begin time.Duration // first time of the epoch
	epoch uint64        // 1, and 1 more each time that the clock goes back
	at    time.Duration // Clock.Now when it was told
}

// MaxCatchUp is how far the clock that is followed may be ahead. When it is further,
// because it has jumped or because the model is slower than it, the periods in between are
// left out: simulating a jump of a year would take one. It is the time that tf2 keeps
// transforms for, so that nobody could use later stamps.
const MaxCatchUp = 10 * time.Second

// clockSilence is how long, by Clock, no time is told before time is said to stand.
const clockSilence = time.Second

func newFollower(hz float64) *follower {
	return &follower{ready: make(chan struct{}, 1), pacer: Pacer{ns: 1e9 / hz}}
}

// Follow tells a simulator with Options.Follow what time it is on the clock that it
// follows, since the Unix epoch. All whole control periods up to then are simulated as fast
// as possible, but see MaxCatchUp. A time before the last one begins time anew: stamps go
// on from there, the robot stays as it is, the time-outs of commands start from zero and
// nobody is in command. It panics without Options.Follow.
func (s *Simulator) Follow(t time.Duration) {
	f := s.follower
	for {
		old, next := f.told.Load(), &toldTime{time: t, begin: t, epoch: 1, at: s.clock.Now()}
		switch {
		case old == nil:
		case t < old.time:
			next.epoch = old.epoch + 1
		default:
			next.epoch, next.begin = old.epoch, old.begin
		}
		if !f.told.CompareAndSwap(old, next) {
			continue
		}
		if old != nil && next.epoch != old.epoch {
			s.commanders.forget()
		}
		notify(f.ready)
		return
	}
}

// runFollowing runs the periods that are due on the clock that is followed, and waits for
// its next time.
func (s *Simulator) runFollowing(stop <-chan struct{}) {
	for !closed(stop) {
		if !s.followOnce() {
			s.await(stop, s.follower.ready)
		}
	}
}

// followOnce runs the period that is due, or one of the Step request at work. It reports
// false if there is none.
func (s *Simulator) followOnce() bool {
	if s.stepping != nil {
		s.serve()
		s.stepOnce()
		s.pause()
		s.follower.resync()
		return true
	}
	tick, due, begins := s.follower.next(s.clock.Now())
	switch {
	case begins:
		s.beginTime()
	case due:
		s.meter.tick(tick)
		s.serve()
		if s.stepping == nil {
			s.period(tick.Elapsed)
		}
		s.pause()
		s.spareReader()
	}
	return begins || due
}

// beginTime begins the time of the clock that is followed, which may have gone back. What
// was commanded holds for the whole time-out from now on.
func (s *Simulator) beginTime() {
	for g := range s.watchdogs {
		if w := &s.watchdogs[g]; w.Armed() && !w.Expired() {
			w.Feed()
		}
	}
	s.emit(true)
}

// spareReader slows a loop that catches up to the control rate while the reader of the
// snapshots is half a ring behind, which would otherwise miss some.
func (s *Simulator) spareReader() {
	if s.snapshots.unread() > s.snapshots.size/2 {
		s.clock.SleepUntil(s.clock.Now() + time.Duration(float64(time.Second)/s.opt.ControlHz))
	}
}

// timeStands reports whether ramps would stand still in a state that accepts no commands:
// in lock-step, and when the clock that is followed says nothing.
func (s *Simulator) timeStands() bool {
	return s.opt.Lockstep || s.follower != nil && s.follower.stands(s.clock.Now())
}

// next returns the control period that is due, if one is. begins tells instead that time
// begins, or begins anew.
func (f *follower) next(now time.Duration) (tick Tick, due, begins bool) {
	told := f.told.Load()
	if told == nil {
		return Tick{}, false, false
	}
	if told.epoch != f.epoch {
		f.epoch = told.epoch
		f.pacer.start, f.pacer.k = told.begin, 0
		f.reached.Store(int64(told.begin))
		return Tick{}, false, true
	}
	if tick, due = f.pacer.Due(told.time, MaxCatchUp); due {
		tick.Lateness = max(0, now-told.at)
		if tick.Elapsed > 1 {
			f.resyncs.Add(1)
			f.leftOut.Add(tick.Elapsed - 1)
		}
		f.reached.Store(int64(f.time()))
	}
	return tick, due, false
}

// resync leaves out what came due while the loop did something else, without counting it.
func (f *follower) resync() {
	if told := f.told.Load(); told != nil && told.epoch == f.epoch {
		f.pacer.k = max(f.pacer.k, f.pacer.last(told.time))
		f.reached.Store(int64(f.time()))
	}
}

// time is the deadline of the newest period, 0 before the first time is told.
func (f *follower) time() time.Duration {
	if f.epoch == 0 {
		return 0
	}
	return f.pacer.deadline(f.pacer.k)
}

// stamp is the time of the end of the newest control period.
func (s *Simulator) stamp() time.Duration {
	if s.follower != nil {
		return s.follower.time()
	}
	return s.clock.Now()
}

// stands reports whether no time has been told for a while.
func (f *follower) stands(now time.Duration) bool {
	told := f.told.Load()
	return told == nil || now-told.at > clockSilence
}

// FollowedTime returns the newest time of the clock that is followed; 0 before it was told,
// and without Options.Follow.
func (s *Simulator) FollowedTime() time.Duration {
	if s.follower == nil {
		return 0
	}
	told := s.follower.told.Load()
	if told == nil {
		return 0
	}
	return told.time
}

// FollowStats tells how a simulator does that follows a clock.
type FollowStats struct {
	Began   bool    // whether a time was told
	Stands  bool    // whether none was told for a second
	Age     float64 // s since a time was told, by Clock
	Behind  float64 // s from the newest period to the newest time
	Rewinds uint64  // how often the clock went back
	Resyncs uint64  // how often periods were left out since the clock was more than MaxCatchUp ahead
	LeftOut uint64  // those periods
}

// stats returns what there is to tell.
func (f *follower) stats(now time.Duration) FollowStats {
	st := FollowStats{Stands: f.stands(now), Resyncs: f.resyncs.Load(), LeftOut: f.leftOut.Load()}
	if told := f.told.Load(); told != nil {
		st.Began, st.Age, st.Rewinds = true, (now - told.at).Seconds(), told.epoch-1
		st.Behind = max(0, (told.time - time.Duration(f.reached.Load())).Seconds())
	}
	return st
}
