//go:build !unix

package rtps

import (
	"errors"
	"net"
	"net/netip"
	"syscall"
)

// Discovery by multicast is implemented on Unix; elsewhere the well-known ports
// and given peers remain.
var errNoMulticast = errors.New("multicast is not implemented on this system")

func sharePort(_, _ string, _ syscall.RawConn) error { return errNoMulticast }

func joinGroup(*net.UDPConn, netip.Addr) error { return errNoMulticast }

func sendFrom(syscall.RawConn, netip.Addr) error { return errNoMulticast }

func leaveGroup(*net.UDPConn, netip.Addr) {}
