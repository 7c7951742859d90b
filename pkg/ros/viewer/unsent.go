package viewer

import "net"

// unsentBytes is about how much the kernel keeps for a viewer beyond what is on its way: with more, one
// with a slow connection would see a past of many seconds, whatever the outbox drops.
const unsentBytes = 64 << 10

// unsentListener bounds what the kernel keeps for each connection.
type unsentListener struct{ net.Listener }

// Accept implements net.Listener.
func (l unsentListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		boundUnsent(tcp)
	}
	return c, err
}
