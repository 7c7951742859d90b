package ros1

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros/bounded"
)

// sendBuffer is the size of the send buffer towards a subscriber, in bytes. The
// system's default grows to megabytes, seconds of old data for a subscriber
// that is slow.
const sendBuffer = 128 << 10

// subscriberConn is the connection of one subscriber of a publication.
type subscriberConn struct {
	id     int
	caller string // name of the subscriber's node
	topic  string
	conn   net.Conn
	log    *zap.Logger

	queue   *bounded.Queue[message] // closed to end write
	written chan struct{}           // closed when write has ended
	bytes   atomic.Uint64           // sent
	sent    atomic.Uint64           // messages sent

	warned bool // that messages were dropped; of write

	// The buffer for write, kept here so that it does not allocate.
	prefix [8]byte // length, and seq if there is one
	pieces [2][]byte
	vector net.Buffers
}

func newSubscriberConn(p *publication, c net.Conn, caller string) *subscriberConn {
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.SetWriteBuffer(sendBuffer) // net has set TCP_NODELAY
	}
	return &subscriberConn{
		id: p.server.nextID(), caller: caller, topic: p.topic.Name, conn: c, log: p.server.log,
		queue: bounded.NewQueue[message](subscriberQueue), written: make(chan struct{}),
	}
}

// awaitEnd returns when the connection has ended. A subscriber sends nothing after its header; one
// that does is disconnected.
func (c *subscriberConn) awaitEnd() {
	var ignored [512]byte
	said := 0
	for {
		n, err := c.conn.Read(ignored[:])
		if said += n; err == nil && said > maxHeader {
			err = fmt.Errorf("%w: a subscriber sent more than %d bytes", errPeer, maxHeader)
		}
		if err != nil {
			c.log.Debug("subscriber left", zap.String("topic", c.topic), zap.String("node", c.caller), zap.Error(err))
			return
		}
	}
}

// lookPeriod is the interval of checks of a subscriber that reads nothing.
const lookPeriod = time.Second

// write sends the queue until it is closed and empty, or until the subscriber reads nothing for a
// time, and closes the connection.
func (c *subscriberConn) write(numbered bool, frozen time.Duration) {
	defer close(c.written)
	defer c.conn.Close()
	for {
		m, ok := c.queue.Take()
		if !ok {
			return
		}
		c.complain()
		if err := c.send(m, numbered, frozen); err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				c.log.Warn("subscriber disconnected: it read nothing", zap.String("topic", c.topic), zap.String("node", c.caller),
					zap.Duration("for", frozen), zap.Uint64("dropped", c.queue.Dropped()))
			}
			return
		}
		c.sent.Add(1)
	}
}

// complain logs, once, that messages were dropped.
func (c *subscriberConn) complain() {
	if c.warned || c.queue.Dropped() == 0 {
		return
	}
	c.warned = true
	c.log.Warn("subscriber is too slow: messages to it are dropped",
		zap.String("topic", c.topic), zap.String("node", c.caller))
}

// send writes one message, usually in one system call: its length, its number if it has one, and
// the bytes that all subscribers share. It returns an error if the subscriber reads nothing for a
// time.
func (c *subscriberConn) send(m message, numbered bool, frozen time.Duration) error {
	binary.LittleEndian.PutUint32(c.prefix[:], uint32(len(m.body)))
	own := 4
	if numbered {
		own = 8
		binary.LittleEndian.PutUint32(c.prefix[4:], m.seq)
	}
	c.pieces = [2][]byte{c.prefix[:own], m.body[own-4:]}
	c.vector = c.pieces[:]
	for since := time.Now(); ; c.complain() {
		now := time.Now()
		_ = c.conn.SetWriteDeadline(now.Add(min(lookPeriod, since.Add(frozen).Sub(now))))
		n, err := c.vector.WriteTo(c.conn)
		c.bytes.Add(uint64(n))
		switch {
		case err == nil:
			return nil
		case n > 0:
			since = time.Now()
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(since) >= frozen {
			return err
		}
	}
}
