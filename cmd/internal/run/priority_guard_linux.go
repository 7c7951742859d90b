package run

import (
	"context"
	"math/rand/v2"
	"runtime"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sys/unix"
)

// Looks of the guard at the loop come every 40 to 60 ms.
const (
	shortestLook = 40 * time.Millisecond
	lookSpread   = 20 * time.Millisecond // so that looks do not keep step with periods
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
	var h hog
	for last := time.Now(); ctx.Err() == nil; {
		wait := shortestLook + rand.N(lookSpread)
		ts := unix.NsecToTimespec(int64(wait))
		_ = unix.Nanosleep(&ts, nil) // or less, after a signal
		since := time.Since(last)
		last = last.Add(since)
		if h.look(age(), threadTime(loop.thread), since, since-wait) {
			break
		}
	}
	if ctx.Err() == nil && lowerAll() {
		log.Warn("the loop cannot keep up: real-time priority is given up, for the sake of everything else on this computer")
	}
}

// threadTime is the processor time that a thread of this process has used; of one that has
// ended, 0.
func threadTime(id int) time.Duration {
	const schedulers, ofThread = 2, 4 // CPUCLOCK_SCHED and CPUCLOCK_PERTHREAD of linux/posix-timers.h
	var used unix.Timespec
	if unix.ClockGettime(int32(^id<<3|schedulers|ofThread), &used) != nil {
		return 0
	}
	return time.Duration(used.Nano())
}
