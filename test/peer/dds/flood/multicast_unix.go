//go:build unix

package main

import (
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// viaLoopback keeps multicast on this host.
func viaLoopback(c *net.UDPConn) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var set error
	err = raw.Control(func(fd uintptr) {
		set = unix.SetsockoptInet4Addr(int(fd), unix.IPPROTO_IP, unix.IP_MULTICAST_IF, [4]byte{127, 0, 0, 1})
	})
	return errors.Join(err, set)
}
