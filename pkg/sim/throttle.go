package sim

import "time"

// A loop that is not paced sleeps a fifth of the time, in short pauses.
const (
	pauseEvery  = time.Millisecond // of work, and after a longer period
	pauseShare  = 0.25             // of the work since then
	pauseAtMost = 20 * time.Millisecond
)

// throttle makes a loop that never waits for a deadline sleep now and then. At real-time
// priority such a loop would keep the very request from arriving that stops it; and where
// real-time threads use 95 % of a second, the kernel suspends all of them for the rest.
type throttle struct {
	clock  Clock
	rested time.Duration // when the loop has slept last
}

// restart makes the work until the next pause count from now.
func (t *throttle) restart() { t.rested = t.clock.Now() }

// pause sleeps if the loop has worked for long enough.
func (t *throttle) pause() {
	now := t.clock.Now()
	if worked := now - t.rested; worked >= pauseEvery {
		t.clock.SleepUntil(now + min(time.Duration(pauseShare*float64(worked)), pauseAtMost))
		t.restart()
	}
}
