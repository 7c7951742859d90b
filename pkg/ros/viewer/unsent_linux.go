package viewer

import (
	"net"

	"golang.org/x/sys/unix"
)

// boundUnsent makes writes wait while unsentBytes have not been sent. What is on its way is the kernel's
// to choose, and does not limit fast connections over a long way.
func boundUnsent(c *net.TCPConn) {
	if raw, err := c.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { // without it, the past is longer
			_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_NOTSENT_LOWAT, unsentBytes)
		})
	}
}
