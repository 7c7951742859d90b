package ros

import (
	"math"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/sim"
)

// busyPause is how long operating_state is not published again for is_busy
// alone, which a stream of commands switches all the time.
const busyPause = 100 * time.Millisecond

// shownState holds the values that the operating_state topic shows.
type shownState struct {
	state  sim.OperatingState
	reason string
	slow   string // how much too slow the loop is, or empty
	busy   bool
	valid  bool      // whether there was a message
	at     msgs.Time // stamp of the message
}

// publishState publishes the operating state when it has changed.
func (b *Bridge) publishState(s *sim.Snapshot, stamp msgs.Time) {
	slow := b.shown.slow
	if slow == noClockYet && stamp > 0 {
		slow = ""
	}
	b.showState(shownState{s.State, s.Reason, slow, s.Busy, true, stamp}, stamp)
}

// repeatPeriod is how often operating_state is published although nothing changes: who
// comes late and does not ask for what was latched hears of it all the same.
const repeatPeriod = time.Second

// repeatState publishes the operating state again.
func (b *Bridge) repeatState() {
	if b.shown.valid {
		b.publishShown(msgs.At(b.now()))
	}
}

// publishSlowness publishes the operating state of the last snapshot with a new word on
// how much too slow the loop is, since the next snapshot may be long in coming.
func (b *Bridge) publishSlowness(slow string) {
	next := b.shown
	next.slow = slow
	if !next.valid { // the first snapshot will show it
		b.shown.slow = slow
		return
	}
	b.showState(next, msgs.At(b.now()))
}

// publishFault publishes an emergency stop at once: it must not wait for the snapshots
// that are still to be published.
func (b *Bridge) publishFault() {
	if state, reason := b.sim.Condition(); state == sim.Fault && reason == sim.ReasonEStop {
		next := b.shown
		next.state, next.reason, next.valid, next.at = state, reason, true, msgs.At(b.now())
		b.showState(next, next.at)
	}
}

// showState publishes what is new. Snapshots from before a FAULT do not take that back.
func (b *Bridge) showState(next shownState, stamp msgs.Time) {
	old := b.shown
	if state, reason := b.sim.Condition(); state == sim.Fault {
		next.state, next.reason = state, reason
	}
	changed := !old.valid || next.state != old.state || next.reason != old.reason || next.slow != old.slow
	pause := time.Duration(next.at - old.at) // negative after a reset of the time of the stamps
	if !changed && (next.busy == old.busy || pause >= 0 && pause < busyPause) {
		return
	}
	b.shown = next
	if changed && !b.passive {
		level := zap.InfoLevel
		switch {
		case next.state == sim.Fault:
			level = zap.ErrorLevel
		case next.slow != "":
			level = zap.WarnLevel
		}
		b.log.Log(level, "operating state", zap.Stringer("state", next.state), zap.String("reason", next.text()))
	}
	b.publishShown(stamp)
}

// publishShown publishes what is shown.
func (b *Bridge) publishShown(stamp msgs.Time) {
	b.state.publish(stamp, &sinew_msgs.OperatingState{
		Header: header(b.state.seq, stamp, ""),
		State:  b.shown.state.String(), Reason: b.shown.text(), IsBusy: b.shown.busy,
	})
}

// text is the reason for the state and how much too slow the loop is.
func (s *shownState) text() string {
	if s.reason == "" || s.slow == "" {
		return s.reason + s.slow
	}
	return s.reason + "; " + s.slow
}

// latest holds what the slow topics need of the newest snapshot.
type latest struct {
	mu     sync.Mutex
	state  sim.OperatingState
	reason string
	seq    uint64
	at     time.Duration // stamp of the newest snapshot
	gauges []float64
	worst  []float64 // greatest value of each gauge since the last take

	answers *answers // nil unless in lock-step
}

func (l *latest) set(s *sim.Snapshot, at time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state, l.reason, l.seq, l.at = s.State, s.Reason, s.Seq, at
	if l.gauges == nil {
		l.worst = slices.Clone(s.Gauges)
	}
	l.gauges = append(l.gauges[:0], s.Gauges...)
	for i, g := range s.Gauges {
		l.worst[i] = math.Max(l.worst[i], g)
	}
	if l.answers != nil {
		l.answers.add(s, at)
	}
}

// answerable is the oldest stamp that an answer may have in lock-step, and otherwise the
// end of time.
func (l *latest) answerable(limit time.Duration) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.answers == nil || l.answers.newest == 0 { // there was no snapshot to answer
		return math.MaxInt64
	}
	return min(l.answers.newest-limit, l.answers.oldest())
}

// stamp is the stamp of the newest snapshot, 0 before there is one.
func (l *latest) stamp() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.at
}

// latestState is a copy of latest.
type latestState struct {
	state         sim.OperatingState
	reason        string
	seq           uint64
	gauges, worst []float64     // empty before the first snapshot
	age           time.Duration // how long the present control period has taken so far
}

// take copies what there is and begins a new search for the worst.
func (l *latest) take() latestState {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := latestState{state: l.state, reason: l.reason, seq: l.seq, gauges: slices.Clone(l.gauges), worst: slices.Clone(l.worst)}
	copy(l.worst, l.gauges)
	return m
}
