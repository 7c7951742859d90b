package parameter

import (
	"context"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros/masterclient"
)

// Offer keeps one parameter on the parameter server of ROS 1 while a node runs, unless others have
// set it. Close deletes it if this node has set it.
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

	put string // the value that this node has set, empty without; of the goroutine
}

// offerRetry is the pause after a master that did not answer.
const offerRetry = time.Second

// NewOffer returns an Offer of a value for a parameter with an absolute name. It is set once Recheck
// is called. ours reports whether a value was set by a node of this name that died without deleting
// it.
func NewOffer(client masterclient.Client, key, value string, ours func(value any) bool, log *zap.Logger) *Offer {
	o := &Offer{client: client, key: key, value: value, ours: ours, log: log, wake: make(chan struct{}, 1)}
	o.ctx, o.stop = context.WithCancel(context.Background())
	o.ended.Go(o.run)
	return o
}

// Set changes the offered value.
func (o *Offer) Set(value string) {
	o.mu.Lock()
	o.value = value
	o.mu.Unlock()
	o.Recheck()
}

// Recheck makes the offer read the server again, after a restart of the server or a change.
func (o *Offer) Recheck() {
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
		if err := o.checkServer(); err != nil {
			o.log.Debug("parameter server not reached", zap.Error(err))
			time.AfterFunc(offerRetry, o.Recheck)
		}
	}
}

// checkServer sets the parameter unless others have set it.
func (o *Offer) checkServer() error {
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
	if theirs, set := was[o.key]; set && theirs != any(value) && !o.ours(theirs) { // since the check
		o.put = ""
		return o.client.SetParam(ctx, o.key, theirs)
	}
	o.put = value
	return nil
}

// Close deletes the parameter unless others have set it since.
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
