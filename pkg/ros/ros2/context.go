package ros2

import (
	"context"
	"errors"
	"sync"

	"go.uber.org/zap"

	"sinew/pkg/ros/rtps"
)

// Options configure a Context: its network and its name.
type Options struct {
	Node      string // absolute name, such as "/lab/left"; for a Context any name, which tools show
	Discovery Discovery
	// Log receives warnings and errors. Nil discards them.
	Log *zap.Logger
}

// Context is a participant in a ROS 2 network that any number of nodes share, as the nodes of one
// process do in ROS 2.
type Context struct {
	participant *rtps.Participant
	graph       *graph
	monitor     *monitor
	warnings    *warnings
	endResolver context.CancelFunc
	leaving     sync.Once
	leaveErr    error
}

// Join joins a network without nodes. Close closes the participant and all of its nodes.
func Join(o Options) (*Context, error) {
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	peers := newResolver(o.Discovery.Peers, o.Log)
	warnOfInterfaces(o.Discovery, o.Log)
	var err error
	c := &Context{warnings: newWarnings(o.Log)}
	c.monitor = newMonitor(o.Log, c.warnings)
	c.participant, err = rtps.NewParticipant(rtps.Options{
		Domain: o.Discovery.Domain, Range: o.Discovery.Range,
		Peers: peers.addresses(), Interfaces: o.Discovery.Interfaces,
		Name: clip(o.Node), UserData: []byte(participantData),
		Notify: c.monitor.event,
	})
	if err != nil {
		return nil, err
	}
	if c.graph, err = openGraph(c.participant, c.warnings); err != nil {
		return nil, errors.Join(err, c.participant.Close())
	}
	c.monitor.name(&c.graph.nodes)
	go c.monitor.run(c.participant.Limits(), c.participant.Stats)
	var ctx context.Context
	ctx, c.endResolver = context.WithCancel(context.Background())
	peers.set = c.participant.SetPeers
	go peers.run(ctx, resolveEvery)
	return c, nil
}

// NewNode adds a node with an absolute name. Closing its transport removes this node alone. log
// receives warnings and errors of its topics and services; nil stands for the log of the Context,
// which also receives those that concern no node.
func (c *Context) NewNode(name string, log *zap.Logger) (*Transport, error) {
	if err := c.graph.addNode(name); err != nil {
		return nil, err
	}
	w := c.warnings
	if log != nil {
		w = newWarnings(log)
	}
	return &Transport{Context: c, node: name, warnings: w, order: rtps.NewOrder(), done: make(chan struct{})}, nil
}

// Hold delays the announcements of nodes and their endpoints until Release. Without it, nodes that
// open many topics would send the whole list to the network after each topic.
func (c *Context) Hold() { c.graph.hold() }

// Release ends Hold and sends the announcements.
func (c *Context) Release() error { return c.graph.release() }

// Close leaves the network. It waits neither for other participants nor for a call of receive that
// is running.
func (c *Context) Close() error {
	c.leaving.Do(func() {
		c.monitor.close()
		c.endResolver()
		c.leaveErr = c.participant.Close()
	})
	return c.leaveErr
}

// warnOfInterfaces logs a warning for each chosen interface that does not exist.
func warnOfInterfaces(d Discovery, log *zap.Logger) {
	if missing, present := rtps.MissingInterfaces(d.Interfaces); len(missing) > 0 && d.Range != rtps.Off {
		log.Warn("ROS 2: chosen network interface is not there; it is used as soon as it is",
			zap.Strings("missing", missing), zap.Strings("there are", present), zap.String("chosen by", d.ChosenBy))
	}
	if d.LoopbackAlone() {
		_, present := rtps.MissingInterfaces(nil)
		log.Warn("ROS 2: chosen network interface is loopback: no other host sees this node, whatever the discovery range",
			zap.Strings("chosen", d.Interfaces), zap.Strings("there are", present), zap.String("chosen by", d.ChosenBy))
	}
}

// Interfaces lists the addresses of the network interfaces in use, except loopback.
func (t *Transport) Interfaces() []rtps.Interface { return t.participant.Interfaces() }

// clip shortens a name to the length that a participant may announce.
func clip(name string) string { return name[:min(len(name), 256)] }
