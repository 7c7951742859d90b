package sim

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// ScheduledSimulator is one of several simulators that share a loop. It runs until Stop is
// closed.
type ScheduledSimulator struct {
	Simulator *Simulator
	Stop      <-chan struct{}
}

// scheduled is a ScheduledSimulator in the loop.
type scheduled struct {
	ScheduledSimulator
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
// If busy is not nil, the loop stores there when the control period under way began, as
// Options.Begun does for one simulator; between two periods it is negative only while the loop sleeps because
// no period is due.
func RunTogether(simulators []ScheduledSimulator, busy *atomic.Int64) error {
	if len(simulators) == 0 {
		return errors.New("a loop needs one simulator or more")
	}
	clock := simulators[0].Simulator.clock
	for i, t := range simulators {
		switch o := t.Simulator.opt; {
		case o.Lockstep || o.Follow:
			return fmt.Errorf("simulator %d: only those that the clock paces can share a loop", i)
		case t.Simulator.clock != clock:
			return fmt.Errorf("simulator %d: has another clock than the first; those that share a loop share one", i)
		}
	}
	running := make([]scheduled, 0, len(simulators))
	start := clock.Now()
	for _, t := range simulators {
		if err := t.Simulator.begin(); err != nil {
			for i := range running {
				running[i].Simulator.end()
			}
			return err
		}
		running = append(running, scheduled{ScheduledSimulator: t, pacer: newPacer(clock, t.Simulator.opt.ControlHz, start)})
	}
	if busy == nil {
		busy = new(atomic.Int64)
	}
	runScheduled(clock, running, busy)
	return nil
}

// A loop in which a period is always due sleeps for restTime after each restAfter of work: loops on all processors, above
// all other threads, would otherwise keep the threads from running that could stop them.
const (
	restAfter = 50 * time.Millisecond
	restTime  = 5 * time.Millisecond
)

// runScheduled runs simulators, earliest deadline first, until all have been stopped. It does not allocate.
func runScheduled(clock Clock, running []scheduled, busy *atomic.Int64) {
	rested := clock.Now()
	defer func() { busy.Store(-int64(clock.Now())) }()
	for len(running) > 0 {
		first := earliest(running)
		r := &running[first]
		if closed(r.Stop) {
			r.Simulator.end()
			last := len(running) - 1
			running[first] = running[last]
			running = running[:last]
			continue
		}
		now := clock.Now()
		if due := r.pacer.next(); now < due {
			busy.Store(-int64(now))
			clock.SleepUntil(due)
			now = clock.Now()
			rested = now
		} else if now-rested >= restAfter {
			clock.SleepUntil(now + restTime)
			now = clock.Now()
			rested = now
		}
		busy.Store(int64(now))
		r.run(now)
		r.late = clock.Now() > r.pacer.next()
	}
}

// earliest returns the index of the simulator whose deadline comes first.
func earliest(running []scheduled) (first int) {
	for i := range running {
		if running[i].pacer.next() < running[first].pacer.next() {
			first = i
		}
	}
	return first
}

// run runs the control period that is due at now, if any is: a clock may wake too early.
func (r *scheduled) run(now time.Duration) {
	tick, due := r.pacer.Due(now, 0)
	if !due {
		return
	}
	tick.Overrun = tick.Overrun || r.late
	l := r.Simulator.loop
	l.meter.tick(tick)
	l.serve()
	if l.steps.current != nil {
		l.stepOnce()
		return
	}
	l.period(tick.Elapsed)
}
