package bounded

import (
	"net"
	"sync"
)

// listener closes connections above a limit at once, so that a peer with many connections cannot
// make others wait unnoticed.
type listener struct {
	net.Listener
	free chan struct{} // holds one token for each open connection
}

// NewListener returns l with at most limit open connections: those above it are
// accepted and closed at once.
func NewListener(l net.Listener, limit int) net.Listener {
	return &listener{Listener: l, free: make(chan struct{}, limit)}
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.free <- struct{}{}:
			return &conn{Conn: c, release: sync.OnceFunc(func() { <-l.free })}, nil
		default:
			c.Close()
		}
	}
}

// conn is a connection that counts until it is closed.
type conn struct {
	net.Conn
	release func()
}

// Close implements net.Conn.
func (c *conn) Close() error {
	defer c.release()
	return c.Conn.Close()
}
