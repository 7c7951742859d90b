package run

import (
	"context"
	"math/rand/v2"
	"runtime"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sys/unix"
)

// A loop that cannot keep up takes all of a processor and, with real-time priority, from
// everybody: the terminal, other nodes and the goroutine of this process that hears of
// Ctrl-C. It is such a loop when one control period takes longer than longestPeriod, or
// when it was at work at busyLooks looks in a row, which come every 40 to 60 ms.
const (
	guardThreadPriority = loopPriority + 1
	longestPeriod       = 250 * time.Millisecond
	busyLooks           = 60
	shortestLook        = 40 * time.Millisecond
	lookSpread          = 20 * time.Millisecond // so that looks do not keep step with periods
)

// guardPriority gives up the priority of all threads, for the rest of the run, when the
// loop cannot keep up. age tells how long the present control period takes. It returns
// then or when ctx ends.
func guardPriority(ctx context.Context, age func() time.Duration, log *zap.Logger) {
	runtime.LockOSThread() // above all others, it ends with this goroutine
	if setFIFO(0, guardThreadPriority) != nil {
		return // there is no priority to give up
	}
	for busy := 0; busy < busyLooks && ctx.Err() == nil; {
		wait := unix.NsecToTimespec(int64(shortestLook + rand.N(lookSpread)))
		_ = unix.Nanosleep(&wait, nil)
		switch a := age(); {
		case a > longestPeriod:
			busy = busyLooks
		case a > 0:
			busy++
		default:
			busy = 0
		}
	}
	if ctx.Err() == nil && forEach(threadIDs(), setNormal) {
		log.Warn("the loop cannot keep up: real-time priority is given up, for the sake of everything else on this computer")
	}
}

// setNormal gives a thread the priority of any program.
func setNormal(thread int) error {
	return unix.SchedSetAttr(thread, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_NORMAL}, 0)
}
