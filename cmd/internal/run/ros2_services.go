package run

import (
	"strings"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros/lifecycle"
	"sinew/pkg/ros/simcontrol"
	"sinew/pkg/ros/typedescription"
)

// velocityPort is the port of the velocity that belongs to the pose of a robot.
const velocityPort = "measured_cv"

// endDelay is the time in which the response to a shutdown request is sent.
const endDelay = 100 * time.Millisecond

// serveROS2 offers the services that all nodes and simulators of ROS 2 share: type descriptions,
// the lifecycle, and simulation_interfaces.
func (n *node) serveROS2(clock bool) error {
	if n.net.ros2 == nil || n.net.ros2.transport == nil {
		return nil
	}
	t := n.net.ros2.transport
	if !n.env.Args.NoTypeDescription {
		name, err := n.names.Resolve("~get_type_description")
		if err == nil {
			err = typedescription.Serve(t, name)
		}
		if err != nil {
			return err
		}
	}
	life, err := lifecycle.Serve(t, n.names.Resolve, lifecycle.Options{
		Arrive: n.bridge.Arrive, State: n.sim.State, End: n.askToEnd, Now: n.time(clock), Log: n.log,
	})
	if err != nil {
		return err
	}
	observe := func() { life.Observe(n.sim.State()) }
	n.monitor.changed.Store(&observe)
	return simcontrol.Serve(t, n.names.Resolve, simcontrol.Options{
		Arrive: n.bridge.Arrive, Condition: n.sim.Condition, SimTime: n.sim.SimTime, End: n.askToEnd,
		Pose: func() (*geometry_msgs.PoseStamped, *geometry_msgs.TwistStamped) {
			return n.monitor.pose.Load(), n.monitor.twist.Load()
		},
		Entity: strings.TrimPrefix(n.names.Node(), "/"), Info: n.env.Robot.Name + " " + cli.Version + ": " + n.made.Describe,
	})
}

// askToEnd ends the run after endDelay.
func (n *node) askToEnd() {
	n.endOnce.Do(func() { time.AfterFunc(endDelay, func() { close(n.asked) }) })
}
