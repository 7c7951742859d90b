package ros1

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"

	"go.uber.org/zap"
)

// relayBuffer is the size of the send buffer towards a subscriber, in bytes. The
// system's default grows to megabytes, seconds of old data for a subscriber
// that is slow.
const relayBuffer = 128 << 10

// relay carries one connection between the box and a peer until either ends.
func (g *guard) relay(r *relayed, inner net.Conn) {
	in := bufio.NewReaderSize(inner, 64<<10)
	reply, err := readHeader(in)
	if err != nil {
		return
	}
	if _, err := r.peer.Write(reply.append(nil)); err != nil {
		return
	}
	if _, refused := reply["error"]; refused {
		return
	}
	_ = inner.SetDeadline(time.Time{})
	_ = r.peer.SetDeadline(time.Time{})
	r.offer.users.Add(1)
	defer r.offer.users.Add(-1)

	// what the peer says: requests of a service; of a subscriber only that it leaves
	var back io.Writer = inner
	if !r.offer.service {
		back = io.Discard
	}
	g.running.Go(func() {
		_, _ = io.Copy(back, r.peer)
		_ = inner.Close()
	})
	if r.offer.service {
		_, _ = io.Copy(r.peer, in)
	} else {
		err := g.deliver(r, in)
		g.log.Debug("subscriber left", zap.String("topic", r.offer.name), zap.String("caller", r.caller), zap.Error(err))
	}
	_ = r.peer.Close()
}

// deliver takes the messages of a topic as fast as the box sends them, and sends
// them to the peer as fast as that takes them.
func (g *guard) deliver(r *relayed, in io.Reader) error {
	if c, ok := r.peer.(*net.TCPConn); ok {
		_ = c.SetWriteBuffer(relayBuffer)
	}
	written := make(chan error, 1)
	go func() { written <- r.send(g.frozen) }()
	err := g.fill(r, in)
	r.queue.Close()
	if werr := <-written; werr != nil {
		return werr
	}
	return err
}

// fill puts messages, with their length before them, into the queue.
func (g *guard) fill(r *relayed, in io.Reader) error {
	var size [4]byte
	for warned := false; ; {
		if _, err := io.ReadFull(in, size[:]); err != nil {
			return err
		}
		n := binary.LittleEndian.Uint32(size[:])
		if n > maxMessage {
			return fmt.Errorf("a message of %d bytes is larger than %d", n, maxMessage)
		}
		m := make([]byte, 4+n)
		copy(m, size[:])
		if _, err := io.ReadFull(in, m[4:]); err != nil {
			return err
		}
		if r.queue.Put(m) > 0 && !warned {
			warned = true
			g.log.Warn("subscriber is too slow: it does not get all messages",
				zap.String("topic", r.offer.name), zap.String("caller", r.caller))
		}
	}
}

// send writes the queue to the peer, until the queue is closed or the peer does
// not take anything for long.
func (r *relayed) send(frozen time.Duration) error {
	for {
		m, ok := r.queue.Take()
		if !ok {
			return nil
		}
		_ = r.peer.SetWriteDeadline(time.Now().Add(frozen))
		n, err := r.peer.Write(m)
		r.bytes.Add(uint64(n))
		if err != nil {
			_ = r.peer.Close() // which ends the connection to the box as well
			return err
		}
		r.sent.Add(1)
	}
}
