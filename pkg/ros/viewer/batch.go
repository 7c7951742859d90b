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

// What comes within batchDelay of the first message is written to a viewer with it, in one system call, and
// batches are at least batchPeriod apart. Screens show no more.
const (
	batchDelay  = 3 * time.Millisecond
	batchPeriod = 8 * time.Millisecond
	// What comes with pictures waits for the next one so long.
	pictureDelay = 50 * time.Millisecond
)

// batchBytes is about how much is written at once.
const batchBytes = 64 << 10

// batchConn is a connection that can collect what is written to it.
type batchConn struct {
	net.Conn

	mu      sync.Mutex
	collect bool
	buf     []byte

	ending atomic.Bool // nothing that comes is of use any more
	left   int         // bytes that are read nevertheless; belongs to who reads
}

// Of a viewer that is sent away drainedBytes more are read, among them its answer. One that sends more, such as the rest of a
// message that was too large, keeps the connection for lingerTime, in which it can read why, and is not listened to.
const (
	drainedBytes = 64 << 10
	lingerTime   = 250 * time.Millisecond
)

// end makes what comes be of no use. Who reads calls it.
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

// send writes what was collected. The caller holds the lock.
func (c *batchConn) send() error {
	_, err := c.Conn.Write(c.buf)
	c.buf = c.buf[:0]
	if cap(c.buf) > 2*batchBytes {
		c.buf = nil
	}
	return err
}

// begin makes c collect.
func (c *batchConn) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.collect = true
}

// flush writes what was collected and ends the collecting.
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

// connOf is the connection of a request.
func connOf(r *http.Request) *batchConn { return r.Context().Value(connKey{}).(*batchConn) }
