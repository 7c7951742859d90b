package run

import "time"

// A loop that cannot keep up takes all of a processor and, with real-time priority, from
// everybody: the terminal, other nodes and the goroutine of this process that hears of
// Ctrl-C. It is such a loop when one control period takes longer than longestPeriod, or
// when it works for longestWork without being found between two periods. Only processor
// time of the loop's own thread counts: in a process that was stopped, or on a computer
// that stood still, a control period grows old without taking anything from anybody.
const (
	longestPeriod = 250 * time.Millisecond
	longestWork   = 3 * time.Second
)

// hog finds such a loop, by looks at it from a thread above its own.
type hog struct {
	thread time.Duration // processor time of the loop's thread at the last look
	period time.Duration // of that, at most, in the control period under way
	worked time.Duration // and since a look found the loop between periods
}

// look takes the age of the control period under way (0: none), the processor time that the
// loop's thread has used so far, the time since the last look, and by how much of it the
// look is late: nothing ran meanwhile, and the loop has used no more than the rest, whatever
// a virtual machine counts as used. It reports whether the loop cannot keep up.
func (h *hog) look(age, thread, since, late time.Duration) bool {
	used := max(0, min(thread-h.thread, since-max(0, late)))
	h.thread = thread
	if age == 0 {
		h.period, h.worked = 0, 0
		return false
	}
	if age <= since { // it began after the last look
		h.period = 0
	}
	h.period += used
	h.worked += used
	return min(h.period, age) > longestPeriod || h.worked > longestWork
}
