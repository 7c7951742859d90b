package ros1

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros/masterclient"
)

// the kinds of registrations
const (
	publishes = iota
	subscribes
	serves
	watches // parameters below a name
)

// registration is an entry at the master.
type registration struct {
	what       int
	name, kind string
	known      func() // of watches: called when the master, perhaps a new one, has begun to report changes
	registered bool
}

// registrar keeps the registrations at the master up to date. One goroutine makes all calls; the
// rest of the node never waits for the master.
type registrar struct {
	node    string
	master  masterclient.Client
	log     *zap.Logger
	sources *sources
	address func() (slave, tcpros string, err error)
	finish  func(reason string)

	wake   chan struct{} // capacity 1
	stop   chan struct{}
	ended  chan struct{}
	cancel context.CancelFunc // of calls under way

	mu   sync.Mutex
	list []*registration

	// of the goroutine
	ctx           context.Context
	slave, tcpros string // once known
	pid           int    // of the master that has the registrations; 0 is none
	silent        bool   // a master that does not answer has been logged
	fresh         bool   // this master has no registration yet
}

func newRegistrar(o Options, x *sources, address func() (slave, tcpros string, err error), finish func(string)) *registrar {
	return &registrar{
		node:    o.Node,
		master:  masterclient.Client{URI: o.Master.URI(), Caller: o.Node},
		log:     o.Log,
		sources: x,
		address: address,
		finish:  finish,
		wake:    make(chan struct{}, 1),
		stop:    make(chan struct{}),
		ended:   make(chan struct{}),
	}
}

func (r *registrar) start(watch time.Duration) {
	r.ctx, r.cancel = context.WithCancel(context.Background())
	go r.run(watch)
}

// add adds a registration and makes it at once if the master answers.
func (r *registrar) add(what int, name, kind string) {
	r.addOne(&registration{what: what, name: name, kind: kind})
}

func (r *registrar) addOne(x *registration) {
	r.mu.Lock()
	r.list = append(r.list, x)
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// names returns the registrations of a kind as pairs of name and type.
func (r *registrar) names(what int) (pairs [][]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range r.list {
		if x.what == what {
			pairs = append(pairs, []string{x.name, x.kind})
		}
	}
	return pairs
}

// run keeps the registrations up to date until close. The pause never grows: one refused connection
// per second costs nothing, and a longer pause would delay the registration after the restart of a
// master.
func (r *registrar) run(watch time.Duration) {
	defer close(r.ended)
	tick := time.NewTicker(watch)
	defer tick.Stop()
	for {
		r.reconcile()
		select {
		case <-r.stop:
			return
		case <-r.wake:
		case <-tick.C:
		}
	}
}

// reconcile compares the registrations at the master with the list.
func (r *registrar) reconcile() {
	err := r.update()
	switch {
	case r.ctx.Err() != nil:
	case err == nil:
		r.sources.checkKept(r.ctx)
	case !r.silent:
		r.silent = true
		r.log.Warn("not registered with the ROS master; retrying every second", zap.String("master", r.master.URI), zap.Error(err))
	}
}

func (r *registrar) update() (err error) {
	if r.slave, r.tcpros, err = r.address(); err != nil {
		return err
	}
	if err := r.recognise(); err != nil {
		return err
	}
	count := 0
	for _, x := range r.which(false) {
		if r.stopped() {
			return nil
		}
		if err := r.register(x); err != nil {
			return fmt.Errorf("registering %s: %w", x.name, err)
		}
		count++
	}
	if r.silent || r.fresh && count > 0 {
		r.silent, r.fresh = false, false
		r.log.Info("registered with the ROS master", zap.String("master", r.master.URI))
	}
	return nil
}

// recognise determines whether the master still has this node, and whether it has been restarted.
func (r *registrar) recognise() error {
	ctx, cancel := context.WithTimeout(r.ctx, callTime)
	defer cancel()
	uri, err := r.master.LookupNode(ctx, r.node)
	known := err == nil
	if err != nil && !masterclient.Refuses(err) {
		return err
	}
	// asked last, so that what a master has said that was restarted meanwhile does not count as of the one before
	pid, err := r.master.PID(ctx)
	if err != nil {
		return err
	}
	switch {
	case known && uri == r.slave && pid == r.pid:
	case known && uri != r.slave && pid == r.pid && len(r.which(true)) > 0:
		r.finish("another node registered with the same name " + r.node)
	default:
		r.markLost(pid)
	}
	return nil
}

// markLost marks all registrations as lost, at a master with the given process number.
func (r *registrar) markLost(pid int) {
	if len(r.which(true)) > 0 {
		r.log.Info("ROS master was restarted or lost this node's registration; registering again", zap.String("master", r.master.URI))
	}
	r.pid, r.fresh = pid, true
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range r.list {
		x.registered = false
	}
}

// which lists the registrations that are made, or those that are not.
func (r *registrar) which(registered bool) (list []*registration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range r.list {
		if x.registered == registered {
			list = append(list, x)
		}
	}
	return list
}

func (r *registrar) register(x *registration) (err error) {
	ctx, cancel := context.WithTimeout(r.ctx, callTime)
	defer cancel()
	switch x.what {
	case publishes:
		_, err = r.master.RegisterPublisher(ctx, x.name, x.kind, r.slave)
	case subscribes:
		before := r.sources.version(x.name)
		var uris []string
		if uris, err = r.master.RegisterSubscriber(ctx, x.name, x.kind, r.slave); err == nil {
			r.sources.registered(x.name, uris, before)
		}
	case serves:
		err = r.master.RegisterService(ctx, x.name, r.tcpros, r.slave)
	case watches:
		if _, err = r.master.SubscribeParam(ctx, x.name, r.slave); err == nil {
			x.known()
		}
	}
	if err == nil {
		r.mu.Lock()
		x.registered = true
		r.mu.Unlock()
	}
	return err
}

func (r *registrar) stopped() bool {
	select {
	case <-r.stop:
		return true
	default:
		return false
	}
}

// close unregisters everything, as far as the master answers in time. A call under way gets half of
// that time, since a registration that is cancelled may still be made.
func (r *registrar) close() {
	close(r.stop)
	select {
	case <-r.ended:
	case <-time.After(goodbyeTime / 2):
		r.cancel()
		<-r.ended
	}
	r.cancel()
	ctx, cancel := context.WithTimeout(context.Background(), goodbyeTime/2)
	defer cancel()
	left := r.which(true)
	for len(left) > 0 && ctx.Err() == nil {
		if err := r.unregister(ctx, left[0]); err != nil && !errors.As(err, new(*masterclient.StatusError)) {
			break // the master does not answer
		}
		left = left[1:]
	}
	if len(left) > 0 {
		r.log.Warn("shut down without unregistering: the ROS master did not answer in time; rosnode cleanup removes the stale entries",
			zap.String("master", r.master.URI), zap.Int("registrations", len(left)))
	}
}

func (r *registrar) unregister(ctx context.Context, x *registration) error {
	switch x.what {
	case publishes:
		return r.master.UnregisterPublisher(ctx, x.name, r.slave)
	case subscribes:
		return r.master.UnregisterSubscriber(ctx, x.name, r.slave)
	case watches:
		return r.master.UnsubscribeParam(ctx, x.name, r.slave)
	default:
		return r.master.UnregisterService(ctx, x.name, r.tcpros)
	}
}
