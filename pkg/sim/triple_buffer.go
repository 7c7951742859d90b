package sim

import "sync/atomic"

// tripleBuffer passes the newest of three buffers from one writer to one reader,
// and neither ever waits for the other. It holds the indices of the buffers; its
// owner keeps the buffers themselves.
type tripleBuffer struct {
	middle atomic.Uint32 // index of the buffer between the two, | unread
	back   uint32        // index of the writer's buffer
	front  uint32        // index of the reader's buffer
}

// unread marks a middle buffer that the reader has not taken.
const unread = 4

// init must come before any other use.
func (t *tripleBuffer) init() {
	t.back, t.front = 0, 2
	t.middle.Store(1)
}

// publish makes the back buffer the newest one; the writer gets another.
func (t *tripleBuffer) publish() {
	t.back = t.middle.Swap(t.back|unread) &^ unread
}

// take makes the newest buffer the front one. It reports false if the reader has
// that one already.
func (t *tripleBuffer) take() bool {
	if t.middle.Load()&unread == 0 {
		return false
	}
	t.front = t.middle.Swap(t.front) &^ unread
	return true
}
