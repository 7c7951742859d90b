package reference

import "math"

const (
	// interval (s) is the longest time between commands of one motion.
	interval = 0.2
	// unset is a time before any other that can be saved.
	unset = -math.MaxFloat64
	// roundoffTime is the relative round-off of a sum of time steps.
	roundoffTime = 1e-9
)

// schedule is when a target is reached: in the time since the command before, or in a control period if the commands are more than
// interval apart. Regular commands of any rate therefore give a motion without stops that is one interval late; commands in every
// control period are reached at the end of the period.
type schedule struct {
	commandTime float64 // time of the newest command, s; unset before the first
	arrival     float64 // when the target should be reached, s
	period      float64 // control period, s
}

func newSchedule(period float64) schedule { return schedule{commandTime: unset, period: period} }

// command sets when the target of a command at time t should be reached.
func (s *schedule) command(t float64) {
	since := t - s.commandTime
	if since == 0 { // in place of the command before
		return
	}
	if since > interval*(1+roundoffTime) {
		since = s.period
	}
	s.commandTime, s.arrival = t, t+since
}

// share returns which part of what is left of the way at time t lies in the next dt seconds.
func (s *schedule) share(t, dt float64) float64 {
	if left := s.arrival - t; left > dt*(1+roundoffTime) {
		return dt / left
	}
	return 1
}
