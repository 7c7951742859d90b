package run

import (
	"errors"
	"time"

	"sinew/pkg/ros/rosout"
)

// openLog makes the logger of the node. Its lines are also published on /rosout once the networks
// are joined, unless --disable-rosout-logs was given.
func (n *node) openLog() error {
	topic, err := n.names.Resolve("/rosout")
	if err != nil {
		return err
	}
	if !n.env.Args.NoRosout {
		n.rosout = rosout.New(n.names.Node(), topic)
	}
	n.log = n.env.Logger(n.names.Node(), n.rosout)
	if n.several {
		n.log = n.log.Named(n.names.Node())
	}
	return nil
}

// startRosout publishes the log on the networks and to recordings. A recording takes the messages
// of the network whose format it has. With clock, stamps are simulated time.
func (n *node) startRosout(clock bool) error {
	if n.rosout == nil {
		return nil
	}
	var errs []error
	if one := n.net.ros1; one != nil && one.transport != nil {
		errs = append(errs, n.rosout.AddROS1(one.transport))
	}
	if two := n.net.ros2; two != nil && two.transport != nil {
		errs = append(errs, n.rosout.AddROS2(two.transport))
	}
	if n.viewer != nil {
		errs = append(errs, n.rosout.AddROS2(n.viewer))
	}
	errs = append(errs, n.rosout.AddROS1(n.recordings.Transport()), n.rosout.AddROS2(n.recordings.Transport()))
	if err := errors.Join(errs...); err != nil {
		return err
	}
	n.rosout.Start(n.time(clock))
	return nil
}

// time returns the clock of the stamps: simulated time with --clock; the time of /clock for a node
// that follows it, which is 0 before the first message.
func (n *node) time(clock bool) func() time.Duration {
	switch {
	case clock:
		return func() time.Duration { return time.Duration(n.sim.SimTime() * 1e9) }
	case n.follows:
		return n.sim.FollowedTime
	}
	return func() time.Duration { return n.stamps.At(n.clock.Now()) }
}
