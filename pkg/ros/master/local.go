package master

import (
	"context"
	"net"
	"os"
	"time"
)

// Local reports whether a host, given by name or address, is this machine, so that its master may
// be started here. It reports false for a name that cannot be resolved within a second.
func Local(host string) bool {
	if own, err := os.Hostname(); host == "localhost" || err == nil && host == own {
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupIPAddr(ctx, host)
	if err != nil || len(addresses) == 0 {
		return false
	}
	own, _ := net.InterfaceAddrs()
	for _, a := range addresses {
		if a.IP.IsLoopback() {
			return true
		}
		for _, o := range own {
			if n, ok := o.(*net.IPNet); ok && n.IP.Equal(a.IP) {
				return true
			}
		}
	}
	return false
}
