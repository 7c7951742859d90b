package run

import (
	"context"
	"slices"
	"sync"

	"sinew/cmd/internal/exit"
	"sinew/cmd/internal/verb"
	"sinew/msgs"
	"sinew/pkg/ros"
)

// simTime is where the node was told to follow /clock; empty means that it was not. The
// parameters of this node come before those of the ROS 1 network, where one is for all.
func (c *Cmd) simTime(e *verb.Env) (source string, chosen bool) {
	switch {
	case c.UseSimTime:
		return "--use-sim-time", true
	case e.Args.SimTime != "":
		return e.Args.SimTime + ": use_sim_time: true", true
	}
	return "", e.Args.WallTime != ""
}

// checkSimTime refuses to follow /clock, as source says, where there is none or something
// else advances time.
func (c *Cmd) checkSimTime(source string) error {
	switch {
	case source == "":
		return nil
	case c.Clock:
		return exit.Usagef("%s and --clock: with --clock this node is the clock and follows none; "+
			"allowed: false for this node, true for the others", source)
	case c.Lockstep:
		return exit.Usagef("%s and --lockstep: either /clock or commands advance time; allowed: one of the two", source)
	case c.Ros == "off":
		return exit.Usagef("%s and --ros off: there is no /clock to follow without a network; allowed: --ros ros1, ros2 or both, or false", source)
	}
	return nil
}

// simTime is where the ROS 1 network says that all nodes follow /clock, unless this node is
// their clock; empty means that it does not.
func (n *networks) simTime(ctx context.Context, isClock bool) (source string) {
	if n.ros1 == nil || !n.ros1.online || isClock {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, 2*masterTimeout)
	defer cancel()
	value, set, err := n.ros1.client().Param(ctx, "/use_sim_time")
	if err != nil || !set || value == false || value == 0 {
		return ""
	}
	return "parameter server at " + n.ros1.uri() + ": /use_sim_time: true"
}

// chooseTime decides whether the node follows /clock.
func (n *node) chooseTime(ctx context.Context, c *Cmd) error {
	source, chosen := c.simTime(n.env)
	if !chosen {
		source = n.net.simTime(ctx, c.Clock)
	}
	n.follows = source != ""
	return c.checkSimTime(source)
}

// timed is a recording of a node that follows /clock. What is published before that has begun
// has no time, and would make the recording begin in 1970: of topics that keep what was
// published for who comes late, it is recorded with the first time, and of others not at all.
type timed struct {
	ros.Transport
	mu   sync.Mutex
	held []held
}

// held is a message without a time.
type held struct {
	to      timedPublisher
	message msgs.Message
}

type timedPublisher struct {
	ros.Publisher
	of    *timed
	depth int // messages that are held; 0 where the topic keeps none
}

// Advertise implements ros.Transport.
func (t *timed) Advertise(topic ros.Topic) (ros.Publisher, error) {
	p, err := t.Transport.Advertise(topic)
	depth := 0
	if topic.Latched {
		depth = max(1, topic.Depth)
	}
	return timedPublisher{p, t, depth}, err
}

// Publish implements ros.Publisher.
func (p timedPublisher) Publish(s *ros.Sample) {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	if s.Time == 0 {
		p.hold(s.Message())
		return
	}
	for _, h := range p.of.held {
		late := ros.NewSample(h.message)
		late.Time = s.Time
		h.to.Publisher.Publish(late)
	}
	p.of.held = nil
	p.Publisher.Publish(s)
}

// hold keeps a message in place of the oldest of its topic where that keeps no more.
func (p timedPublisher) hold(m msgs.Message) {
	if p.depth == 0 {
		return
	}
	own := func(h held) bool { return h.to == p }
	count := 0
	for _, h := range p.of.held {
		if own(h) {
			count++
		}
	}
	if count == p.depth {
		i := slices.IndexFunc(p.of.held, own)
		p.of.held = slices.Delete(p.of.held, i, i+1)
	}
	p.of.held = append(p.of.held, held{p, m})
}
