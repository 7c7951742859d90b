package ros

import (
	"fmt"
	"math"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/rosgraph_msgs"
	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
)

// Stamps show one of three times: the computer's clock, simulated time with
// Options.SimTime, where this node is the clock, or the time of /clock, where another
// node is (sim.Options.Follow).

// stamp is the stamp of a snapshot.
func (b *Bridge) stamp(s *sim.Snapshot) time.Duration {
	switch {
	case b.simTime:
		return seconds(s.SimTime)
	case b.follows != nil:
		return s.Stamp
	}
	return b.corrected(s.Stamp)
}

// now is the time that stamps are in; 0 before /clock has begun.
func (b *Bridge) now() time.Duration {
	switch {
	case b.simTime:
		return seconds(b.sim.SimTime())
	case b.follows != nil:
		return b.sim.FollowedTime()
	}
	return b.corrected(b.clock.Now())
}

// corrected follows the corrections of the computer's clock.
func (b *Bridge) corrected(t time.Duration) time.Duration {
	if b.stamps == nil {
		return t
	}
	return b.stamps.At(t)
}

// othersNow is what the computer's clock shows, by which other nodes stamp. It is now,
// unless that clock was corrected.
func (b *Bridge) othersNow() time.Duration {
	if b.stamps == nil || b.simTime || b.follows != nil {
		return b.now()
	}
	return b.stamps.Unix()
}

// clockFollower tells the simulator the time of /clock: that of one publisher, since two
// that differ by a message would send time back and forth.
type clockFollower struct {
	sim   *sim.Simulator
	clock sim.Clock
	log   *zap.Logger
	begin func(time.Duration) // called once, before the first time is told

	mu      sync.Mutex
	owner   Sender
	heard   time.Duration // when, by clock
	began   bool
	ignored uint64 // messages of others
	other   Sender // the newest of those
}

// clockHandover is how long a publisher of /clock is silent before another is followed.
const clockHandover = 3 * time.Second

// followClock subscribes to /clock.
func (b *Bridge) followClock() error {
	f := &clockFollower{sim: b.sim, clock: b.clock, log: b.log, begin: func(t time.Duration) {
		if b.hardware != nil {
			b.hardware.epoch = t
		}
	}}
	b.follows = f
	b.shown.slow = noClockYet
	name, err := b.names.Resolve("/clock")
	if err != nil {
		return err
	}
	topic := Topic{Name: name, Type: rosgraph_msgs.ClockType, Lossy: true, Departures: true}
	for _, transport := range b.transports {
		if err := transport.Subscribe(topic, func(got Received) {
			if f.take(got) { // it arrives at the time that it tells
				b.tellReceived(topic, got.Message, time.Duration(got.Message.(*rosgraph_msgs.Clock).Clock))
			}
		}); err != nil {
			return fmt.Errorf("cannot subscribe to %s: %w", topic.Name, err)
		}
	}
	return nil
}

