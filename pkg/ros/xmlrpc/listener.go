package xmlrpc

import (
	"io"
	"log"
	"net"
	"sync"
)

// discardLog keeps net/http from writing to the standard error: what peers do wrong
// is theirs to see, in the reply.
var discardLog = log.New(io.Discard, "", 0)

// limitedListener closes connections above a limit at once, so that those who
// hold many cannot keep others waiting unseen.
type limitedListener struct {
	net.Listener
	free chan struct{} // holds one token for each open connection
}

func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.free <- struct{}{}:
			return &limitedConn{Conn: c, release: sync.OnceFunc(func() { <-l.free })}, nil
		default:
			c.Close()
		}
	}
}

type limitedConn struct {
	net.Conn
	release func()
}

func (c *limitedConn) Close() error {
	defer c.release()
	return c.Conn.Close()
}
