package run

import (
	"fmt"
	"strings"
	"sync/atomic"

	"go.uber.org/zap"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/program"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/ros2"
	"sinew/pkg/ros/rtps"
)

// ros2Network is the node's transport to ROS 2.
type ros2Network struct {
	names     *naming.Names
	log       *zap.Logger
	optional  bool // an error is a warning, as ROS 2 was not requested explicitly
	discovery ros2.Discovery
	context   *ros2.Context // shared by the nodes of a fleet; nil: the node has its own
	ending    *atomic.Bool  // the context is closed with all nodes, which need not leave it one by one
	transport ros.Transport // nil before open, and without the network
	failure   error         // why there is no network
	// interfaces lists the interfaces in use; nil before open.
	interfaces func() []rtps.Interface
}

// newROS2Network reads the environment.
func newROS2Network(names *naming.Names, c *Cmd, lookup func(string) (string, bool), log *zap.Logger) (*ros2Network, error) {
	n := &ros2Network{names: names, log: log, optional: c.Ros == "auto"}
	warning, err := ros2.CheckSecurity(lookup)
	if err != nil {
		return n, err
	}
	if warning != "" {
		log.Warn(warning)
	}
	if warning := ros2.CheckMiddleware(lookup); warning != "" {
		log.Warn(warning)
	}
	if n.discovery, err = ros2.ParseEnvironment(lookup); err != nil {
		return n, err
	}
	remarks, err := n.discovery.ChooseInterfaces(c.Interface, lookup, readProfiles)
	for _, r := range remarks {
		log.Warn("ROS 2: " + r)
	}
	return n, err
}

// readProfiles reads the settings of another DDS implementation, at most 1 MiB.
func readProfiles(file string) ([]byte, error) {
	const most = 1 << 20 // bytes
	return program.ReadFile(file, most)
}

// open joins the network.
func (n *ros2Network) open() error {
	t, err := n.join()
	if err == nil {
		n.interfaces = t.Interfaces
	}
	switch {
	case err == nil && n.optional:
		n.transport = lenient{t, n.log}
	case err == nil:
		n.transport = t
	case n.optional:
		n.log.Warn("running on without ROS 2", zap.Error(err))
		n.failure = err
	default:
		return err
	}
	return nil
}

// join makes the node.
func (n *ros2Network) join() (*ros2.Transport, error) {
	if n.context != nil {
		return n.context.NewNode(n.names.Node(), n.log)
	}
	return ros2.New(ros2.Options{Node: n.names.Node(), Discovery: n.discovery, Log: n.log})
}

// note describes the network in the welcome.
func (n *ros2Network) note() string {
	if n.failure != nil {
		return "not available: " + n.failure.Error()
	}
	return fmt.Sprintf("%s, node %s", n.place(), n.names.Node())
}

// place describes the domain and the discovery of the network.
func (n *ros2Network) place() string {
	return fmt.Sprintf("%s%s", n.discovery, n.onInterfaces())
}

// onInterfaces names the network interfaces in use, if messages may leave this host.
func (n *ros2Network) onInterfaces() string {
	d := n.discovery
	if n.interfaces == nil || d.Range == rtps.Off || d.Range == rtps.Host && len(d.Peers) == 0 {
		return ""
	}
	var names []string
	for _, i := range n.interfaces() {
		names = append(names, fmt.Sprintf("%s (%v)", i.Name, i.Address.Addr()))
	}
	text := ", on " + strings.Join(names, ", ")
	if d.LoopbackAlone() {
		text = ", on loopback alone"
	} else if len(names) == 0 {
		text = ", on loopback alone until a network interface is up"
	}
	if d.ChosenBy != "" {
		text += ", chosen by " + d.ChosenBy
	}
	return text
}

func (n *ros2Network) close() error {
	if n.transport == nil || n.context != nil && n.ending.Load() {
		return nil
	}
	return n.transport.Close()
}

// lenient is a transport that skips topics that it cannot open, such as those whose names only ROS
// 1 allows.
type lenient struct {
	ros.Transport
	log *zap.Logger
}

// Advertise implements ros.Transport.
func (l lenient) Advertise(t ros.Topic) (ros.Publisher, error) {
	p, err := l.Transport.Advertise(t)
	if err != nil {
		l.log.Warn("topic left out", zap.String("topic", t.Name), zap.Error(err))
		return cli.NoPublisher{}, nil
	}
	return p, nil
}

// Subscribe implements ros.Transport.
func (l lenient) Subscribe(t ros.Topic, receive func(ros.Received)) error {
	if err := l.Transport.Subscribe(t, receive); err != nil {
		l.log.Warn("topic left out", zap.String("topic", t.Name), zap.Error(err))
	}
	return nil
}
