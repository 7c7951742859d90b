package rtps

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"sinew/pkg/ros/bounded"
	"sinew/pkg/ros/rtps/wire"
)

// WriterOptions configure a writer.
type WriterOptions struct {
	Topic, Type string // DDS names, at most 256 bytes each
	QoS         QoS
	UserData    []byte // USER_DATA of the endpoint
	// Variant returns the index of the payload of WriteVariants for a reader. It is called once per
	// matched reader and must not use the participant. nil means 0.
	Variant func(Endpoint) int
}

// Writer sends samples of one topic.
type Writer struct {
	p       *Participant
	guid    GUID
	variant func(Endpoint) int
	matched atomic.Int32

	mu     sync.Mutex
	staged bounded.Ring[change] // samples that the engine has not taken
	queued bool                 // the engine will take them
	closed bool
}

// minStaged is the number of samples that can be written at once with any depth.
const minStaged = 64

// NewWriter makes a writer and announces it.
func (p *Participant) NewWriter(o WriterOptions) (*Writer, error) {
	q, err := checkEndpoint(o.Topic, o.Type, o.UserData, o.QoS)
	if err != nil {
		return nil, err
	}
	w := &Writer{p: p, variant: o.Variant, staged: bounded.NewRing[change](max(q.Depth, minStaged))}
	e := p.e
	callErr := p.call(func() {
		id, ok := e.newEntity(wire.KindWriterNoKey)
		if !ok || len(e.writers) >= maxLocal {
			err = fmt.Errorf("rtps: a participant has at most %d writers", maxLocal)
			return
		}
		w.guid = GUID{Prefix: p.guid.Prefix, Entity: id}
		l := e.newLocalWriter(q.describe(w.guid, o.Topic, o.Type, o.UserData), q)
		l.handle = w
		e.writers[id] = l
		e.publish(&l.data)
		e.admitReaders(l)
	})
	if callErr != nil {
		return nil, callErr
	}
	if err != nil {
		return nil, err
	}
	return w, nil
}

// GUID returns the identifier of the writer in the domain.
func (w *Writer) GUID() GUID { return w.guid }

// Matched returns the number of matched readers.
func (w *Writer) Matched() int { return int(w.matched.Load()) }

// Ready lists the participants with a reader that has matched the writer: a sample that is written
// now is not lost to it. A reliable reader has then answered a heartbeat; a best-effort reader
// never answers and counts once it is matched.
func (w *Writer) Ready() (all []wire.Prefix) {
	_ = w.p.call(func() {
		l := w.p.e.writers[w.guid.Entity]
		if l == nil {
			return
		}
		for _, p := range l.proxies {
			if p.knows || !p.reliable {
				all = append(all, p.guid.Prefix)
			}
		}
	})
	return all
}

// Write sends a sample with the present time. The payload starts with its encapsulation header and
// must not be changed afterwards. Write never blocks: if samples are written faster than they can
// be sent, older ones are dropped.
func (w *Writer) Write(payload []byte) error { return w.write(change{payload: payload}) }

// WriteOptions are further options of a sample.
type WriteOptions struct {
	// Related identifies the sample to which this one refers; it is sent in the in-line QoS.
	Related SampleIdentity
	// To is the only reader that gets the sample or, without an entity, the only participant. Until
	// that is discovered the sample waits, for two seconds at most and as long as the writer keeps
	// it. The zero value means all.
	To GUID
}

// WriteWith sends a sample with options. As with WriteVariants, several payloads
// are forms of it for different readers.
func (w *Writer) WriteWith(o WriteOptions, payloads ...[]byte) error {
	return w.write(change{variants: payloads, related: o.Related, to: o.To})
}

// WriteNumbered is WriteWith and returns the sequence number of the sample. It waits for the
// participant, but not for any reader.
func (w *Writer) WriteNumbered(o WriteOptions, payloads ...[]byte) (sequence int64, err error) {
	c := change{variants: payloads, related: o.Related, to: o.To}
	if err := c.check(); err != nil {
		return 0, err
	}
	err = ErrClosed
	callErr := w.p.call(func() {
		l := w.p.e.writers[w.guid.Entity]
		if l == nil {
			return
		}
		for _, earlier := range w.p.e.dirty.take() { // samples that were written earlier, also by other writers, are sent first
			w.p.e.flush(earlier)
		}
		w.p.e.takeStaged(w, l)
		c.stamp = wire.TimeOf(time.Now())
		l.write(c)
		sequence, err = l.last, nil
	})
	if callErr != nil {
		return 0, callErr
	}
	return sequence, err
}

// WriteVariants sends a sample whose form depends on the reader; see
// WriterOptions.Variant.
func (w *Writer) WriteVariants(payloads ...[]byte) error { return w.write(change{variants: payloads}) }

func (w *Writer) write(c change) error {
	if err := c.check(); err != nil {
		return err
	}
	c.stamp = wire.TimeOf(time.Now())
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.p.closing:
		return ErrClosed
	default:
	}
	if w.closed {
		return ErrClosed
	}
	if w.staged.Put(c) {
		w.p.stats.add(overrun)
	}
	if !w.queued {
		w.queued = true
		w.p.e.dirty.put(w)
	}
	return nil
}

// check checks the payloads: an encapsulation header, and the maximum size of the protocol.
func (c *change) check() error {
	all := c.variants
	if c.payload != nil {
		all = [][]byte{c.payload}
	}
	if len(all) == 0 {
		return fmt.Errorf("rtps: no payload")
	}
	for _, p := range all {
		if len(p) < 4 || len(p) > math.MaxInt32 {
			return fmt.Errorf("rtps: payload has %d bytes, 4 to %d are allowed", len(p), math.MaxInt32)
		}
	}
	return nil
}

// Close sends what was written and closes the writer. It does not wait for acknowledgements:
// samples lost in transit are not retransmitted.
func (w *Writer) Close() error {
	w.mu.Lock()
	closed := w.closed
	w.closed = true
	w.mu.Unlock()
	if closed {
		return ErrClosed
	}
	return w.p.call(func() {
		if l := w.p.e.writers[w.guid.Entity]; l != nil {
			w.p.e.takeStaged(w, l)
			l.close()
			w.matched.Store(0)
		}
	})
}

// maxFlush is the number of samples that are sent before the engine handles other events.
const maxFlush = 64

// flush writes the samples staged in w, at most maxFlush for now.
func (e *engine) flush(w *Writer) {
	l := e.writers[w.guid.Entity]
	for range maxFlush {
		w.mu.Lock()
		c, ok := w.staged.Take()
		w.queued = ok
		w.mu.Unlock()
		if !ok || l == nil {
			return
		}
		l.write(c)
	}
	e.dirty.put(w)
}

// dirty lists the writers with something to send, each at most once.
type dirty struct {
	mu   sync.Mutex
	list []*Writer
	back []*Writer     // the list that take returned last, for reuse
	wake chan struct{} // capacity 1
}

func (d *dirty) put(w *Writer) {
	d.mu.Lock()
	d.list = append(d.list, w)
	d.mu.Unlock()
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// take returns the list, valid until the next take.
func (d *dirty) take() []*Writer {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.list, d.back = d.back[:0], d.list
	return d.back
}

// takeStaged writes all that is staged in w.
func (e *engine) takeStaged(w *Writer, l *localWriter) {
	for {
		w.mu.Lock()
		c, ok := w.staged.Take()
		w.mu.Unlock()
		if !ok {
			return
		}
		l.write(c)
	}
}

// drain writes what is staged in all writers.
func (e *engine) drain() {
	for _, l := range e.writers {
		if l.handle != nil {
			e.takeStaged(l.handle, l)
		}
	}
}
