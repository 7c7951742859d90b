package viewer

import (
	"net"

	"golang.org/x/sys/unix"
)

// boundUnsent makes writes block while unsentBytes have not been sent. The kernel chooses the
// amount in flight, so that fast connections with a long delay are not limited.
func boundUnsent(c *net.TCPConn) {
	if raw, err := c.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { // if it fails, viewers lag more
			_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_NOTSENT_LOWAT, unsentBytes)
		})
	}
}
