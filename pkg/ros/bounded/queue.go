package bounded

import "sync"

// Queue passes items from any goroutines to one without blocking the former: if too many items, or
// too large ones, are queued, the oldest are dropped.
type Queue[T any] struct {
	sizeOf  func(T) int // nil if only the number counts
	maxSize int
	wake    chan struct{} // capacity 1

	mu      sync.Mutex
	ring    Ring[T]
	size    int // sum of the sizes of the items in ring
	dropped uint64
	closed  bool
}

// NewQueue returns a Queue of at most limit items.
func NewQueue[T any](limit int) *Queue[T] {
	return &Queue[T]{ring: NewRing[T](limit), wake: make(chan struct{}, 1)}
}

// NewSizedQueue returns a Queue of at most limit items with a total size of at most maxSize. A
// larger item is queued alone.
func NewSizedQueue[T any](limit, maxSize int, sizeOf func(T) int) *Queue[T] {
	q := NewQueue[T](limit)
	q.maxSize, q.sizeOf = maxSize, sizeOf
	return q
}

// Put appends v and returns the number of older items that it displaced. A closed queue drops v.
func (q *Queue[T]) Put(v T) (dropped int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return 0
	}
	n := q.measure(v)
	for q.ring.Len() > 0 && (q.ring.Full() || q.sizeOf != nil && q.size+n > q.maxSize) {
		q.take()
		dropped++
	}
	q.ring.Put(v)
	q.size += n
	q.dropped += uint64(dropped)
	q.notify()
	return dropped
}

// Take returns the oldest item; it waits until there is one. After Close it returns the remaining
// items, then false.
func (q *Queue[T]) Take() (v T, ok bool) {
	for {
		q.mu.Lock()
		v, ok = q.take()
		closed := q.closed
		q.mu.Unlock()
		if ok || closed {
			return v, ok
		}
		<-q.wake
	}
}

// Oldest returns the item that Take would return, and whether there is one, without waiting; ended
// means that there is none and that the queue is closed.
func (q *Queue[T]) Oldest() (v T, ok, ended bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ring.Len() > 0 {
		return *q.ring.At(0), true, false
	}
	return v, false, q.closed
}

// Close closes the queue; queued items can still be taken.
func (q *Queue[T]) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.notify()
}

// Discard closes the queue and removes its items, without counting them as dropped.
func (q *Queue[T]) Discard() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.ring.Clear()
	q.size = 0
	q.notify()
}

// Dropped returns the number of items that newer ones have displaced.
func (q *Queue[T]) Dropped() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dropped
}

// Len returns the number of queued items.
func (q *Queue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.ring.Len()
}

// Size returns the total size of the queued items.
func (q *Queue[T]) Size() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.size
}

// take removes the oldest item. The caller holds the lock.
func (q *Queue[T]) take() (T, bool) {
	v, ok := q.ring.Take()
	if ok {
		q.size -= q.measure(v)
	}
	return v, ok
}

func (q *Queue[T]) measure(v T) int {
	if q.sizeOf == nil {
		return 0
	}
	return q.sizeOf(v)
}

func (q *Queue[T]) notify() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}
