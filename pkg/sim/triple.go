package sim

import "sync/atomic"

// triple passes the newest of three buffers from one writer to one reader, and
// neither ever waits for the other. It deals in indices; its owner keeps the
// buffers.
type triple struct {
	middle      atomic.Uint32 // a buffer that nobody works on, | unread
	back, front uint32        // the writer's and the reader's buffer
}

const unread = 4

// init must come before any other use.
func (t *triple) init() {
	t.back, t.front = 0, 2
	t.middle.Store(1)
}

// publish makes the back buffer the newest one; the writer gets another.
func (t *triple) publish() {
	t.back = t.middle.Swap(t.back|unread) &^ unread
}

// take makes the newest buffer the front one, if there is one not yet taken.
func (t *triple) take() bool {
	if t.middle.Load()&unread == 0 {
		return false
	}
	t.front = t.middle.Swap(t.front) &^ unread
	return true
}
