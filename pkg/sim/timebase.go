package sim

// timebase counts the simulated time of a loop in time steps and control periods.
type timebase struct {
	hz        float64 // control periods per second
	dt        float64 // s, of a time step
	perPeriod int     // time steps in a control period
	step      uint64  // time steps since the last reset
	tick      uint64  // control periods since the start, skipped ones included
}

func newTimebase(o Options) timebase {
	n := o.StepsPerPeriod()
	return timebase{hz: o.ControlHz, dt: 1 / o.ControlHz / float64(n), perPeriod: n}
}

// seconds returns the simulated time since the last reset, s.
func (t *timebase) seconds() float64 { return float64(t.step) / (t.hz * float64(t.perPeriod)) }

// periods returns the number of control periods simulated since the last reset.
func (t *timebase) periods() uint64 { return t.step / uint64(t.perPeriod) }

// cadence decides at which control periods a slower event is due.
type cadence struct {
	rate, of float64 // Hz
	done     uint64  // number of multiples of 1/rate that have passed
}

// due reports whether a multiple of 1/rate has passed since it last reported one.
func (c *cadence) due(tick uint64) bool {
	const roundOff = 1e-9
	n := uint64(float64(tick)*c.rate/c.of + roundOff)
	if n <= c.done {
		return false
	}
	c.done = n
	return true
}

// setRate changes the rate from now on.
func (c *cadence) setRate(rate float64, tick uint64) {
	if c.rate == rate {
		return
	}
	c.rate, c.done = rate, 0
	c.due(tick)
}
