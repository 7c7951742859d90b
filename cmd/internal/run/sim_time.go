package run

import (
	"context"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
)

// simTime returns the setting by which the node follows /clock, empty if there is none. The
// parameters of this node come before those of the ROS 1 network, which hold for all nodes.
func (c *Cmd) simTime(e *cli.Env) (source string, chosen bool) {
	switch {
	case c.UseSimTime:
		return "--use-sim-time", true
	case e.Args.SimTime != "":
		return e.Args.SimTime + ": use_sim_time: true", true
	}
	return "", e.Args.WallTime != ""
}

// checkSimTime returns an error if the node cannot follow /clock, as source requires, because there
// is no network or another option advances time.
func (c *Cmd) checkSimTime(source string) error {
	switch {
	case source == "":
		return nil
	case c.Clock:
		return exitcode.Usagef("%s and --clock: with --clock this node is the clock and follows none; "+
			"allowed: false for this node, true for the others", source)
	case c.Lockstep:
		return exitcode.Usagef("%s and --lockstep: either /clock or commands advance time; allowed: one of the two", source)
	case c.Ros == "off":
		return exitcode.Usagef("%s and --ros off: there is no /clock to follow without a network; allowed: --ros ros1, ros2 or both, or false", source)
	}
	return nil
}

// simTime returns the parameter of the ROS 1 network by which all nodes follow /clock, unless this
// node publishes /clock; empty if there is none.
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
