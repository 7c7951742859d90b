package ros1

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"sinew/pkg/ros/naming"
)

// host is how other nodes reach this one.
type host struct {
	master naming.Master

	mu   sync.Mutex
	name string // to tell others; empty while unknown
}

// listen opens the two servers of a node: on the address given if that is one of
// this machine, on loopback if that is what the name means, and otherwise on all
// interfaces, as behind a router or in a container. Without a name it is the
// address from which the master is reached.
func listen(given string, master naming.Master) (h *host, slave, tcpros net.Listener, err error) {
	h = &host{master: master, name: given}
	name := h.advertised()
	if slave, err = listenOn(bindAddress(name)); err != nil {
		if slave, err = listenOn(""); err != nil {
			return nil, nil, nil, err
		}
	}
	address, _, err := net.SplitHostPort(slave.Addr().String())
	if err == nil {
		tcpros, err = listenOn(address)
	}
	if err != nil {
		slave.Close()
		return nil, nil, nil, err
	}
	return h, slave, tcpros, nil
}

func listenOn(address string) (net.Listener, error) {
	return net.Listen("tcp", net.JoinHostPort(address, "0"))
}

// bindAddress is where to listen to be reached as name; empty means everywhere.
func bindAddress(name string) string {
	if ip := net.ParseIP(name); ip != nil {
		return name
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	found, err := net.DefaultResolver.LookupIPAddr(ctx, name)
	if name == "" || err != nil || len(found) == 0 {
		return ""
	}
	return loopbackOf(found)
}

// loopbackOf is the address, IPv4 if there is one, of a name that means this machine
// alone; it is empty for any other name. Debian gives a machine's own name the
// address 127.0.1.1, where a listener on 127.0.0.1 is not reached.
func loopbackOf(found []net.IPAddr) (address string) {
	for _, a := range found {
		if !a.IP.IsLoopback() {
			return ""
		}
		if address == "" || a.IP.To4() != nil && !strings.Contains(address, ".") {
			address = a.String()
		}
	}
	return address
}

// advertised is the name to tell others, or empty as long as the master's name
// cannot be resolved or nothing leads there.
func (h *host) advertised() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.name != "" {
		return h.name
	}
	for _, network := range [...]string{"udp4", "udp6"} {
		// no packet is sent: the system only looks for a route
		c, err := net.DialTimeout(network, h.master.Address(), time.Second)
		if err != nil {
			continue
		}
		h.name = c.LocalAddr().(*net.UDPAddr).IP.String()
		c.Close()
		break
	}
	return h.name
}

// uri is the address of one of the node's servers.
func (h *host) uri(scheme string, l net.Listener) (string, error) {
	name := h.advertised()
	if name == "" {
		return "", fmt.Errorf("no route to the master's host %s; set ROS_IP", h.master.Host)
	}
	return scheme + "://" + net.JoinHostPort(name, strconv.Itoa(port(l))), nil
}

func port(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }
