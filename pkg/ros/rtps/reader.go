package rtps

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sinew/pkg/ros/bounded"
	"sinew/pkg/ros/rtps/wire"
)

// Sample is a received sample.
type Sample struct {
	Payload  []byte    // the data with their encapsulation header; the receiver's own
	Source   time.Time // time of writing; zero if the writer does not give it
	Writer   GUID
	Sequence int64 // within the writer, from 1
	// Historical reports that a transient local writer kept the sample from before the match with
	// this reader, which is transient local and reliable.
	Historical bool
	Vendor     wire.Vendor // of the writer's participant
	// Related identifies the sample to which this one refers, as replies refer to requests; zero if
	// the writer does not give it.
	Related SampleIdentity

	place uint64 // position among all samples that the participant has received
}

// ReaderOptions configure a reader.
type ReaderOptions struct {
	Topic, Type string // DDS names, at most 256 bytes each
	QoS         QoS
	UserData    []byte // USER_DATA of the endpoint
	// Accept, if not nil, reports whether a writer of the topic may be matched; others are ignored
	// without an event. It must not use the participant.
	Accept func(Endpoint) bool
	// Receive is called with each sample, in the order of each writer, from one goroutine. While it
	// runs, QoS.Depth newer samples are queued.
	Receive func(Sample)
	// Order, if not nil, is shared by readers whose samples are received in the order of their
	// arrival.
	Order *Order
}

// Reader receives samples of one topic.
type Reader struct {
	p       *Participant
	guid    GUID
	accept  func(Endpoint) bool
	inbox   *bounded.Queue[Sample] // samples that Receive has not been called with
	receive func(Sample)
	order   *Order // nil: the reader has a goroutine of its own
	matched atomic.Int32
	closed  atomic.Bool
}

