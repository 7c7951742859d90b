package sim

import "sync/atomic"

// watchdogSet holds the command watchdog of each group. The loop calls its methods; stats may
// be called from any goroutine and returns what publish has last published.
type watchdogSet struct {
	hz     float64    // control periods per second
	timers []Watchdog // by group
	meters []watchdogMeter
}

// watchdogMeter publishes a watchdog of the loop to other goroutines.
type watchdogMeter struct {
	age, trips      atomic.Uint64
	armed, timedOut atomic.Bool
}

func newWatchdogSet(groups int, o Options) *watchdogSet {
	w := &watchdogSet{hz: o.ControlHz, timers: make([]Watchdog, groups), meters: make([]watchdogMeter, groups)}
	for g := range w.timers {
		w.timers[g] = NewWatchdog(o.CommandTimeoutS, o.ControlHz)
	}
	return w
}

// setTimeout changes the timeout of all watchdogs, s. Time that has passed since the last
// command counts.
func (w *watchdogSet) setTimeout(seconds float64) {
	for g := range w.timers {
		w.timers[g].setLimit(seconds, w.hz)
	}
}

// advance lets control periods pass without a command for a group. It reports true once,
// when the watchdog expires, and counts the trip.
func (w *watchdogSet) advance(g int, periods uint64) bool {
	if !w.timers[g].Advance(periods) {
		return false
	}
	w.meters[g].trips.Add(1)
	return true
}

// disarm disarms all watchdogs.
func (w *watchdogSet) disarm() {
	for g := range w.timers {
		w.timers[g].Disarm()
	}
}

// restart starts the timeouts of all commands in force anew.
func (w *watchdogSet) restart() {
	for g := range w.timers {
		if t := &w.timers[g]; t.Armed() && !t.Expired() {
			t.Feed()
		}
	}
}

// publish makes the present state of the watchdogs visible to stats.
func (w *watchdogSet) publish() {
	for g := range w.timers {
		m, t := &w.meters[g], &w.timers[g]
		m.age.Store(t.Age())
		m.armed.Store(t.Armed())
		m.timedOut.Store(t.Expired())
	}
}

// stats returns what the watchdog of a group adds to its GroupStats.
func (w *watchdogSet) stats(g int) GroupStats {
	m := &w.meters[g]
	return GroupStats{
		Armed:    m.armed.Load(),
		TimedOut: m.timedOut.Load(),
		Age:      float64(m.age.Load()) / w.hz,
		Trips:    m.trips.Load(),
	}
}
