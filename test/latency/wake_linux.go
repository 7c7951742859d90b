package latency

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// unpreempted is a setting of the Go runtime under which it takes no goroutine off its thread
// that calls nothing.
const unpreempted = "GODEBUG=asyncpreemptoff=1"

// wakePeriodically wakes at 1 kHz and writes down the lateness, with a real-time priority (0: none)
// where that is permitted, on a processor. The Go runtime knows of none of its system calls and
// cannot stop it: a thread of such a priority that wakes from one that it knows of may have to
// wait, by turning round, for a thread of the runtime that it has pushed off, which took a
// processor for up to a second from all others and was reported as the computer's doing.
func wakePeriodically(priority, processor int, to *record) {
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
	var now, until unix.Timespec
	_, _, _ = unix.RawSyscall(unix.SYS_CLOCK_GETTIME, unix.CLOCK_MONOTONIC, uintptr(unsafe.Pointer(&now)), 0) // cannot fail
	for due := now.Nano() + int64(Period); ; {
		until = unix.NsecToTimespec(due)
		_, _, failed := unix.RawSyscall6(unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, uintptr(unsafe.Pointer(&until)), 0, 0, 0)
		if failed != 0 {
			continue // interrupted
		}
		_, _, _ = unix.RawSyscall(unix.SYS_CLOCK_GETTIME, unix.CLOCK_MONOTONIC, uintptr(unsafe.Pointer(&now)), 0)
		late := now.Nano() - due
		n := to.count.Load()
		to.late[n%mostKept].Store(late)
		to.count.Store(n + 1)
		due += int64(Period) * (1 + late/int64(Period))
	}
}
