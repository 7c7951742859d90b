package ros

import (
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/sim"
)

// statePublisher publishes the topic operating_state: on change and once a second. It belongs
// to publishLoop, but slowness.
type statePublisher struct {
	sim      *sim.Simulator
	topic    *topicPublisher
	stamper  *stamper
	log      *zap.Logger
	quiet    bool // changes are not logged
	shown    shownState
	stamped  msgs.Time   // stamp of the last message
	slowness chan string // receives how much too slow the loop is, when that changes; capacity 1
}

// openState opens the topic.
func openState(s *sim.Simulator, e *endpoints, log *zap.Logger) (*statePublisher, error) {
	topic, err := e.advertise(Topic{Name: "~operating_state", Type: sinew_msgs.OperatingStateType, Latched: true})
	return &statePublisher{sim: s, topic: topic, stamper: e.stamper, log: log, slowness: make(chan string, 1)}, err
}

// busyPause is how long operating_state is not published again for is_busy
// alone, which a stream of commands switches all the time.
const busyPause = 100 * time.Millisecond

// shownState holds the values that the topic shows.
type shownState struct {
	state  sim.OperatingState
	reason string
	slow   string // how much too slow the loop is, or empty
	busy   bool
	valid  bool      // whether there was a message
	at     msgs.Time // stamp of the message
}

// publish publishes the operating state of a snapshot when it has changed.
func (p *statePublisher) publish(s *sim.Snapshot, stamp msgs.Time) {
	slow := p.shown.slow
	if slow == noClockYet && stamp > 0 {
		slow = ""
	}
	p.show(shownState{s.State, s.Reason, slow, s.Busy, true, stamp}, stamp)
}

// repeatPeriod is how often operating_state is published although nothing changes, for late
// subscribers that do not ask for latched messages.
const repeatPeriod = time.Second

// repeat publishes the operating state again.
func (p *statePublisher) repeat() {
	if p.shown.valid {
		p.publishShown(msgs.At(p.stamper.now()))
	}
}

// setSlowness publishes the operating state of the last snapshot with a new text about how
// much too slow the loop is. It does not wait for the next snapshot, which may take long.
func (p *statePublisher) setSlowness(slow string) {
	next := p.shown
	next.slow = slow
	if !next.valid { // the first snapshot will show it
		p.shown.slow = slow
		return
	}
	p.show(next, msgs.At(p.stamper.now()))
}

// publishFault publishes an emergency stop at once: it must not wait for the snapshots
// that are still to be published.
func (p *statePublisher) publishFault() {
	if state, reason := p.sim.Condition(); state == sim.Fault && reason == sim.ReasonEStop {
		next := p.shown
		next.state, next.reason, next.valid, next.at = state, reason, true, msgs.At(p.stamper.now())
		p.show(next, next.at)
	}
}

// show publishes what has changed. Snapshots from before a FAULT do not undo it.
func (p *statePublisher) show(next shownState, stamp msgs.Time) {
	old := p.shown
	if state, reason := p.sim.Condition(); state == sim.Fault {
		next.state, next.reason = state, reason
	}
	changed := !old.valid || next.state != old.state || next.reason != old.reason || next.slow != old.slow
	pause := time.Duration(next.at - old.at) // negative after a reset of the time of the stamps
	if !changed && (next.busy == old.busy || pause >= 0 && pause < busyPause) {
		return
	}
	p.shown = next
	if changed && !p.quiet {
		level := zap.InfoLevel
		switch {
		case next.state == sim.Fault:
			level = zap.ErrorLevel
		case next.slow != "":
			level = zap.WarnLevel
		}
		p.log.Log(level, "operating state", zap.Stringer("state", next.state), zap.String("reason", next.text()))
	}
	p.publishShown(stamp)
}

// publishShown publishes the shown state. A snapshot may be older than the last message, which was a
// repetition or a stop: then the message has the present time, so that stamps do not go back.
func (p *statePublisher) publishShown(stamp msgs.Time) {
	if stamp < p.stamped {
		stamp = msgs.At(p.stamper.now())
	}
	p.stamped = stamp
	p.topic.publish(stamp, &sinew_msgs.OperatingState{
		Header: header(p.topic.seq, stamp, ""),
		State:  p.shown.state.String(), Reason: p.shown.text(), IsBusy: p.shown.busy,
	})
}

// text returns the reason for the state and how much too slow the loop is.
func (s *shownState) text() string {
	if s.reason == "" || s.slow == "" {
		return s.reason + s.slow
	}
	return s.reason + "; " + s.slow
}
