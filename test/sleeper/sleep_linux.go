package sleeper

import (
	"os"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// raise gives all threads of this process, also those to come, a real-time priority where that is
// permitted. What one of them holds, a lock or a processor of Go's, the others must not wait for.
func raise(priority int) {
	tasks, _ := os.ReadDir("/proc/self/task")
	for _, task := range tasks {
		id, _ := strconv.Atoi(task.Name())
		_ = unix.SchedSetAttr(id, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: uint32(priority)}, 0)
	}
}

// sleepForEver wakes at 1 kHz and calls woke with the lateness, on a processor.
func sleepForEver(processor int, woke func(late time.Duration)) {
	runtime.LockOSThread()
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
