package sim

import "time"

// Clock is the time that a Simulator is paced by. Package sim owns no clock, so
// that every test of it runs without sleeping.
type Clock interface {
	// Now is the time since the Unix epoch. It never goes back.
	Now() time.Duration
	// SleepUntil returns at t or, unavoidably, a little later; at once if t has
	// passed.
	SleepUntil(t time.Duration)
}
