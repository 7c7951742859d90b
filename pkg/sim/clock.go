package sim

import "time"

// Clock is the time that paces a Simulator. Package sim owns no clock, so that
// every test of it runs without sleeping. Its methods may be called from several
// goroutines.
type Clock interface {
	// Now returns the time since the Unix epoch. It never goes back.
	Now() time.Duration
	// SleepUntil returns at time t, as Now counts it, or a little later. It
	// returns at once if t has passed.
	SleepUntil(t time.Duration)
}
