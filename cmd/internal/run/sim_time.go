package run

import (
	"context"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
)

// simTime is where the node was told to follow /clock; empty means that it was not. The
// parameters of this node come before those of the ROS 1 network, where one is for all.
func (c *Cmd) simTime(e *cli.Env) (source string, chosen bool) {
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
		return exitcode.Usagef("%s and --clock: with --clock this node is the clock and follows none; "+
			"allowed: false for this node, true for the others", source)
	case c.Lockstep:
		return exitcode.Usagef("%s and --lockstep: either /clock or commands advance time; allowed: one of the two", source)
	case c.Ros == "off":
		return exitcode.Usagef("%s and --ros off: there is no /clock to follow without a network; allowed: --ros ros1, ros2 or both, or false", source)
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
