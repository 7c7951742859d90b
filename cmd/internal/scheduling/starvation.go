package scheduling

import "time"

// A loop that cannot keep up occupies a processor completely and, with real-time priority,
// starves every other program: the terminal, other nodes and the goroutine of this process
// that receives Ctrl-C. The detector reports a loop when one control period takes longer than
// longestPeriod, or when the loop computes for longestWork without being seen between two
// periods. Only processor time of the loop's own thread counts: in a process that was
// stopped, or on a computer that was suspended, a control period becomes old without
// starving anybody.
const (
	longestPeriod = 250 * time.Millisecond
	longestWork   = 3 * time.Second
)

// starvationDetector finds a loop that starves other programs from samples that a thread of
// higher priority takes.
type starvationDetector struct {
	thread time.Duration // processor time of the loop's thread at the last sample
	period time.Duration // upper bound of the processor time used in the control period under way
	worked time.Duration // processor time used since a sample saw the loop between periods
}

// sample takes the age of the control period under way (0: none), the processor time that the
// loop's thread has used so far, the time since the last sample, and the part of it by which
// this sample is late. While the sampling thread was late nothing ran, and the loop's thread
// is counted as having used at most the rest, because a virtual machine may count more. It
// reports whether the loop cannot keep up.
func (d *starvationDetector) sample(age, thread, since, late time.Duration) bool {
	used := max(0, min(thread-d.thread, since-max(0, late)))
	d.thread = thread
	if age == 0 {
		d.period, d.worked = 0, 0
		return false
	}
	if age <= since { // it began after the last sample
		d.period = 0
	}
	d.period += used
	d.worked += used
	return min(d.period, age) > longestPeriod || d.worked > longestWork
}

// spinDetector finds a thread that has kept its processor since the last sample: one that
// computes, or that waits in the Go runtime, in a loop of sched_yield, for what another
// thread of its process holds.
type spinDetector struct {
	valid    bool          // whether there is a last sample
	cpu      time.Duration // processor time at the last sample
	switches int64         // number of times that the thread had been scheduled
}

// sample takes the processor time that the thread has used, the number of times that it has
// been scheduled, and the time since the last sample. A thread that waits in the kernel
// gives up its processor and is scheduled anew; one more time may be the end of a preemption.
func (d *spinDetector) sample(cpu time.Duration, switches int64, since time.Duration) bool {
	was := *d
	*d = spinDetector{true, cpu, switches}
	return was.valid && cpu-was.cpu >= since*3/4 && switches-was.switches <= 1
}

// reset discards the last sample.
func (d *spinDetector) reset() { d.valid = false }