// take takes a message of /clock. Those that are not followed are not recorded.
func (f *clockFollower) take(got Received) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.clock.Now()
	ours := sameClock(f.owner, got.Sender)
	if got.Gone {
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
		return false // simulators tell 0 before they begin
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

// sameClock reports whether two senders are the same, of which one may not have been
// known by name.
func sameClock(a, b Sender) bool {
	if a.Endpoint != b.Endpoint {
		return false
	}
	return a.Endpoint != [16]byte{} || a.Node == b.Node
}

// What operating_state adds while /clock is not there or too fast.
const (
	noClockYet  = "waiting for /clock"
	noClock     = "no /clock: time stands"
	behindClock = "behind /clock"
)

// behindWorth is how far the simulation may be behind /clock without a word.
const behindWorth = 1.0 // s

// clockTrouble is what there is to say about /clock.
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

// clockReport tells of the time that stamps show. It remembers what it has told, and
// belongs to reportLoop.
type clockReport struct {
	told        sim.FollowStats
	corrections uint64
	newest      time.Duration // correction
}

// clockStatus looks after the clocks, once a second.
func (b *Bridge) clockStatus(stats sim.Stats) diagnostic_msgs.DiagnosticStatus {
	st := status("clock", "stamps in the computer's time")
	switch {
	case b.simTime:
		st.Message = "this node is the clock: stamps in simulated time"
	case b.follows != nil:
		b.clocks.followed(st, b.follows, stats.Follow, b.log)
	case b.stamps != nil:
		b.clocks.computers(st, b.stamps, b.clock.Now(), b.log)
	}
	node := b.names.Node()[1:]
	st.Name, st.HardwareID = node+": "+st.Name, node
	return st.DiagnosticStatus
}

// followed reports on /clock.
func (r *clockReport) followed(st *statusBuilder, f *clockFollower, s sim.FollowStats, log *zap.Logger) {
	f.mu.Lock()
	owner, ignored, other := nameOf(f.owner.String()), f.ignored, f.other.String()
	f.mu.Unlock()
	st.Message = "stamps in the time of /clock, of " + owner
	if n := s.Rewinds - r.told.Rewinds; n > 0 {
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "/clock went back: stamps begin anew")
		log.Warn("/clock went back: stamps begin anew, the robot stays as it is, time-outs of commands start from zero", zap.Uint64("times", n))
	}
	if n := s.LeftOut - r.told.LeftOut; n > 0 {
		text := fmt.Sprintf("/clock was more than %g s ahead: %d control periods were left out", sim.MaxCatchUp.Seconds(), n)
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "%s", text)
		log.Warn(text)
	}
	r.told = s
	switch trouble := clockTrouble(s); trouble {
	case "":
	case noClock:
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "no /clock for %.0f s: time stands", s.Age)
	case behindClock:
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "%.1f s behind /clock; %s", s.Behind, fasterAdvice)
	default:
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "%s", trouble)
	}
	if s.Began {
		st.number("clock_age_s", s.Age)
	}
	st.number("behind_s", s.Behind)
	st.count("went_back", s.Rewinds)
	st.count("left_out_periods", s.LeftOut)
	if ignored > 0 {
		st.count("ignored"+nameSeparated(other), ignored)
	}
}

// computers reports on the computer's clock.
func (r *clockReport) computers(st *statusBuilder, stamps *wallclock.Stamps, now time.Duration, log *zap.Logger) {
	by := stamps.Look()
	ahead := stamps.Ahead(now)
	if by != 0 {
		r.corrections++
		r.newest = by
	}
	switch {
	case by > 0 && ahead == 0:
		text := fmt.Sprintf("the computer's clock was set forward by %.3f s: stamps follow", by.Seconds())
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "%s", text)
		log.Warn(text)
	case by != 0:
		log.Warn(fmt.Sprintf("the computer's clock was set %s by %.3f s", direction(by), by.Abs().Seconds()), zap.String("stamps", aheadText(ahead)))
	}
	if ahead >= wallclock.LeastCorrection {
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "stamps are %s", aheadText(ahead))
	}
	st.count("clock_corrections", r.corrections)
	if r.corrections > 0 {
		st.number("newest_correction_s", r.newest.Seconds())
	}
	st.number("stamps_ahead_s", ahead.Seconds())
}

func direction(by time.Duration) string {
	if by < 0 {
		return "back"
	}
	return "forward"
}

// aheadText says what becomes of stamps that are ahead of the computer's clock.
func aheadText(ahead time.Duration) string {
	return fmt.Sprintf("%.3f s ahead of the computer's clock, which was set back: they never run backwards, come closer by %g ms each second "+
		"and are right in %.0f s; started anew they are right at once", ahead.Seconds(), wallclock.SlewRate*1e3, math.Ceil(ahead.Seconds()/wallclock.SlewRate))
}

func (b *Bridge) publishClock(now msgs.Time) {
	if b.clockTopic.wanted() {
		b.clockTopic.publish(now, &rosgraph_msgs.Clock{Clock: now})
	}
}
