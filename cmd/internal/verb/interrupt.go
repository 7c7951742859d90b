package verb

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// EndSignals are what asks the process to end: Ctrl-C, SIGTERM and, unless nohup has it
// ignored, SIGHUP of a terminal that is closed or a connection that is lost.
func EndSignals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// Interrupt tells whether the process was asked to end, by one of EndSignals. A second
// request ends the process at once.
type Interrupt struct {
	flag       atomic.Bool
	terminated atomic.Bool
	ctx        context.Context
	stop       context.CancelFunc
}

// WatchInterrupt begins to listen. Stop is to be called in the end.
func WatchInterrupt() *Interrupt {
	i := new(Interrupt)
	i.ctx, i.stop = context.WithCancel(context.Background())
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, EndSignals()...)
	go func() {
		select {
		case s := <-asked:
			i.terminated.Store(s != os.Interrupt)
			i.flag.Store(true)
		case <-i.ctx.Done():
		}
		signal.Stop(asked)
		i.stop()
	}()
	return i
}

// Asked reports whether the process was asked to end. It costs next to nothing.
func (i *Interrupt) Asked() bool { return i.flag.Load() }

// Terminated reports whether another program asked, not somebody by Ctrl-C.
func (i *Interrupt) Terminated() bool { return i.terminated.Load() }

// Context ends when the process is asked to.
func (i *Interrupt) Context() context.Context { return i.ctx }

// Stop ends listening.
func (i *Interrupt) Stop() { i.stop() }
