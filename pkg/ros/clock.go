package ros

import (
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/msgs/rosgraph_msgs"
	"sinew/pkg/sim"
)

// clockFollower gives the simulator the time of /clock. It follows one publisher, because two
// that differ by a message would move time back and forth.
type clockFollower struct {
	sim   *sim.Simulator
	clock sim.Clock
	log   *zap.Logger
	begin func(time.Duration) // called once, before the first time

	mu      sync.Mutex
	owner   Sender
	heard   time.Duration // when the owner last published, by clock
	began   bool
	ignored uint64 // messages of others
	other   Sender // the newest of those
}

// clockHandover is how long a publisher of /clock is silent before another is followed.
const clockHandover = 3 * time.Second

// open subscribes to /clock.
func (f *clockFollower) open(e *endpoints) error {
	return e.subscribeStamped(Topic{Name: "/clock", Type: rosgraph_msgs.ClockType, Lossy: true, ReportsSenderLeft: true},
		func(string) handler { return f.take },
		func(got Received) time.Duration { // it arrives at the time that it gives
			if m, ok := got.Message.(*rosgraph_msgs.Clock); ok {
				return time.Duration(m.Clock)
			}
			return 0
		})
}

// take handles a message of /clock. Messages that are not followed are not recorded.
func (f *clockFollower) take(got Received) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.clock.Now()
	ours := sameClock(f.owner, got.Sender)
	if got.SenderLeft {
		if ours {
			f.heard = now - clockHandover
		}
		return false
	}
	switch m := got.Message.(*rosgraph_msgs.Clock); {
	case f.began && !ours && now-f.heard < clockHandover:
		if f.ignored == 0 {
			f.log.Warn("two publishers of /clock: only the first is followed",
				zap.String("followed", nameOf(f.owner.String())), zap.String("ignored", nameOf(got.Sender.String())))
		}
		f.ignored++
		f.other = got.Sender
		return false
	case m.Clock <= 0 && !f.began:
		return false // simulators publish 0 before they begin
	default:
		t := time.Duration(m.Clock)
		if !f.began {
			f.begin(t)
		}
		if !ours || !f.began {
			f.log.Info("following /clock", zap.String("of", nameOf(got.Sender.String())))
		}
		f.owner, f.heard, f.began = got.Sender, now, true
		f.sim.Follow(t)
		return true
	}
}

// sameClock reports whether two senders are the same; the name of one may not have been
// known yet.
func sameClock(a, b Sender) bool {
	if a.Endpoint != b.Endpoint {
		return false
	}
	return a.Endpoint != [16]byte{} || a.Node == b.Node
}

// What operating_state adds while /clock is missing or too fast.
const (
	noClockYet  = "waiting for /clock"
	noClock     = "no /clock: time stands"
	behindClock = "behind /clock"
)

// behindWorth is how far the simulation may be behind /clock before operating_state says so.
const behindWorth = 1.0 // s

// clockTrouble returns what is wrong with /clock, empty if nothing is.
func clockTrouble(f sim.FollowStats) string {
	switch {
	case !f.Began:
		return noClockYet
	case f.Stands:
		return noClock
	case f.Behind > behindWorth:
		return behindClock
	}
	return ""
}
