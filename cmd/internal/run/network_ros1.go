package run

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros/hostname"
	"sinew/pkg/ros/master"
	"sinew/pkg/ros/masterclient"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/ros1"
)

// ros1Network is the node's transport to ROS 1 and, where no master was found, the embedded master.
type ros1Network struct {
	names     *naming.Names
	log       *zap.Logger
	master    *master.Master  // embedded, or nil
	shutdown  chan struct{}   // closed when a peer requests the shutdown of the embedded master
	transport *ros1.Transport // nil before open
	online    bool            // a master answers
	given     []string        // parameters, with dots, that other nodes have set at the master
	read      any             // all parameters of the node at the master when given was read
	note      string          // describes the master in the welcome
}

// masterTimeout is how long a master may take to answer at the start.
const masterTimeout = time.Second

// findMaster finds or starts a master and checks that no other node has this node's name. The node
// itself joins with open.
func findMaster(ctx context.Context, names *naming.Names, c *Cmd, log *zap.Logger) (*ros1Network, error) {
	n := &ros1Network{names: names, log: log, shutdown: make(chan struct{})}
	n.online = n.answers(ctx)
	switch {
	case c.Master == "embedded" && n.online:
		return nil, fmt.Errorf("--master embedded: a master already answers at %s; use --master auto to join it", n.uri())
	case n.online:
		n.note = "master at " + n.uri()
		return n, n.checkName(ctx)
	case c.Master == "external", c.Master == "auto" && !master.Local(names.Master().Host):
		n.note = fmt.Sprintf("waiting for a master at %s (retry every second); not reachable by ROS 1 until then", n.uri())
		return n, nil
	}
	return n, n.startMaster()
}

func (n *ros1Network) uri() string { return n.names.Master().URI() }

func (n *ros1Network) client() masterclient.Client {
	return masterclient.Client{URI: n.uri(), Caller: n.names.Node()}
}

// answers reports whether a master answers.
func (n *ros1Network) answers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, masterTimeout)
	defer cancel()
	_, err := n.client().PID(ctx)
	return err == nil
}

// startMaster starts the embedded master at the address of ROS_MASTER_URI.
func (n *ros1Network) startMaster() error {
	m := n.names.Master()
	address, advertised := masterAddress(m.Host, n.names.Host())
	var err error
	n.master, err = master.Start(net.JoinHostPort(address, strconv.Itoa(m.Port)), master.Options{
		Log: n.log, Host: advertised, Names: []string{m.Host},
		Shutdown: func(reason string) {
			n.log.Info("asked to shut the master down", zap.String("reason", reason))
			close(n.shutdown)
		},
	})
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("port %d is in use, but no ROS master answered there within %v: another program, or a master that hangs (rosnode list); stop it, set ROS_MASTER_URI to another port, or use --ros ros2", m.Port, masterTimeout)
	}
	if err != nil {
		return fmt.Errorf("starting a ROS master at %s: %w", n.uri(), err)
	}
	n.online = true
	n.note = "master at " + n.uri() + " (embedded: none answered there"
	if address == everywhere {
		n.note += "; on all interfaces, ROS_HOSTNAME=localhost and ROS_MASTER_URI=http://localhost:" + strconv.Itoa(m.Port) + " keep it here"
	}
	n.note += ")"
	return nil
}

// everywhere listens on all interfaces, IPv4 and IPv6.
const everywhere = "0.0.0.0"

// masterAddress returns the address on which the embedded master listens, and the host that it
// advertises. host is that of ROS_MASTER_URI; own is the name or address of this machine for other
// hosts, if given. The master listens on loopback unless either is on the network. Then it listens
// on all interfaces, as rosmaster does, or on the address that ROS_MASTER_URI gives.
func masterAddress(host, own string) (address, advertised string) {
	advertised = own
	switch local := own == "" || hostname.IsLoopback(own); {
	case net.ParseIP(host) != nil && (local || !hostname.IsLoopback(host)):
		return host, advertised
	case host == "localhost" && local:
		return "127.0.0.1", advertised
	case hostname.IsLoopback(host) && local:
		return host, advertised
	case own == "":
		advertised = host
	}
	return everywhere, advertised
}

// checkName returns an error if a running node has this node's name. ROS would otherwise shut that
// node down, which may control a real robot.
func (n *ros1Network) checkName(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*masterTimeout)
	defer cancel()
	uri, err := n.client().LookupNode(ctx, n.names.Node())
	if err != nil {
		return nil // the name is free
	}
	pid, err := masterclient.Client{URI: uri, Caller: n.names.Node()}.PID(ctx)
	if err != nil {
		return nil // a node that has died without unregistering
	}
	return fmt.Errorf("a node %s already runs (process %d) at the master %s; give this one another name with __name:=other, "+
		"another namespace with __ns:=/other, or a master of its own with ROS_MASTER_URI=http://localhost:11411",
		n.names.Node(), pid, n.uri())
}

// open joins the network.
func (n *ros1Network) open() (err error) {
	n.transport, err = ros1.New(ros1.Options{Node: n.names.Node(), Master: n.names.Master(), Host: n.names.Host(), HostFrom: n.names.HostFrom(), Log: n.log})
	return err
}

// close leaves the network and ends the embedded master.
func (n *ros1Network) close() error {
	var errs []error
	if n.transport != nil {
		errs = append(errs, n.transport.Close())
	}
	if n.master != nil {
		errs = append(errs, n.master.Close())
	}
	return errors.Join(errs...)
}
