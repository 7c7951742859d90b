package sim

import (
	"sync/atomic"
	"time"
)

// follower releases the control periods of a simulator that follows another clock: whenever
// that clock gives its time, all periods that are due. Deadlines, and with them stamps, lie
// on a grid that begins at the first time of the clock.
type follower struct {
	newest atomic.Pointer[followedTime] // nil before the first time
	ready  chan struct{}                // receives after a time; capacity 1

	reached atomic.Int64 // deadline of the newest period, ns; 0 before the first time
	resyncs atomic.Uint64
	leftOut atomic.Uint64

	// The following fields belong to the loop.
	pacer Pacer  // of the present epoch
	epoch uint64 // 0 before the first time
}

// followedTime is a time of the clock that is followed.
type followedTime struct {
	time     time.Duration // since the Unix epoch
	begin    time.Duration // first time of the epoch
	epoch    uint64        // 1, and 1 more each time that the clock goes back
	received time.Duration // Clock.Now when the time was given
}

// MaxCatchUp is how far the clock that is followed may be ahead of the simulator. If it is
// further ahead, because it has jumped or because the model is slower than it, the periods in
// between are left out: to simulate a jump of a year would take a year. It is the time for
// which tf2 keeps transforms, so that no reader could use later stamps.
const MaxCatchUp = 10 * time.Second

// clockSilence is how long, by Clock, the clock that is followed may give no time before it
// counts as standing still.
const clockSilence = time.Second

func newFollower(hz float64) *follower {
	return &follower{ready: make(chan struct{}, 1), pacer: Pacer{ns: 1e9 / hz}}
}

// Follow gives a simulator with Options.Follow the time of the clock that it follows, since
// the Unix epoch. It simulates all whole control periods up to then as fast as possible, but
// see MaxCatchUp. A time before the last one starts a new epoch: stamps continue from there,
// the robot stays as it is, the timeouts of commands start anew and no source owns a
// group. Follow panics without Options.Follow.
func (s *Simulator) Follow(t time.Duration) {
	if s.follower.set(t, s.clock) {
		s.intake.authority.releaseAll()
	}
	notify(s.follower.ready)
}

// set makes t the newest time, and reports whether the clock has gone back.
func (f *follower) set(t time.Duration, clock Clock) (wentBack bool) {
	for {
		old, next := f.newest.Load(), &followedTime{time: t, begin: t, epoch: 1, received: clock.Now()}
		switch {
		case old == nil:
		case t < old.time:
			next.epoch = old.epoch + 1
		default:
			next.epoch, next.begin = old.epoch, old.begin
		}
		if f.newest.CompareAndSwap(old, next) {
			return old != nil && next.epoch != old.epoch
		}
	}
}

// runFollowing runs the periods that are due on the clock that is followed, and waits for
// its next time.
func (l *loop) runFollowing(stop <-chan struct{}) {
	for !closed(stop) {
		if !l.followOnce() {
			l.await(stop, l.follower.ready)
		}
	}
}

// followOnce runs the period that is due, or one of the current Step request. It reports
// false if there is none.
func (l *loop) followOnce() bool {
	if l.steps.current != nil {
		l.serve()
		l.stepOnce()
		l.throttle.pause()
		l.follower.resync()
		return true
	}
	tick, due, begins := l.follower.next(l.clock.Now())
	switch {
	case begins: // what was commanded holds for the whole timeout from now on
		l.watchdogs.restart()
		l.emit(true)
	case due:
		l.meter.tick(tick)
		l.serve()
		if l.steps.current == nil {
			l.period(tick.Elapsed)
		}
		l.throttle.pause()
		if l.snapshots.behind() { // slow a loop that catches up to the control rate, so that the reader misses nothing
			l.clock.SleepUntil(l.clock.Now() + time.Duration(float64(time.Second)/l.opt.ControlHz))
		}
	}
	return begins || due
}

// next returns the control period that is due, if one is. begins reports instead that an
// epoch begins.
func (f *follower) next(now time.Duration) (tick Tick, due, begins bool) {
	newest := f.newest.Load()
	if newest == nil {
		return Tick{}, false, false
	}
	if newest.epoch != f.epoch {
		f.epoch = newest.epoch
		f.pacer.start, f.pacer.k = newest.begin, 0
		f.reached.Store(int64(newest.begin))
		return Tick{}, false, true
	}
	if tick, due = f.pacer.Due(newest.time, MaxCatchUp); due {
		tick.Lateness = max(0, now-newest.received)
		if tick.Elapsed > 1 {
			f.resyncs.Add(1)
			f.leftOut.Add(tick.Elapsed - 1)
		}
		f.reached.Store(int64(f.time()))
	}
	return tick, due, false
}

// resync leaves out the periods that came due while the loop did something else, without
// counting them.
func (f *follower) resync() {
	if newest := f.newest.Load(); newest != nil && newest.epoch == f.epoch {
		f.pacer.k = max(f.pacer.k, f.pacer.last(newest.time))
		f.reached.Store(int64(f.time()))
	}
}

// time returns the deadline of the newest period, 0 before the first time of the clock.
func (f *follower) time() time.Duration {
	if f.epoch == 0 {
		return 0
	}
	return f.pacer.deadline(f.pacer.k)
}

// stands reports whether the clock that is followed stands still: it has given no time for a
// while.
func (f *follower) stands(now time.Duration) bool {
	newest := f.newest.Load()
	return newest == nil || now-newest.received > clockSilence
}

// FollowedTime returns the newest time of the clock that is followed; 0 before its first time,
// and without Options.Follow.
func (s *Simulator) FollowedTime() time.Duration {
	if s.follower == nil {
		return 0
	}
	newest := s.follower.newest.Load()
	if newest == nil {
		return 0
	}
	return newest.time
}

// FollowStats describes how a simulator follows a clock.
type FollowStats struct {
	Began   bool    // whether the clock has given a time
	Stands  bool    // whether it has given none for a second
	Age     float64 // s since the newest time, by Clock
	Behind  float64 // s from the newest period to the newest time
	Rewinds uint64  // number of times that the clock went back
	Resyncs uint64  // number of times that the clock was more than MaxCatchUp ahead
	LeftOut uint64  // number of periods left out because of that
}

// stats returns the present FollowStats.
func (f *follower) stats(now time.Duration) FollowStats {
	st := FollowStats{Stands: f.stands(now), Resyncs: f.resyncs.Load(), LeftOut: f.leftOut.Load()}
	if newest := f.newest.Load(); newest != nil {
		st.Began, st.Age, st.Rewinds = true, (now - newest.received).Seconds(), newest.epoch-1
		st.Behind = max(0, (newest.time - time.Duration(f.reached.Load())).Seconds())
	}
	return st
}
