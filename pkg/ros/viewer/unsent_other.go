//go:build !linux

package viewer

import "net"

// boundUnsent makes writes wait while 4 unsentBytes have not arrived.
func boundUnsent(c *net.TCPConn) { _ = c.SetWriteBuffer(4 * unsentBytes) }
