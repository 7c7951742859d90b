package run

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync/atomic"

	"go.uber.org/zap"

	"sinew/pkg/sim"
)

// loop is a thread of its own that steps one simulator, or several by turns.
type loop struct {
	log      *zap.Logger
	clock    sim.Clock
	asked    string   // of --realtime
	priority realtime // the same as a number
	isolated int      // processor that it may have for itself; -1: none

	guard     *guard // nil without priority
	unguarded error  // why it is
}

// newLoop returns a loop whose guard, if it is to have one, starts.
func newLoop(asked string, p realtime, isolated int, log *zap.Logger) *loop {
	l := &loop{log: log, asked: asked, priority: p, isolated: isolated}
	if p != realtimeOff {
		l.guard, l.unguarded = startGuard(p)
	}
	return l
}

// begun is where the simulators of the loop say when their control period began; nil: nowhere.
func (l *loop) begun() *atomic.Int64 {
	if l.guard == nil {
		return nil
	}
	return l.guard.begun()
}

// spareProcs are the goroutines that may run at once beyond one per processor, beside one
// loop: after its sleep a loop must not wait for the Go scheduler to find it a place; the
// kernel, which knows its priority, decides instead.
const spareProcs = 2

// allowLoops lets so many loops run beside everything else: each needs a place.
func allowLoops(n int) { runtime.GOMAXPROCS(runtime.NumCPU() + spareProcs + n - 1) }

// start calls run, which is a loop until it is told to stop, on a thread of its own, and
// cancel if it fails; the channel closes when it has ended.
func (l *loop) start(ctx context.Context, run func() error, cancel context.CancelCauseFunc) <-chan struct{} {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		// the pacer sleeps in the kernel, and only this thread has priority: it
		// serves no other goroutine and ends with this one
		runtime.LockOSThread()
		unguarded := l.unguarded
		if l.guard != nil {
			unguarded = l.guard.await()
		}
		got := raiseLoop(l.priority, l.isolated, unguarded, func(thread int) { l.guard.watch(thread, l.clock) })
		got.tell(l.asked, l.priority, os.DirFS("/"), l.log)
		switch {
		case got.priority != realtimeOff:
			go l.guard.tell(ctx.Done(), l.log)
		case l.guard != nil:
			l.guard.stop() // there is nothing to guard
		}
		if err := run(); err != nil {
			cancel(fmt.Errorf("simulation loop: %w", err))
		}
	}()
	return ended
}

// close ends the guard.
func (l *loop) close() {
	if l != nil && l.guard != nil {
		l.guard.stop()
	}
}
