package run

import (
	"context"

	"sinew/cmd/internal/exit"
)

// alternatives are the ways to run in other than real time.
const alternatives = "--clock makes it the clock that others follow, --lockstep takes one control period per command"

// checkSimTime refuses use_sim_time: true, which was given at source; empty means that it
// was not. Going on would stamp with another clock than all other nodes.
func checkSimTime(source string, isClock bool) error {
	switch {
	case source == "":
		return nil
	case isClock:
		return exit.Usagef("%s: use_sim_time: true and --clock: with --clock this node is the clock and follows none; "+
			"allowed: false for this node, true for the others", source)
	}
	return exit.Usagef("%s: use_sim_time: true: this node cannot follow /clock; allowed: false, and instead %s", source, alternatives)
}

// checkSimTime refuses /use_sim_time: true of the ROS 1 parameter server, which is for all
// nodes at once, unless this node is their clock.
func (n *networks) checkSimTime(ctx context.Context, isClock bool) error {
	if n.ros1 == nil || !n.ros1.online || isClock {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 2*masterTimeout)
	defer cancel()
	value, set, err := n.ros1.client().Param(ctx, "/use_sim_time")
	if err != nil || !set || value == false || value == 0 {
		return nil
	}
	return exit.Usagef("parameter server at %s: /use_sim_time is %v: this node cannot follow /clock; "+
		"allowed: false (rosparam set /use_sim_time false), or %s", n.ros1.uri(), value, alternatives)
}
