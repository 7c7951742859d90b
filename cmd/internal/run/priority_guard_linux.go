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
	longestPeriod = 250 * time.Millisecond
	busyLooks     = 60
	shortestLook  = 40 * time.Millisecond
	lookSpread    = 20 * time.Millisecond // so that looks do not keep step with periods
)

// guardPriority gives up the priority of all threads, for the rest of the run, when the
// loop cannot keep up. age tells how long the present control period takes. It returns
// then or when ctx ends.
func guardPriority(ctx context.Context, loop scheduling, age func() time.Duration, log *zap.Logger) {
	if loop.priority == realtimeOff {
		return // there is no priority to give up
	}
	runtime.LockOSThread() // above the loop's, the thread ends with this goroutine
	if err := setFIFO(0, loop.priority+1, unix.SCHED_FLAG_RESET_ON_FORK); err != nil {
		lowerAll() // nobody could stop it
		log.Warn("real-time priority is given up: nothing can be put above the loop", zap.Error(err))
		return
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
	if ctx.Err() == nil && lowerAll() {
		log.Warn("the loop cannot keep up: real-time priority is given up, for the sake of everything else on this computer")
	}
}
