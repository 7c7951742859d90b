package scheduling

import (
	"os"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// niceness is the nice value of all threads where SCHED_FIFO is not permitted.
const niceness = -11

// loopThreads are the threads of loops that have a priority. Each loop adds its own; the
// loops that start later do not lower them to the priority of other threads.
var loopThreads struct {
	sync.Mutex
	ids []int
}

// RaiseThread gives the calling thread, to which its goroutine is locked, priority p and
// binds it to processor isolated (-1: none). It sets no real-time priority if unguarded, the
// reason why there is no guard, is not nil. It calls raised with the thread id once the
// thread has the priority.
//
// The other threads of the process get half of p: the Go runtime stops the loop at times
// until its other threads have answered. Where they had no priority, or a nice value of -11,
// a computer whose processors were busy lost 18 to 71 periods in ten seconds; with it, 0 to 25.
func RaiseThread(p Priority, isolated int, unguarded error, raised func(thread int)) Grant {
	g := Grant{Thread: unix.Gettid(), Processor: -1, Unguarded: unguarded}
	if p == Off {
		return g
	}
	own := os.Getpid()
	loopThreads.Lock()
	defer loopThreads.Unlock()
	if unguarded == nil && setFIFO(0, p, unix.SCHED_FLAG_RESET_ON_FORK) == nil {
		g.Priority = p
		loopThreads.ids = append(loopThreads.ids, g.Thread)
		raised(g.Thread)
		if others := p.others(); others > Off {
			for range 2 { // a thread may have been started by one that did not have the priority yet
				forEachThread(own, func(id int) error {
					if slices.Contains(loopThreads.ids, id) {
						return nil
					}
					return setFIFO(id, others, 0) // inherited by threads that start later
				})
			}
		}
	} else if processNice(own) == 0 && forEachThread(own, func(id int) error { return unix.Setpriority(unix.PRIO_PROCESS, id, niceness) }) {
		g.Nice = niceness // any other value is the user's choice
	}
	if isolated >= 0 {
		var set unix.CPUSet
		set.Set(isolated)
		if unix.SchedSetaffinity(0, &set) == nil {
			g.Processor = isolated
		}
	}
	g.Locked = lockMemory(os.DirFS("/"))
	return g
}

// setFIFO sets the SCHED_FIFO priority of a thread.
func setFIFO(thread int, p Priority, flags uint64) error {
	return unix.SchedSetAttr(thread, &unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Flags: flags, Priority: uint32(p),
	}, 0)
}

// setNormal sets a thread to SCHED_NORMAL. It keeps SCHED_FLAG_RESET_ON_FORK, which the
// loop's thread has: only root may remove it.
func setNormal(thread, nice int) error {
	return unix.SchedSetAttr(thread, &unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Policy: unix.SCHED_NORMAL, Flags: unix.SCHED_FLAG_RESET_ON_FORK, Nice: int32(nice),
	}, 0)
}

// lowerAll sets all threads of a process to SCHED_NORMAL, and reports whether that
// worked.
func lowerAll(process int) (worked bool) {
	nice := max(0, processNice(process))
	for range 2 { // a thread may have been started by one that still had the priority
		worked = forEachThread(process, func(id int) error { return setNormal(id, nice) })
	}
	return worked
}

// processNice returns the nice value of the first thread of a process.
func processNice(process int) int {
	const middle = 20 // the system call returns 20 less the nice value
	own, err := unix.Getpriority(unix.PRIO_PROCESS, process)
	if err != nil {
		return 0
	}
	return middle - own
}

// forEachThread calls set for each thread of a process and reports whether it worked for
// any. Errors are ignored, because a thread may have ended meanwhile.
func forEachThread(process int, set func(id int) error) (worked bool) {
	tasks, err := os.ReadDir("/proc/" + strconv.Itoa(process) + "/task")
	if err != nil {
		return set(process) == nil // at least the first one
	}
	for _, task := range tasks {
		if id, err := strconv.Atoi(task.Name()); err == nil {
			worked = set(id) == nil || worked
		}
	}
	return worked
}
