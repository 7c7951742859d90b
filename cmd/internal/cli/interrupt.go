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

// endSignals are the signals that request the end of the process: SIGINT, SIGTERM and, unless
// nohup ignores it, SIGHUP of a closed terminal or a lost connection.
func endSignals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// requestWindow is the time during which further signals count as the same request:
// timeout(1) signals the process and its group, a launcher repeats the signal of the terminal.
const requestWindow = time.Second

// ignoredSignals receives the signals after Stop. It has no reader.
var ignoredSignals = make(chan os.Signal, 1)

// Interrupt reports whether one of endSignals has requested the end of the process. A second
// request after requestWindow ends the process immediately.
type Interrupt struct {
	flag       atomic.Bool
	terminated atomic.Bool
	ctx        context.Context
	cancel     context.CancelFunc
	ended      chan struct{}
	stop       sync.Once
}

// WatchInterrupt starts to listen for signals. The caller must call Stop.
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

// Requested reports whether the end of the process has been requested. It reads one atomic
// value.
func (i *Interrupt) Requested() bool { return i.flag.Load() }

// Terminated reports whether the request was SIGTERM or SIGHUP and not Ctrl-C.
func (i *Interrupt) Terminated() bool { return i.terminated.Load() }

// Context returns a context that is cancelled by the request.
func (i *Interrupt) Context() context.Context { return i.ctx }

// Stop ends listening. Later signals are ignored, so that they do not kill a process that is
// about to return its exit code.
func (i *Interrupt) Stop() {
	i.stop.Do(func() {
		signal.Notify(ignoredSignals, endSignals()...)
		close(i.ended)
		i.cancel()
	})
}
