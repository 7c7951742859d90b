package sim

import (
	"sync"
	"sync/atomic"
)

// queueSize is the number of commands that may wait in lock-step.
const queueSize = 1024

// letter is a command: values for a port.
type letter struct {
	port   int
	n      int
	values []float64 // n of them count
}

// queue passes every command to the loop, in order. Any goroutine may add;
// taking never waits and is for one goroutine.
type queue struct {
	writers sync.Mutex
	letters [queueSize]letter
	added   atomic.Uint64 // commands since the beginning
	taken   atomic.Uint64
	ready   chan struct{} // receives after a command was added
}

func newQueue(width int) *queue {
	q := &queue{ready: make(chan struct{}, 1)}
	for i := range q.letters {
		q.letters[i].values = make([]float64, width)
	}
	return q
}

// add appends a command. It reports false if the queue is full.
func (q *queue) add(port int, v []float64) bool {
	q.writers.Lock()
	defer q.writers.Unlock()
	n := q.added.Load()
	if n-q.taken.Load() == queueSize {
		return false
	}
	l := &q.letters[n%queueSize]
	l.port, l.n = port, copy(l.values, v)
	q.added.Store(n + 1)
	notify(q.ready)
	return true
}

// empty reports whether no command waits.
func (q *queue) empty() bool { return q.taken.Load() == q.added.Load() }

// peek is the oldest command, which stays valid until drop.
func (q *queue) peek() (port int, v []float64, ok bool) {
	if q.empty() {
		return 0, nil, false
	}
	l := &q.letters[q.taken.Load()%queueSize]
	return l.port, l.values[:l.n], true
}

// drop removes the oldest command.
func (q *queue) drop() { q.taken.Add(1) }

// clear removes all commands.
func (q *queue) clear() { q.taken.Store(q.added.Load()) }

// notify makes the next receive from a channel of capacity 1 succeed, without
// ever waiting.
func notify(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
