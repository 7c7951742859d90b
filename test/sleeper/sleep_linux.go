package sleeper

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// sleepForEver wakes at 1 kHz and calls woke with the lateness, with a real-time
// priority (0: none) where that is permitted, on a processor.
func sleepForEver(priority, processor int, woke func(late time.Duration)) {
	runtime.LockOSThread()
	if priority > 0 {
		_ = unix.SchedSetAttr(0, &unix.SchedAttr{
			Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Flags: unix.SCHED_FLAG_RESET_ON_FORK, Priority: uint32(priority),
		}, 0)
	}
	if processor != anywhere {
		var set unix.CPUSet
		set.Set(processor)
		_ = unix.SchedSetaffinity(0, &set) // where it is not allowed to be: anywhere
	}
	read := func() time.Duration {
		var now unix.Timespec
		_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // cannot fail
		return time.Duration(now.Nano())
	}
	for due := read() + Period; ; {
		until := unix.NsecToTimespec(due.Nanoseconds())
		if unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &until, nil) != nil {
			continue // interrupted
		}
		late := read() - due
		woke(late)
		due += Period * (1 + late/Period)
	}
}
