package parameter

import (
	"context"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros/masterclient"
)

// Offer keeps one parameter on the parameter server of ROS 1 while a node runs, unless others
// have set it: theirs stays. What this node has put there goes away with it.
type Offer struct {
	client masterclient.Client
	key    string
	ours   func(value any) bool
	log    *zap.Logger
	wake   chan struct{} // capacity 1
	ctx    context.Context
	stop   context.CancelFunc
	ended  sync.WaitGroup

	mu    sync.Mutex
	value string

	put string // the value of ours that is there, empty without; of the goroutine
}

// offerRetry is the pause after a master that did not answer.
const offerRetry = time.Second

// NewOffer begins to offer a value by the absolute name of its parameter, once Look is called.
// ours tells a value that a node of this name has put there before, and not taken back because
// it died.
func NewOffer(client masterclient.Client, key, value string, ours func(value any) bool, log *zap.Logger) *Offer {
	o := &Offer{client: client, key: key, value: value, ours: ours, log: log, wake: make(chan struct{}, 1)}
	o.ctx, o.stop = context.WithCancel(context.Background())
	o.ended.Go(o.run)
	return o
}

// Set offers another value from now on.
func (o *Offer) Set(value string) {
	o.mu.Lock()
	o.value = value
	o.mu.Unlock()
	o.Look()
}

// Look makes the offer read the server again, which may be new or may have changed.
func (o *Offer) Look() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *Offer) run() {
	for {
		select {
		case <-o.ctx.Done():
			return
		case <-o.wake:
		}
		if err := o.look(); err != nil {
			o.log.Debug("parameter server not reached", zap.Error(err))
			time.AfterFunc(offerRetry, o.Look)
		}
	}
}

// look sets the parameter where it is nobody else's.
func (o *Offer) look() error {
	ctx, cancel := context.WithTimeout(o.ctx, mirrorCall)
	defer cancel()
	o.mu.Lock()
	value := o.value
	o.mu.Unlock()
	there, set, err := o.client.Param(ctx, o.key)
	switch {
	case err != nil:
		return err
	case set && there == any(value):
		o.put = value
		return nil
	case set && !o.ours(there):
		if o.put != "" {
			o.log.Info("parameter left to who has set it", zap.String("parameter", o.key))
		}
		o.put = ""
		return nil
	}
	was, err := o.client.SwapParams(ctx, map[string]any{o.key: value})
	if err != nil {
		return err
	}
	if theirs, set := was[o.key]; set && theirs != any(value) && !o.ours(theirs) { // since the look
		o.put = ""
		return o.client.SetParam(ctx, o.key, theirs)
	}
	o.put = value
	return nil
}

// Close takes back what this node has put there, and nothing that others have set since.
func (o *Offer) Close() {
	o.stop()
	o.ended.Wait()
	if o.put == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), mirrorLeave)
	defer cancel()
	was, err := o.client.TakeParams(ctx, []string{o.key})
	if theirs, set := was[o.key]; set && theirs != any(o.put) {
		err = o.client.SetParam(ctx, o.key, theirs)
	}
	if err != nil {
		o.log.Debug("parameter stays on the server", zap.String("parameter", o.key), zap.Error(err))
	}
}
