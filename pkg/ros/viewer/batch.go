package viewer

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Messages within batchDelay after the first are written to a viewer together, in one system call,
// and batches are at least batchPeriod apart, which suffices for screens.
const (
	batchDelay  = 3 * time.Millisecond
	batchPeriod = 8 * time.Millisecond
	// Messages that belong to a picture wait for the next one for this time.
	pictureDelay = 50 * time.Millisecond
)

// batchBytes is the approximate size of one write.
const batchBytes = 64 << 10

// batchConn is a connection that can collect what is written to it.
type batchConn struct {
	net.Conn

	mu      sync.Mutex
	collect bool
	buf     []byte

	ending atomic.Bool // what arrives is discarded
	left   int         // bytes that are still read; belongs to the reading goroutine
}

// From a viewer that is disconnected drainedBytes more are read, its answer included. If it sends
// more, such as the rest of a message that was too large, the connection stays open for lingerTime,
// in which the viewer can read the reason, and the bytes are discarded.
const (
	drainedBytes = 64 << 10
	lingerTime   = 250 * time.Millisecond
)

// end makes Read discard what arrives. The reading goroutine calls it.
func (c *batchConn) end() {
	c.left = drainedBytes
	c.ending.Store(true)
}

// Read implements net.Conn.
func (c *batchConn) Read(b []byte) (int, error) {
	if !c.ending.Load() {
		return c.Conn.Read(b)
	}
	if c.left <= 0 {
		time.Sleep(lingerTime)
		return 0, io.EOF
	}
	n, err := c.Conn.Read(b)
	c.left -= n
	return n, err
}

// Write implements net.Conn. While it collects it returns no error; flush then does.
func (c *batchConn) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.collect {
		return c.Conn.Write(b)
	}
	c.buf = append(c.buf, b...)
	if len(c.buf) < batchBytes {
		return len(b), nil
	}
	return len(b), c.send()
}

// isWriting reports whether a write is under way, which takes long if the viewer does not read.
func (c *batchConn) isWriting() bool {
	if !c.mu.TryLock() {
		return true
	}
	c.mu.Unlock()
	return false
}

// send writes what was collected. The caller holds the lock.
func (c *batchConn) send() error {
	_, err := c.Conn.Write(c.buf)
	c.buf = c.buf[:0]
	if cap(c.buf) > 2*batchBytes {
		c.buf = nil
	}
	return err
}

// begin begins collecting.
func (c *batchConn) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.collect = true
}

// flush writes what was collected and ends collecting.
func (c *batchConn) flush() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.collect = false
	if len(c.buf) == 0 {
		return nil
	}
	return c.send()
}

// batchListener makes a batchConn of every connection.
type batchListener struct{ net.Listener }

// Accept implements net.Listener.
func (l batchListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &batchConn{Conn: c}, nil
}

// connKey is the key of the connection in the context of its requests.
type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// connOf returns the connection of a request.
func connOf(r *http.Request) *batchConn { return r.Context().Value(connKey{}).(*batchConn) }
