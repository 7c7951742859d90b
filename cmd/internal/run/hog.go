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

// spin finds a thread that has kept its processor since the last look: one that computes, or
// that waits in the Go runtime, by turning round, for what another thread of its process holds.
type spin struct {
	known bool
	cpu   time.Duration // processor time at the last look
	turns int64         // how often it had got a processor
}

// look takes the processor time that the thread has used, how often it has got a processor,
// and the time since the last look. Whoever waits for something else gives its processor up
// and gets it anew; one turn more may be the end of a pause that others made.
func (s *spin) look(cpu time.Duration, turns int64, since time.Duration) bool {
	was := *s
	*s = spin{true, cpu, turns}
	return was.known && cpu-was.cpu >= since*3/4 && turns-was.turns <= 1
}

// forget makes the next look the first one.
func (s *spin) forget() { s.known = false }
