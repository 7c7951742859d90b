package verb

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// Interrupt tells whether the process was asked to end, by Ctrl-C or SIGTERM. A
// second request ends the process at once.
type Interrupt struct {
	flag atomic.Bool
	ctx  context.Context
	stop context.CancelFunc
}

// WatchInterrupt begins to listen. Stop is to be called in the end.
func WatchInterrupt() *Interrupt {
	i := new(Interrupt)
	i.ctx, i.stop = signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(i.ctx, func() {
		i.flag.Store(true)
		i.stop()
	})
	return i
}

// Asked reports whether the process was asked to end. It costs next to nothing.
func (i *Interrupt) Asked() bool { return i.flag.Load() }

// Context ends when the process is asked to.
func (i *Interrupt) Context() context.Context { return i.ctx }

// Stop ends listening.
func (i *Interrupt) Stop() { i.stop() }
