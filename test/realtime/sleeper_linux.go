package main

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// sleepForEver wakes at 1 kHz and calls woke with the lateness, with a real-time
// priority just below that of the node's loop where that is permitted.
func sleepForEver(woke func(late time.Duration)) {
	runtime.LockOSThread()
	_ = unix.SchedSetAttr(0, &unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Flags: unix.SCHED_FLAG_RESET_ON_FORK, Priority: 9,
	}, 0)
	read := func() time.Duration {
		var now unix.Timespec
		_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // cannot fail
		return time.Duration(now.Nano())
	}
	for due := read() + sleepPeriod; ; {
		until := unix.NsecToTimespec(due.Nanoseconds())
		if unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &until, nil) != nil {
			continue // interrupted
		}
		late := read() - due
		woke(late)
		due += sleepPeriod * (1 + late/sleepPeriod)
	}
}
