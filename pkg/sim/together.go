package sim

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// Turn is one of several simulators that share a loop. It runs until Stop is closed.
type Turn struct {
	Simulator *Simulator
	Stop      <-chan struct{}
}

// member is a Turn in the loop.
type member struct {
	Turn
	pacer *Pacer
	late  bool // its last period has ended after the deadline of the next
}

// RunTogether is the loop of several simulators, as Run is that of one, in one goroutine. All have the
// same Clock, whose time paces each at its own rate; none is in lock-step or follows another clock. It
// returns nil when all have been stopped.
//
// Of the periods that are due the one with the earliest deadline comes first. Simulators of one rate
// have their deadlines together, so that the loop wakes once for all of them. One that is late skips
// periods, and one whose step fails stands still, each for itself. Periods that a Step request asks for
// come at their deadlines, too: as fast as possible they would take the time of the others.
//
// busy, if not nil, is where the loop says since when it has been in the control period under way, as
// Options.Begun does for one simulator; between two periods it is negative only while the loop sleeps because
// nothing is due.
func RunTogether(turns []Turn, busy *atomic.Int64) error {
	if len(turns) == 0 {
		return errors.New("a loop needs one simulator or more")
	}
	clock := turns[0].Simulator.clock
	for i, t := range turns {
		switch o := t.Simulator.opt; {
		case o.Lockstep || o.Follow:
			return fmt.Errorf("simulator %d: only those that the clock paces can share a loop", i)
		case t.Simulator.clock != clock:
			return fmt.Errorf("simulator %d: has another clock than the first; those that share a loop share one", i)
		}
	}
	members := make([]member, 0, len(turns))
	start := clock.Now()
	for _, t := range turns {
		if err := t.Simulator.begin(); err != nil {
			for i := range members {
				members[i].Simulator.end()
			}
			return err
		}
		members = append(members, member{Turn: t, pacer: newPacer(clock, t.Simulator.opt.ControlHz, start)})
	}
	if busy == nil {
		busy = new(atomic.Int64)
	}
	takeTurns(clock, members, busy)
	return nil
}

// A loop that always has something due sleeps for breath after each breathAfter: loops on all processors, above
// all other threads, would otherwise keep from running whoever could stop them.
const (
	breathAfter = 50 * time.Millisecond
	breath      = 5 * time.Millisecond
)

// takeTurns runs members until all have been stopped. It does not allocate.
func takeTurns(clock Clock, members []member, busy *atomic.Int64) {
	rested := clock.Now()
	defer func() { busy.Store(-int64(clock.Now())) }()
	for len(members) > 0 {
		first := earliest(members)
		m := &members[first]
		if closed(m.Stop) {
			m.Simulator.end()
			last := len(members) - 1
			members[first] = members[last]
			members = members[:last]
			continue
		}
		now := clock.Now()
		if due := m.pacer.next(); now < due {
			busy.Store(-int64(now))
			clock.SleepUntil(due)
			now = clock.Now()
			rested = now
		} else if now-rested >= breathAfter {
			clock.SleepUntil(now + breath)
			now = clock.Now()
			rested = now
		}
		busy.Store(int64(now))
		m.run(now)
		m.late = clock.Now() > m.pacer.next()
	}
}

// earliest is the index of the member whose deadline comes first.
func earliest(members []member) (first int) {
	for i := range members {
		if members[i].pacer.next() < members[first].pacer.next() {
			first = i
		}
	}
	return first
}

// run runs the control period that is due at now, if any is: a clock may wake too early.
func (m *member) run(now time.Duration) {
	tick, due := m.pacer.Due(now, 0)
	if !due {
		return
	}
	tick.Overrun = tick.Overrun || m.late
	s := m.Simulator
	s.meter.tick(tick)
	s.serve()
	if s.stepping != nil {
		s.stepOnce()
		return
	}
	s.period(tick.Elapsed)
}
