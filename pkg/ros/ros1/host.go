package ros1

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros/naming"
)

// host is how other nodes reach this one.
type host struct {
	master naming.Master

	mu   sync.Mutex
	name string // to tell others; empty while unknown
}

// listen opens the two servers of a node. An address of this machine is listened on
// alone, and so is loopback where the name given means nothing else by its nature
// (localhost). Any other name is for other machines, which may know it by another
// address than this one does: Debian gives a machine's own name 127.0.1.1. With it, and
// behind a router or in a container, all interfaces are listened on, as ROS does.
// Without a name it is the address from which the master is reached.
func listen(given string, master naming.Master, log *zap.Logger) (h *host, slave, tcpros net.Listener, err error) {
	h = &host{master: master, name: given}
	name := h.advertised()
	if slave, err = listenOn(bindAddress(name)); err != nil {
		if slave, err = listenOn(""); err != nil {
			return nil, nil, nil, err
		}
		log.Warn("the advertised address is none of this machine: listening on all interfaces",
			zap.String("address", name), zap.String("change", "ROS_IP"))
	}
	address, _, err := net.SplitHostPort(slave.Addr().String())
	if err == nil {
		tcpros, err = listenOn(address)
	}
	if err != nil {
		slave.Close()
		return nil, nil, nil, err
	}
	if slave.Addr().(*net.TCPAddr).IP.IsUnspecified() {
		h.explain(name, log)
	}
	return h, slave, tcpros, nil
}

func listenOn(address string) (net.Listener, error) {
	return net.Listen("tcp", net.JoinHostPort(address, "0"))
}

// bindAddress is where to listen to be reached as name; empty means everywhere.
func bindAddress(name string) string {
	switch {
	case net.ParseIP(name) != nil:
		return name
	case naming.LoopbackHost(name):
		return cmp.Or(loopbackOf(lookup(name)), "127.0.0.1")
	}
	return ""
}

// lookup asks for the addresses of a name as this machine knows it, for a second at most.
func lookup(name string) []net.IP {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	found, _ := net.DefaultResolver.LookupIP(ctx, "ip", name)
	return found
}

// loopbackOf is the loopback address to listen on, IPv4 if there is one; it is empty where
// an address of the network is among them.
func loopbackOf(found []net.IP) (address string) {
	for _, a := range found {
		if !a.IsLoopback() {
			return ""
		}
		if address == "" || a.To4() != nil && !strings.Contains(address, ".") {
			address = a.String()
		}
	}
	return address
}

// explain tells of a name that other nodes are told and that this machine does not know as
// an address of the network.
func (h *host) explain(name string, log *zap.Logger) {
	if name == "" || net.ParseIP(name) != nil {
		return
	}
	found := lookup(name)
	if len(found) == 0 {
		log.Warn("the advertised name has no address on this machine; nodes that do not know it either cannot connect",
			zap.String("name", name), zap.String("allowed", "an address of this machine, or a name that other machines know"))
	} else if here := loopbackOf(found); here != "" {
		log.Info("the advertised name means loopback on this machine; listening on all interfaces, since others may know it by another address",
			zap.String("name", name), zap.String("here", here), zap.String("change", "ROS_HOSTNAME=localhost stays on this machine"))
	}
}

// advertised is the name to tell others, or empty as long as the master's name
// cannot be resolved or nothing leads there. Where none was given and the master is on
// this machine, but under a name of the network, that name leads to this node too.
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
		ip := c.LocalAddr().(*net.UDPAddr).IP
		h.name = ip.String()
		if ip.IsLoopback() && !naming.LoopbackHost(h.master.Host) {
			h.name = h.master.Host
		}
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
