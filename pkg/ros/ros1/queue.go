package ros1

import "sync/atomic"

// queue passes values from one goroutine to another without ever making the
// first one wait: when it is full, the oldest value is dropped.
type queue[T any] struct {
	c       chan T // receive from it; closed by the sender at the end
	dropped atomic.Uint64
}

func newQueue[T any](depth int) *queue[T] { return &queue[T]{c: make(chan T, depth)} }

// put appends v. Only one goroutine at a time may call it. It reports whether
// nothing was dropped.
func (q *queue[T]) put(v T) bool {
	for kept := true; ; kept = false {
		select {
		case q.c <- v:
			return kept
		default:
		}
		select {
		case <-q.c:
			q.dropped.Add(1)
		default: // the receiver was faster
		}
	}
}
