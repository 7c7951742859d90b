package sim

import (
	"sync"
	"sync/atomic"
)

// queueSize is the number of commands that may wait in lock-step.
const queueSize = 1024

// queuedCommand holds the values that were commanded on a port.
type queuedCommand struct {
	port   int
	n      int       // width of the port
	values []float64 // the first n are the command
}

// commandQueue passes every command to the loop, in order. Any goroutine may add;
// taking never waits and is for one goroutine. When it is full it refuses a
// command, where the queues of networks drop the oldest: in lock-step none may be
// lost.
type commandQueue struct {
	writers  sync.Mutex
	commands [queueSize]queuedCommand
	added    atomic.Uint64 // commands added since the beginning
	taken    atomic.Uint64 // commands dropped since the beginning
	ready    chan struct{} // receives after a command was added
}

// newCommandQueue returns an empty queue for commands of at most width values.
func newCommandQueue(width int) *commandQueue {
	q := &commandQueue{ready: make(chan struct{}, 1)}
	for i := range q.commands {
		q.commands[i].values = make([]float64, width)
	}
	return q
}

// add appends a command. It reports false if the queue is full.
func (q *commandQueue) add(port int, v []float64) bool {
	q.writers.Lock()
	defer q.writers.Unlock()
	n := q.added.Load()
	if n-q.taken.Load() == queueSize {
		return false
	}
	c := &q.commands[n%queueSize]
	c.port, c.n = port, copy(c.values, v)
	q.added.Store(n + 1)
	notify(q.ready)
	return true
}

// empty reports whether no command waits.
func (q *commandQueue) empty() bool { return q.taken.Load() == q.added.Load() }

// peek returns the oldest command, which stays valid until drop.
func (q *commandQueue) peek() (port int, v []float64, ok bool) {
	if q.empty() {
		return 0, nil, false
	}
	c := &q.commands[q.taken.Load()%queueSize]
	return c.port, c.values[:c.n], true
}

// drop removes the oldest command.
func (q *commandQueue) drop() { q.taken.Add(1) }

// clear removes all commands.
func (q *commandQueue) clear() { q.taken.Store(q.added.Load()) }

// notify makes the next receive from a channel of capacity 1 succeed, without
// ever waiting.
func notify(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
