package sim

import "math"

// Watchdog detects that the commands of a group have stopped coming. It counts
// control periods, so it is exact and needs no clock. The first command arms it.
type Watchdog struct {
	limit   float64 // periods
	age     uint64  // periods since the last command
	armed   bool
	expired bool
}

// NewWatchdog returns a Watchdog that expires when the last command is older than
// timeout seconds at hz periods per second; a timeout of 0 never expires.
func NewWatchdog(timeout, hz float64) Watchdog {
	if timeout <= 0 {
		return Watchdog{limit: math.Inf(1)}
	}
	const roundOff = 1e-9
	return Watchdog{limit: timeout * hz * (1 + roundOff)}
}

// setLimit gives the watchdog another timeout. What has passed of it counts.
func (w *Watchdog) setLimit(timeout, hz float64) { w.limit = NewWatchdog(timeout, hz).limit }

// Feed notes a command.
func (w *Watchdog) Feed() { w.armed, w.expired, w.age = true, false, 0 }

// Disarm returns to the state before the first command.
func (w *Watchdog) Disarm() { w.armed, w.expired, w.age = false, false, 0 }

// Advance lets periods pass without a command. It reports true once, when the
// watchdog expires.
func (w *Watchdog) Advance(periods uint64) bool {
	if !w.armed {
		return false
	}
	w.age += periods
	if w.expired || float64(w.age) <= w.limit {
		return false
	}
	w.expired = true
	return true
}

// Armed reports whether there was a command since the last Disarm.
func (w *Watchdog) Armed() bool { return w.armed }

// Expired reports whether the commands have stopped coming.
func (w *Watchdog) Expired() bool { return w.expired }

// Age returns the number of periods since the last command.
func (w *Watchdog) Age() uint64 { return w.age }
