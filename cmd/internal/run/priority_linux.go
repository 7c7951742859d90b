package run

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// The loop wants the processor for a fraction of each period, but at once, and
// the Go runtime stops it now and then until its other threads have answered:
// they need priority too, below the loop's. Both are low among real-time ones.
// The nice value is what may be left without that permission.
const (
	loopPriority  = 10
	otherPriority = 5
	niceness      = -11
)

// raisePriority gives all threads of the process real-time priority or, where
// that is not permitted, a better nice value, and says which. Threads that they
// start inherit it.
func raisePriority() string {
	switch threads := threadIDs(); {
	case forEach(threads, func(id int) error { return setFIFO(id, otherPriority) }):
		return fmt.Sprintf("real-time (SCHED_FIFO %d, others %d)", loopPriority, otherPriority)
	case forEach(threads, func(id int) error { return unix.Setpriority(unix.PRIO_PROCESS, id, niceness) }):
		return fmt.Sprintf("nice %d (no permission for SCHED_FIFO)", niceness)
	}
	return "normal (no permission for a higher one: grant rtprio in limits.conf, or CAP_SYS_NICE)"
}

// raiseLoop puts the calling thread above the others, where that is permitted.
func raiseLoop() { _ = setFIFO(0, loopPriority) }

func setFIFO(thread int, priority uint32) error {
	return unix.SchedSetAttr(thread, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: priority}, 0)
}

// threadIDs lists the threads of the process.
func threadIDs() (ids []int) {
	entries, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return []int{0} // at least the calling one
	}
	for _, e := range entries {
		if id, err := strconv.Atoi(e.Name()); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// forEach calls raise for each thread and reports whether it worked for any; a
// thread may have ended meanwhile.
func forEach(threads []int, raise func(id int) error) bool {
	worked := false
	for _, id := range threads {
		worked = raise(id) == nil || worked
	}
	return worked
}
