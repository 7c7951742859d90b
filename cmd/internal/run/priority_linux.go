package run

import (
	"os"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// niceness is the nice value of all threads where SCHED_FIFO is not permitted.
const niceness = -11

// raisedLoops are the threads of loops, which one loop after the other adds itself to: none takes the
// priority of another.
var raisedLoops struct {
	sync.Mutex
	threads []int
}

// raiseLoop gives the calling thread, to which its goroutine is locked, the priority that
// was asked for if the loop is guarded, calls raised once it has it, and the isolated processor if there is one (-1: none). The Go runtime stops
// the loop now and then until its other threads have answered, so that they need priority
// too, below the loop's: with none, or with a nice value of -11 alone, a computer whose
// processors are busy lost 18 to 71 periods in ten seconds, and with it 0 to 25.
func raiseLoop(p realtime, isolated int, unguarded error, raised func(thread int)) scheduling {
	s := scheduling{thread: unix.Gettid(), isolated: -1, unguarded: unguarded}
	if p == realtimeOff {
		return s
	}
	own := os.Getpid()
	raisedLoops.Lock()
	defer raisedLoops.Unlock()
	if unguarded == nil && setFIFO(0, p, unix.SCHED_FLAG_RESET_ON_FORK) == nil {
		s.priority = p
		raisedLoops.threads = append(raisedLoops.threads, s.thread)
		raised(s.thread)
		if others := p.others(); others > realtimeOff {
			for range 2 { // a thread may have been started by one that had not been raised yet
				forEachThread(own, func(id int) error {
					if slices.Contains(raisedLoops.threads, id) {
						return nil
					}
					return setFIFO(id, others, 0) // inherited by threads that start later
				})
			}
		}
	} else if processNice(own) == 0 && forEachThread(own, func(id int) error { return unix.Setpriority(unix.PRIO_PROCESS, id, niceness) }) {
		s.nice = niceness // any other value is the user's choice
	}
	if isolated >= 0 {
		var set unix.CPUSet
		set.Set(isolated)
		if unix.SchedSetaffinity(0, &set) == nil {
			s.isolated = isolated
		}
	}
	s.locked = lockMemory(os.DirFS("/"))
	return s
}

// setFIFO gives a thread real-time priority.
func setFIFO(thread int, p realtime, flags uint64) error {
	return unix.SchedSetAttr(thread, &unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Flags: flags, Priority: uint32(p),
	}, 0)
}

// setNormal gives a thread the priority of any program. Of a loop's thread, whose priority is
// not inherited, only root may say that its priority is inherited from now on.
func setNormal(thread, nice int) error {
	return unix.SchedSetAttr(thread, &unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Policy: unix.SCHED_NORMAL, Flags: unix.SCHED_FLAG_RESET_ON_FORK, Nice: int32(nice),
	}, 0)
}

// lowerAll gives all threads of a process the priority of any program, and reports whether that
// worked.
func lowerAll(process int) (worked bool) {
	nice := max(0, processNice(process))
	for range 2 { // a thread may have been started by one that had not been lowered yet
		worked = forEachThread(process, func(id int) error { return setNormal(id, nice) })
	}
	return worked
}

// processNice is the nice value of the first thread of a process.
func processNice(process int) int {
	const middle = 20 // the system call returns 20 less the nice value
	own, err := unix.Getpriority(unix.PRIO_PROCESS, process)
	if err != nil {
		return 0
	}
	return middle - own
}

// forEachThread calls set for each thread of a process and reports whether it worked for
// any; a thread may have ended meanwhile.
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
