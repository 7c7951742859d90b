package ros

import (
	"fmt"
	"math"
	"time"

	"go.uber.org/zap"

	"sinew/msgs/diagnostic_msgs"
	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
)

// clockMonitor reports on the clock that stamps show. It belongs to reportLoop and keeps what
// it has reported.
type clockMonitor struct {
	stamper  *stamper
	follower *clockFollower // nil unless the simulator follows /clock
	log      *zap.Logger

	reported    sim.FollowStats
	corrections uint64
	newest      time.Duration // correction
}

// status checks the clock, once a second. It may correct the stamps.
func (c *clockMonitor) status(node string, stats sim.Stats) diagnostic_msgs.DiagnosticStatus {
	st := status("clock", "stamps in the computer's time")
	switch {
	case c.stamper.simTime:
		st.Message = "this node is the clock: stamps in simulated time"
	case c.follower != nil:
		c.followed(st, stats.Follow)
	case c.stamper.stamps != nil:
		c.computers(st, c.stamper.clock.Now())
	}
	st.Name, st.HardwareID = node+": "+st.Name, node
	return st.DiagnosticStatus
}

// followed reports on /clock.
func (c *clockMonitor) followed(st *statusBuilder, s sim.FollowStats) {
	f := c.follower
	f.mu.Lock()
	owner, ignored, other := nameOf(f.owner.String()), f.ignored, f.other.String()
	f.mu.Unlock()
	st.Message = "stamps in the time of /clock, of " + owner
	if n := s.Rewinds - c.reported.Rewinds; n > 0 {
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "/clock went back: stamps begin anew")
		c.log.Warn("/clock went back: stamps begin anew, the robot stays as it is, time-outs of commands start from zero", zap.Uint64("times", n))
	}
	if n := s.LeftOut - c.reported.LeftOut; n > 0 {
		text := fmt.Sprintf("/clock was more than %g s ahead: %d control periods were left out", sim.MaxCatchUp.Seconds(), n)
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "%s", text)
		c.log.Warn(text)
	}
	c.reported = s
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
func (c *clockMonitor) computers(st *statusBuilder, now time.Duration) {
	stamps := c.stamper.stamps
	by := stamps.Look()
	ahead := stamps.Ahead(now)
	if by != 0 {
		c.corrections++
		c.newest = by
	}
	switch {
	case by > 0 && ahead == 0:
		text := fmt.Sprintf("the computer's clock was set forward by %.3f s: stamps follow", by.Seconds())
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "%s", text)
		c.log.Warn(text)
	case by != 0:
		c.log.Warn(fmt.Sprintf("the computer's clock was set %s by %.3f s", direction(by), by.Abs().Seconds()), zap.String("stamps", aheadText(ahead)))
	}
	if ahead >= wallclock.LeastCorrection {
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "stamps are %s", aheadText(ahead))
	}
	st.count("clock_corrections", c.corrections)
	if c.corrections > 0 {
		st.number("newest_correction_s", c.newest.Seconds())
	}
	st.number("stamps_ahead_s", ahead.Seconds())
}

func direction(by time.Duration) string {
	if by < 0 {
		return "back"
	}
	return "forward"
}

// aheadText describes what happens to stamps that are ahead of the computer's clock.
func aheadText(ahead time.Duration) string {
	return fmt.Sprintf("%.3f s ahead of the computer's clock, which was set back: they never run backwards, come closer by %g ms each second "+
		"and are right in %.0f s; started anew they are right at once", ahead.Seconds(), wallclock.SlewRate*1e3, math.Ceil(ahead.Seconds()/wallclock.SlewRate))
}
