package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// endSignals are what asks the process to end: Ctrl-C, SIGTERM and, unless nohup has it
// ignored, SIGHUP of a terminal that is closed or a connection that is lost.
func endSignals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// requestWindow is how long signals belong to the request that the first has made: timeout(1)
// sends one to the process and one to its group, a launcher sends one after the terminal's.
const requestWindow = time.Second

// ignoredSignals has the signals that come when listening has ended. Nobody reads it.
var ignoredSignals = make(chan os.Signal, 1)

// Interrupt tells whether the process was asked to end, by one of endSignals. Another request,
// later than requestWindow, ends the process at once.
type Interrupt struct {
	flag       atomic.Bool
	terminated atomic.Bool
	ctx        context.Context
	cancel     context.CancelFunc
	ended      chan struct{}
	stop       sync.Once
}

// WatchInterrupt begins to listen. Stop is to be called in the end.
func WatchInterrupt() *Interrupt {
	i := &Interrupt{ended: make(chan struct{})}
	i.ctx, i.cancel = context.WithCancel(context.Background())
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, endSignals()...)
	signal.Stop(ignoredSignals)
	go i.listen(asked)
	return i
}

func (i *Interrupt) listen(asked chan os.Signal) {
	defer signal.Stop(asked)
	select {
	case s := <-asked:
		i.terminated.Store(s != os.Interrupt)
		i.flag.Store(true)
		i.cancel()
	case <-i.ended:
		return
	}
	select {
	case <-time.After(requestWindow):
	case <-i.ended:
	}
}

// Requested reports whether the process was asked to end. It costs next to nothing.
func (i *Interrupt) Requested() bool { return i.flag.Load() }

// Terminated reports whether another program asked, not somebody by Ctrl-C.
func (i *Interrupt) Terminated() bool { return i.terminated.Load() }

// Context ends when the process is asked to.
func (i *Interrupt) Context() context.Context { return i.ctx }

// Stop ends listening, when all is done. A signal that comes then is caught still: it must not
// kill a process on the last of its way to its exit code.
func (i *Interrupt) Stop() {
	i.stop.Do(func() {
		signal.Notify(ignoredSignals, endSignals()...)
		close(i.ended)
		i.cancel()
	})
}
