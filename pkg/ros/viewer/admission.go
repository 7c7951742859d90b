package viewer

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"
)

// admission bounds the open connections of a server, those from which access has accepted a request
// apart from the others: a peer without the token cannot use up the connections of those that have
// it. A connection is pending from Accept until then. When there are too many pending ones, the
// oldest one of the address with the most of them is closed, so that a new connection always has
// some time for its request, however many another address opens.
type admission struct {
	net.Listener
	warn func(text string, fields ...zap.Field)

	mu       sync.Mutex
	pending  []*admittedConn // oldest first
	admitted int
}

// admittedConn is a connection that counts until it is closed.
type admittedConn struct {
	net.Conn
	of    *admission
	peer  netip.Addr
	state connState // guarded by of.mu
}

type connState uint8

const (
	connPending connState = iota
	connAdmitted
	connClosed
)

// Accept implements net.Listener.
func (a *admission) Accept() (net.Conn, error) {
	c, err := a.Listener.Accept()
	if err != nil {
		return nil, err
	}
	from := &admittedConn{Conn: c, of: a}
	if tcp, ok := c.RemoteAddr().(*net.TCPAddr); ok {
		from.peer = tcp.AddrPort().Addr().Unmap()
	}
	a.mu.Lock()
	a.pending = append(a.pending, from)
	var worst *admittedConn
	if len(a.pending) > maxPending {
		worst = a.surplus()
	}
	a.mu.Unlock()
	if worst != nil {
		a.warn("connection closed: too many without an accepted request", zap.Stringer("peer", worst.peer), zap.Int("most", maxPending))
		worst.refuse()
	}
	return from, nil
}

// surplus returns the oldest connection of the address with the most pending ones. The caller holds
// the lock.
func (a *admission) surplus() *admittedConn {
	count := map[netip.Addr]int{}
	for _, c := range a.pending {
		count[c.peer]++
	}
	worst := a.pending[0]
	for _, c := range a.pending {
		if count[c.peer] > count[worst.peer] {
			worst = c
		}
	}
	return worst
}

// evictTimeout bounds the writing of the reason.
const evictTimeout = 50 * time.Millisecond

// refuse closes a pending connection with the reason, as the answer to any request.
func (c *admittedConn) refuse() {
	why := fmt.Sprintf("more than %d connections have sent no request that is accepted; use the link that the program prints, and send the request at once\n", maxPending)
	_ = c.SetWriteDeadline(time.Now().Add(evictTimeout))
	_, _ = fmt.Fprintf(c.Conn, "HTTP/1.1 503 %s\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", http.StatusText(http.StatusServiceUnavailable), len(why), why)
	_ = c.Close()
}

// admit counts the connection as one with an accepted request. It reports false if there are too
// many.
func (c *admittedConn) admit() bool {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if c.state != connPending {
		return c.state == connAdmitted
	}
	if c.of.admitted >= maxConnections {
		return false
	}
	c.leavePending()
	c.state = connAdmitted
	c.of.admitted++
	return true
}

// leavePending removes the connection from the pending ones. The caller holds the lock.
func (c *admittedConn) leavePending() {
	if i := slices.Index(c.of.pending, c); i >= 0 {
		c.of.pending = slices.Delete(c.of.pending, i, i+1)
	}
}

// Close implements net.Conn.
func (c *admittedConn) Close() error {
	c.of.mu.Lock()
	switch c.state {
	case connPending:
		c.leavePending()
	case connAdmitted:
		c.of.admitted--
	}
	c.state = connClosed
	c.of.mu.Unlock()
	return c.Conn.Close()
}
