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

	"sinew/pkg/ros/hostname"
	"sinew/pkg/ros/naming"
)

// host is the address of this node for other nodes.
type host struct {
	master naming.Master

	mu   sync.Mutex
	name string // advertised name; empty while unknown
}

// listen opens the two servers of a node. It listens only on the given address of this machine, or
// only on loopback if the given name always means loopback (localhost). Any other name is for other
// machines, where it may have another address than here: Debian gives a machine's own name
// 127.0.1.1. With such a name, and behind a router or in a container, it listens on all interfaces,
// as ROS does. Without a name it uses the address from which the master is reached.
func listen(given string, master naming.Master, log *zap.Logger) (h *host, slave, tcpros net.Listener, err error) {
	h = &host{master: master, name: given}
	name := h.advertised()
	if slave, err = listenOn(bindAddress(name)); err != nil {
		if slave, err = listenOn(""); err != nil {
			return nil, nil, nil, err
		}
		log.Warn("the advertised address is not an address of this machine: the node listens on ALL interfaces, and other nodes may be unable to connect",
			zap.String("address", name), zap.String("fix", "set ROS_IP to an address of this machine, or to 127.0.0.1 to stay on it"))
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

// bindAddress returns the address to listen on to be reachable as name; empty means all interfaces.
func bindAddress(name string) string {
	switch {
	case net.ParseIP(name) != nil:
		return name
	case hostname.IsLoopback(name):
		return cmp.Or(loopbackOf(lookup(name)), "127.0.0.1")
	}
	return ""
}

// lookup resolves a name on this machine, within a second.
func lookup(name string) []net.IP {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	found, _ := net.DefaultResolver.LookupIP(ctx, "ip", name)
	return found
}

// loopbackOf returns the loopback address to listen on, preferably IPv4; it is empty if an address
// of the network is among the found ones.
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

// explain logs a warning about an advertised name that is not an address of the network on this
// machine.
func (h *host) explain(name string, log *zap.Logger) {
	if name == "" || net.ParseIP(name) != nil {
		return
	}
	found := lookup(name)
	if len(found) == 0 {
		log.Warn("the advertised name has no address on this machine; nodes that do not know it either cannot connect",
			zap.String("name", name), zap.String("allowed", "an address of this machine, or a name that other machines know"))
	} else if here := loopbackOf(found); here != "" {
		log.Info("the advertised name resolves to loopback here, as in Debian's /etc/hosts: the node listens on all interfaces, so that other hosts can connect",
			zap.String("name", name), zap.String("here", here), zap.String("fix", "ROS_HOSTNAME=localhost stays on this machine"))
	}
}

// advertised returns the name to advertise. It is empty as long as the master's name cannot be
// resolved or there is no route to it. If none was given and the master is on this machine under a
// name of the network, it is that name.
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
		if ip.IsLoopback() && !hostname.IsLoopback(h.master.Host) {
			h.name = h.master.Host
		}
		c.Close()
		break
	}
	return h.name
}

// uri returns the URI of one of the node's servers.
func (h *host) uri(scheme string, l net.Listener) (string, error) {
	name := h.advertised()
	if name == "" {
		if err := hostname.CheckLoopback(); err != nil && hostname.IsLoopback(h.master.Host) {
			return "", err
		}
		return "", fmt.Errorf("no route to the master's host %s; set ROS_IP", h.master.Host)
	}
	return scheme + "://" + net.JoinHostPort(name, strconv.Itoa(port(l))), nil
}

func port(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }
