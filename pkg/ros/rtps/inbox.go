package rtps

import "sync"

// ring keeps the last of what is put into it.
type ring[T any] struct {
	items   []T // grows to limit
	limit   int
	head, n int
}

// put reports whether it had to drop the oldest item.
func (r *ring[T]) put(v T) (dropped bool) {
	if r.n == len(r.items) && r.n < r.limit {
		items := make([]T, min(max(8, 2*r.n), r.limit))
		for i := range r.n {
			items[i] = r.items[(r.head+i)%r.n]
		}
		r.items, r.head = items, 0
	}
	if r.n == len(r.items) {
		r.head = (r.head + 1) % r.n
		r.n--
		dropped = true
	}
	r.items[(r.head+r.n)%len(r.items)] = v
	r.n++
	return dropped
}

func (r *ring[T]) take() (v T, ok bool) {
	if r.n == 0 {
		return v, false
	}
	var zero T
	v, r.items[r.head] = r.items[r.head], zero
	r.head = (r.head + 1) % len(r.items)
	r.n--
	return v, true
}

// inbox holds the samples that Receive has not taken yet.
type inbox struct {
	mu     sync.Mutex
	ring   ring[Sample]
	bytes  int // in ring
	limit  int // of bytes
	closed bool
	wake   chan struct{} // capacity 1
}

func newInbox(depth, bytes int) *inbox {
	return &inbox{ring: ring[Sample]{limit: depth}, limit: bytes, wake: make(chan struct{}, 1)}
}

// put reports how many older samples gave way to s: those beyond the depth, and
// those that would make too many bytes.
func (b *inbox) put(s Sample) (dropped int64) {
	b.mu.Lock()
	for b.ring.n > 0 && !b.closed && (b.ring.n == b.ring.limit || b.bytes+len(s.Payload) > b.limit) {
		b.take()
		dropped++
	}
	if !b.closed {
		b.ring.put(s)
		b.bytes += len(s.Payload)
	}
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
	return dropped
}

// take needs the lock.
func (b *inbox) take() (Sample, bool) {
	s, ok := b.ring.take()
	b.bytes -= len(s.Payload)
	return s, ok
}

// run calls receive with every sample until the inbox is closed.
func (b *inbox) run(receive func(Sample)) {
	for {
		b.mu.Lock()
		s, ok := b.take()
		closed := b.closed
		b.mu.Unlock()
		switch {
		case closed:
			return
		case ok:
			receive(s)
		default:
			<-b.wake
		}
	}
}

// close drops what was not taken and ends run.
func (b *inbox) close() {
	b.mu.Lock()
	b.closed = true
	b.ring = ring[Sample]{}
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}
