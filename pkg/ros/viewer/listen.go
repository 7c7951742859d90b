package viewer

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"
)

// The ports that are tried, one after the other, if none is given.
const (
	firstPort = 8080
	lastPort  = 8099
)

// listen listens at "HOST:PORT" or, with "HOST" alone, at the first free port from 8080. HOST is an
// address or a name of this computer.
func listen(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err == nil {
		if n, bad := strconv.ParseUint(port, 10, 16); bad != nil {
			return nil, fmt.Errorf("%q: the port is %q; allowed: 0 (any free one) to 65535", address, port)
		} else if n == 0 {
			return net.Listen("tcp", net.JoinHostPort(host, "0"))
		}
		l, err := net.Listen("tcp", address)
		if errors.Is(err, syscall.EADDRINUSE) {
			err = fmt.Errorf("%w; with %q alone the next free port is taken", err, host)
		}
		return l, err
	}
	if ip := net.ParseIP(address); ip == nil && !isName(address) {
		return nil, fmt.Errorf("%q: allowed: HOST, HOST:PORT or off, where HOST is an address or a name of this computer", address)
	}
	for port := firstPort; ; port++ {
		l, err := net.Listen("tcp", net.JoinHostPort(address, strconv.Itoa(port)))
		if err == nil || port == lastPort || !errors.Is(err, syscall.EADDRINUSE) {
			if errors.Is(err, syscall.EADDRINUSE) {
				err = fmt.Errorf("ports %d to %d of %s are taken; choose one with HOST:PORT", firstPort, lastPort, address)
			}
			return l, err
		}
	}
}

// isName reports whether s may be the name of a host.
func isName(s string) bool {
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '.' {
			return false
		}
	}
	return s != ""
}
