package app

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// The loop wants the processor for a fraction of each period, but at once. The
// priority is low among real-time ones, below interrupt threads; the nice value
// is what is left without that permission.
const (
	fifoPriority = 10
	niceness     = -11
)

// raisePriority gives the calling thread real-time priority or, where that is
// not permitted, a better nice value, and says which. Threads that this one
// starts do not inherit it.
func raisePriority() string {
	err := unix.SchedSetAttr(0, &unix.SchedAttr{
		Size:     unix.SizeofSchedAttr,
		Policy:   unix.SCHED_FIFO,
		Flags:    unix.SCHED_FLAG_RESET_ON_FORK,
		Priority: fifoPriority,
	}, 0)
	if err == nil {
		return fmt.Sprintf("real-time priority SCHED_FIFO %d", fifoPriority)
	}
	if unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), niceness) == nil {
		return fmt.Sprintf("priority nice %d (no permission for SCHED_FIFO)", niceness)
	}
	return "normal priority (no permission for a higher one: grant rtprio in limits.conf or CAP_SYS_NICE)"
}
