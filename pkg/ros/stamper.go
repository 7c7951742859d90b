package ros

import (
	"math"
	"time"

	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
)

// stamper gives the stamps of messages. They show one of three times: that of the computer's
// clock; simulated time with Options.SimTime, where this node is the clock; or that of
// /clock, where another node is the clock (sim.Options.Follow).
type stamper struct {
	sim     *sim.Simulator
	clock   sim.Clock
	stamps  *wallclock.Stamps // nil without Options.Stamps
	simTime bool
	follow  bool
}

// snapshot returns the stamp of a snapshot.
func (s *stamper) snapshot(shot *sim.Snapshot) time.Duration {
	switch {
	case s.simTime:
		return seconds(shot.SimTime)
	case s.follow:
		return shot.Stamp
	}
	return s.corrected(shot.Stamp)
}

// now returns the present time of the stamps; 0 before /clock has begun.
func (s *stamper) now() time.Duration {
	switch {
	case s.simTime:
		return seconds(s.sim.SimTime())
	case s.follow:
		return s.sim.FollowedTime()
	}
	return s.corrected(s.clock.Now())
}

// corrected applies the corrections of the computer's clock to a time of the simulator's.
func (s *stamper) corrected(t time.Duration) time.Duration {
	if s.stamps == nil {
		return t
	}
	return s.stamps.At(t)
}

// computer returns the time of the computer's clock, by which other nodes stamp. It is now,
// unless that clock was corrected.
func (s *stamper) computer() time.Duration {
	if s.stamps == nil || s.simTime || s.follow {
		return s.now()
	}
	return s.stamps.Unix()
}

// accepting returns for how long commands have been accepted since this node was enabled or
// resumed. It is false if they have been from the start, and where stamps show a time that
// stands still meanwhile.
func (s *stamper) accepting() (time.Duration, bool) {
	since := s.sim.AcceptingSince()
	return s.clock.Now() - since, since != 0 && !s.simTime && !s.follow && !s.sim.Options().Lockstep
}

// seconds returns a duration of t seconds, to the nanosecond.
func seconds(t float64) time.Duration { return time.Duration(math.Round(t * 1e9)) }
