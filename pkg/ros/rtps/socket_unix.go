//go:build unix

package rtps

import (
	"net"
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"
)

// sharePort lets all participants of a host receive the group on its one port. Other programs may
// have set either option, and the kernel requires the same one.
func sharePort(_, _ string, c syscall.RawConn) error {
	return control(c, func(fd int) error {
		if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1); err != nil {
			return err
		}
		return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEPORT, 1)
	})
}

// joinGroup joins the discovery group on the interface with address a.
func joinGroup(conn *net.UDPConn, a netip.Addr) error {
	c, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	return control(c, func(fd int) error {
		err := unix.SetsockoptIPMreq(fd, unix.IPPROTO_IP, unix.IP_ADD_MEMBERSHIP,
			&unix.IPMreq{Multiaddr: group.As4(), Interface: a.As4()})
		if err == unix.EADDRINUSE { // already a member
			return nil
		}
		return err
	})
}

// leaveGroup undoes joinGroup. The address may have disappeared.
func leaveGroup(conn *net.UDPConn, a netip.Addr) {
	if c, err := conn.SyscallConn(); err == nil {
		_ = control(c, func(fd int) error {
			return unix.SetsockoptIPMreq(fd, unix.IPPROTO_IP, unix.IP_DROP_MEMBERSHIP,
				&unix.IPMreq{Multiaddr: group.As4(), Interface: a.As4()})
		})
	}
}

// sendFrom sends multicast on the interface with address a, to this host too. The time to live
// stays 1: routers do not forward it.
func sendFrom(c syscall.RawConn, a netip.Addr) error {
	return control(c, func(fd int) error {
		return unix.SetsockoptInet4Addr(fd, unix.IPPROTO_IP, unix.IP_MULTICAST_IF, a.As4())
	})
}

func control(c syscall.RawConn, set func(fd int) error) error {
	var err error
	if e := c.Control(func(fd uintptr) { err = set(int(fd)) }); e != nil {
		return e
	}
	return err
}
