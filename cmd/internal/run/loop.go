package run

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"

	"go.uber.org/zap"

	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/scheduling"
	"sinew/pkg/sim"
)

// loop is a thread of its own that steps one simulator, or several in turn.
type loop struct {
	log       *zap.Logger
	clock     sim.Clock
	asked     string              // value of --realtime
	priority  scheduling.Priority // the same, parsed
	processor int                 // isolated processor of the thread; -1: none

	guard     *scheduling.Guard // nil without priority
	unguarded error             // why guard is nil although there is a priority
}

// parseRealtime reads the value of --realtime.
func parseRealtime(text string) (scheduling.Priority, error) {
	p, err := scheduling.ParsePriority(text)
	if err != nil {
		return 0, exitcode.Usagef("--realtime %.40q: %v", text, err)
	}
	return p, nil
}

// newLoop returns loop number i of several. If it is to have real-time priority, newLoop
// starts its guard.
func newLoop(asked string, p scheduling.Priority, i, loops int, log *zap.Logger) *loop {
	l := &loop{log: log, asked: asked, priority: p, processor: scheduling.IsolatedProcessor(i, loops, os.DirFS("/"))}
	if p != scheduling.Off {
		l.guard, l.unguarded = scheduling.StartGuard(p)
	}
	return l
}

// begun returns where the simulators of the loop store when their control period began, nil
// without a guard.
func (l *loop) begun() *atomic.Int64 {
	if l.guard == nil {
		return nil
	}
	return l.guard.Begun()
}

// spareProcs is how many more goroutines may run at once than there are processors, beside
// one loop: a loop that wakes up must not wait for the Go scheduler to assign it a P. The
// kernel, which knows its priority, decides instead.
const spareProcs = 2

// allowLoops raises GOMAXPROCS so that n loops run beside everything else.
func allowLoops(n int) { runtime.GOMAXPROCS(runtime.NumCPU() + spareProcs + n - 1) }

// start calls run, which steps simulators until it is stopped, on a thread of its own, and
// cancel if run fails. The channel is closed when run has returned.
func (l *loop) start(ctx context.Context, run func() error, cancel context.CancelCauseFunc) <-chan struct{} {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		// the pacer sleeps in the kernel, and only this thread has priority: it
		// runs no other goroutine and ends with this one
		runtime.LockOSThread()
		unguarded := l.unguarded
		if l.guard != nil {
			unguarded = l.guard.Await()
		}
		got := scheduling.RaiseThread(l.priority, l.processor, unguarded, func(thread int) { l.guard.Watch(thread, l.clock) })
		l.logGrant(got)
		switch {
		case got.Priority != scheduling.Off:
			go l.guard.Log(ctx.Done(), l.log)
		case l.guard != nil:
			l.guard.Stop() // there is nothing to guard
		}
		if err := run(); err != nil {
			cancel(fmt.Errorf("simulation loop: %w", err))
		}
	}()
	return ended
}

// logGrant logs in one line what the loop's thread was granted of what was asked for, and
// what is missing.
func (l *loop) logGrant(got scheduling.Grant) {
	fields := []zap.Field{zap.String("loop", got.String())}
	if l.priority == scheduling.Off {
		l.log.Info("scheduling", append(fields, zap.String("realtime", "off"))...)
		return
	}
	if list := got.Missing(l.priority, os.DirFS("/")); len(list) > 0 {
		fields = append(fields, zap.String("missing", strings.Join(list, "; ")))
	}
	if got.Priority != l.priority && l.asked != "auto" && l.asked != "" {
		l.log.Warn("--realtime "+l.asked+" is not permitted", fields...)
		return
	}
	l.log.Info("scheduling", fields...)
}

// close ends the guard.
func (l *loop) close() {
	if l != nil && l.guard != nil {
		l.guard.Stop()
	}
}
