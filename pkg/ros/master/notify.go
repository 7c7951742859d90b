package master

import (
	"context"
	"sync"

	"go.uber.org/zap"

	"sinew/pkg/ros/masterclient"
)

// notice is a notification for a slave.
type notice struct {
	method  string
	subject string // topic or key: a newer notice of the same subject replaces an older one
	args    []any
}

// notifier notifies slaves of changes: per slave in order, one call at a time, and only with the
// newest state of each subject. post never waits.
type notifier struct {
	ctx    context.Context
	cancel context.CancelFunc
	log    *zap.Logger
	done   sync.WaitGroup

	mu     sync.Mutex
	queues map[string]*queue // by slave URI; each has a goroutine
}

// queue holds the pending subjects of one slave, in order, with at most one notice of each.
type queue struct {
	order  []subject
	newest map[subject]notice
}

type subject struct{ method, name string }

func newNotifier(log *zap.Logger) *notifier {
	ctx, cancel := context.WithCancel(context.Background())
	return &notifier{ctx: ctx, cancel: cancel, log: log, queues: map[string]*queue{}}
}

// post queues a notice for the slave at uri.
func (n *notifier) post(uri string, x notice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ctx.Err() != nil {
		return
	}
	q := n.queues[uri]
	if q == nil {
		if len(n.queues) >= maxQueues {
			n.log.Warn("too many slaves to notify at once", zap.String("slave", uri), zap.String("method", x.method))
			return
		}
		q = &queue{newest: map[subject]notice{}}
		n.queues[uri] = q
		n.done.Go(func() { n.work(uri) })
	}
	key := subject{x.method, x.subject}
	if _, waits := q.newest[key]; !waits {
		q.order = append(q.order, key)
	}
	q.newest[key] = x
}

// work sends the queue of a slave until it is empty.
func (n *notifier) work(uri string) {
	for {
		x, ok := n.take(uri)
		if !ok {
			return
		}
		ctx, cancel := context.WithTimeout(n.ctx, notifyTimeout)
		_, err := masterclient.Call(ctx, uri, x.method, x.args...)
		cancel()
		if err != nil && n.ctx.Err() == nil {
			n.log.Debug("slave not notified", zap.String("slave", uri), zap.String("method", x.method),
				zap.String("subject", x.subject), zap.Error(err))
		}
	}
}

// take removes the first notice from a slave's queue, and the queue once it is empty.
func (n *notifier) take(uri string) (notice, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	q := n.queues[uri]
	if len(q.order) == 0 || n.ctx.Err() != nil {
		delete(n.queues, uri)
		return notice{}, false
	}
	key := q.order[0]
	q.order = q.order[1:]
	x := q.newest[key]
	delete(q.newest, key)
	return x, true
}

// close drops the queues and waits for the calls under way, which end at once.
func (n *notifier) close() {
	n.mu.Lock()
	n.cancel()
	n.mu.Unlock()
	n.done.Wait()
}