// NewReader makes a reader and announces it.
func (p *Participant) NewReader(o ReaderOptions) (*Reader, error) {
	q, err := checkEndpoint(o.Topic, o.Type, o.UserData, o.QoS)
	if o.Receive == nil {
		err = errors.Join(err, errors.New("rtps: a reader needs Receive"))
	}
	if err != nil {
		return nil, err
	}
	r := &Reader{
		p: p, accept: o.Accept, receive: o.Receive, order: o.Order,
		inbox: newInbox(q.Depth, p.e.opts.Limits.BufferedBytes),
	}
	e := p.e
	callErr := p.call(func() {
		id, ok := e.newEntity(wire.KindReaderNoKey)
		if !ok || len(e.readers) >= maxLocal {
			err = fmt.Errorf("rtps: a participant has at most %d readers", maxLocal)
			return
		}
		r.guid = GUID{Prefix: p.guid.Prefix, Entity: id}
		l := &localReader{e: e, data: q.describe(r.guid, o.Topic, o.Type, o.UserData), handle: r, deliver: r.deliver}
		e.readers[id] = l
		if o.Order != nil {
			o.Order.add(r)
		} else {
			go r.run()
		}
		e.publish(&l.data)
		e.admitWriters(l)
	})
	if callErr != nil {
		return nil, callErr
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// run calls Receive with the queued samples.
func (r *Reader) run() {
	for {
		s, ok := r.inbox.Take()
		if !ok {
			return
		}
		r.receive(s)
	}
}

// newInbox returns a queue of so many samples with so many bytes in total.
func newInbox(depth, bytes int) *bounded.Queue[Sample] {
	return bounded.NewSizedQueue(depth, bytes, func(s Sample) int { return len(s.Payload) })
}

// deliver queues a sample for Receive. Samples that only end an instance carry no data; topics
// without a key have no instances.
func (r *Reader) deliver(from *writerProxy, sequence int64, s sample) {
	if s.key || len(s.payload) < 4 {
		return
	}
	s = s.own()
	r.p.e.received++
	dropped := r.inbox.Put(Sample{
		place:   r.p.e.received,
		Payload: wire.Unpad(s.payload), Source: s.stamp.Time(), Writer: from.guid, Sequence: sequence,
		Historical: sequence <= from.history, Vendor: from.remote.data.Vendor, Related: s.inline.Related,
	})
	r.p.stats.addMany(overwritten, int64(dropped))
	if r.order != nil {
		r.order.notify()
	}
}

// discard ends the queue.
func (r *Reader) discard() {
	r.inbox.Discard()
	if r.order != nil {
		r.order.notify()
	}
}

// GUID returns the identifier of the reader in the domain.
func (r *Reader) GUID() GUID { return r.guid }

// Matched returns the number of matched writers.
func (r *Reader) Matched() int { return int(r.matched.Load()) }

// IsMatchedWith reports whether a writer of a participant is matched.
func (r *Reader) IsMatchedWith(participant wire.Prefix) (hears bool) {
	_ = r.p.call(func() { // fails when the participant is closed: no writer is matched
		l := r.p.e.readers[r.guid.Entity]
		hears = l != nil && slices.ContainsFunc(l.proxies, func(p *writerProxy) bool { return p.guid.Prefix == participant })
	})
	return hears
}

// Ready lists the participants with a writer that has matched the reader: what it writes now
// arrives. A reliable writer has then sent a heartbeat, or has not answered a request for one for a
// second: a writer on RustDDS without samples never sends any. A best-effort writer counts once it
// is matched.
func (r *Reader) Ready() (all []wire.Prefix) {
	_ = r.p.call(func() {
		l := r.p.e.readers[r.guid.Entity]
		if l == nil {
			return
		}
		for _, p := range l.proxies {
			if p.synced || !p.reliable || r.p.e.now.Sub(p.met) >= silentWriter {
				all = append(all, p.guid.Prefix)
			}
		}
	})
	return all
}

// Close closes the reader. It does not wait for a call of Receive that is running; there is no
// later call.
func (r *Reader) Close() error {
	if r.closed.Swap(true) {
		return ErrClosed
	}
	r.discard()
	return r.p.call(func() {
		if l := r.p.e.readers[r.guid.Entity]; l != nil {
			l.close()
			r.matched.Store(0)
		}
	})
}

// Order makes several readers receive from one goroutine, one sample after the other, in the order
// in which the samples arrived. Each reader has a queue of its own, so that a flood for one reader
// does not displace the samples of another.
type Order struct {
	wake chan struct{} // capacity 1

	mu      sync.Mutex
	readers []*Reader
	running bool
}

// NewOrder returns an Order without readers.
func NewOrder() *Order { return &Order{wake: make(chan struct{}, 1)} }

// add makes a reader receive through o.
func (o *Order) add(r *Reader) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.readers = append(o.readers, r)
	if !o.running {
		o.running = true
		go o.run()
	}
}

// notify signals that samples have arrived or a reader has been closed.
func (o *Order) notify() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// run calls Receive of the readers until all are closed.
func (o *Order) run() {
	for {
		r, ended := o.next()
		switch {
		case ended:
			return
		case r == nil:
			<-o.wake
		default:
			if s, ok := r.inbox.Take(); ok { // Close may have removed it
				r.receive(s)
			}
		}
	}
}

// next returns the reader of the oldest queued sample, nil if there is none, and removes closed
// readers. ended reports whether all are closed.
func (o *Order) next() (oldest *Reader, ended bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.oldest()
	// an older sample may have arrived for a reader that had been checked already; the second
	// search finds it
	if oldest = o.oldest(); oldest == nil && len(o.readers) == 0 {
		o.running = false
		return nil, true
	}
	return oldest, false
}

func (o *Order) oldest() (oldest *Reader) {
	least, left := uint64(0), o.readers[:0]
	for _, r := range o.readers {
		s, waits, ended := r.inbox.Oldest()
		if ended {
			continue
		}
		left = append(left, r)
		if waits && (oldest == nil || s.place < least) {
			oldest, least = r, s.place
		}
	}
	clear(o.readers[len(left):])
	o.readers = left
	return oldest
}
