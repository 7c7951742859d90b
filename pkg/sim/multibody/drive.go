package multibody

import "math"

const (
	// interval is the longest time between commands of one motion, s.
	interval = 0.2
	// never is a time before any other that can be saved, s.
	never = -math.MaxFloat64
)

// follower moves a prescribed coordinate from where it is to the newest command in the time since the command before, or in a control
// period where commands are more than interval apart, at a constant rate of at most the largest: regular commands of any rate give a
// motion without stops that is one interval late.
type follower struct {
	target, commandTime, arrival float64
}

// command makes value the target at time t; period is the control period, s.
func (f *follower) command(value, t, period float64) {
	f.target = value
	since := t - f.commandTime
	if since == 0 { // in place of the command before
		return
	}
	if since > interval*(1+1e-9) {
		since = period
	}
	f.commandTime, f.arrival = t, t+since
}

// next returns the coordinate at time t + dt of one that is at now at time t.
func (f *follower) next(now, t, dt, maxRate float64) float64 {
	way := f.target - now
	if left := f.arrival - t; left > dt*(1+1e-9) {
		way *= dt / left
	}
	most := maxRate * dt
	return now + max(-most, min(most, way))
}
