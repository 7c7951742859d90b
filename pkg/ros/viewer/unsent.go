package viewer

import "net"

// unsentBytes is approximately how much the kernel buffers for a viewer beyond what is in flight:
// with more, a viewer with a slow connection would lag by many seconds, whatever the outbox drops.
const unsentBytes = 64 << 10

// unsentListener bounds the send buffer of each connection.
type unsentListener struct{ net.Listener }

// Accept implements net.Listener.
func (l unsentListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		boundUnsent(tcp)
	}
	return c, err
}
