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
	closed bool
	wake   chan struct{} // capacity 1
}

func newInbox(depth int) *inbox {
	return &inbox{ring: ring[Sample]{limit: depth}, wake: make(chan struct{}, 1)}
}

func (b *inbox) put(s Sample) (dropped bool) {
	b.mu.Lock()
	if !b.closed {
		dropped = b.ring.put(s)
	}
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
	return dropped
}

// run calls receive with every sample until the inbox is closed.
func (b *inbox) run(receive func(Sample)) {
	for {
		b.mu.Lock()
		s, ok := b.ring.take()
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
