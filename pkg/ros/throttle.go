package ros

import "time"

// throttle bounds the mean rate of what is sent at the time of snapshots. Its
// deadlines lie on a grid, and a tenth of a period early is in time: the jitter
// of stamps then neither adds up nor halves a rate that is just the bound.
type throttle struct {
	period     time.Duration
	next, last time.Duration
	begun      bool
}

// due reports whether something is due at the time now, and takes it as done.
// When time goes back, as simulation time does on a reset, it begins anew.
func (t *throttle) due(now time.Duration) bool {
	switch {
	case !t.begun || now < t.last || now-t.next >= t.period:
		t.next = now + t.period
	case now < t.next-t.period/10:
		return false
	default:
		t.next += t.period
	}
	t.last, t.begun = now, true
	return true
}
