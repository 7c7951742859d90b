package program

import (
	"slices"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/sim"
	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/robotfile"
)

// measuredJoints is the Out port that hardware/measured_js is compared with,
// where a robot has it.
const measuredJoints = "measured_js"

// measuredShape is the Out port along the robot that hardware/backbone is drawn with, where a robot has it.
const measuredShape = "backbone"

var poseTypes = map[robotfile.PoseType]*msgs.Type{
	robotfile.PoseStamped:      geometry_msgs.PoseStampedType,
	robotfile.PointStamped:     geometry_msgs.PointStampedType,
	robotfile.TransformStamped: geometry_msgs.TransformStampedType,
}

// LiveHardware returns the live comparison of the port shown with hardware, as the robot file
// configures it; nil for robots without a single pose, such as a swarm, or whose files have no hardware, such as those of mechanisms.
func (m *Instance) LiveHardware(ports []sim.Port, shown string) *ros.Hardware {
	has := func(name string, k sim.Kind) bool {
		return slices.ContainsFunc(ports, func(p sim.Port) bool { return p.Name == name && p.Kind == k && p.Direction == sim.Out })
	}
	f := &m.Hardware
	if !has(shown, sim.Pose) || f.PoseType == "" {
		return nil
	}
	const gapPeriods = 2.5 // longest interval that is no gap, in publishing periods
	h := &ros.Hardware{
		Port: shown, Type: poseTypes[f.PoseType], Frame: f.Frame,
		Place: f.FramePose(), Mirror: f.Mirror(),
		MarkM: m.MarkM,
		Live:  hil.LiveOptions{LengthM: m.LengthM, WindowS: f.Window, MaxGapS: max(f.MaxGap, gapPeriods/m.Timing.PublishHz), Follow: f.Latency == nil},
	}
	if f.Latency != nil {
		h.Live.LatencyS = *f.Latency
	}
	if has(measuredJoints, sim.JointState) {
		h.Joints = measuredJoints
	}
	if has(measuredShape, sim.PoseArray) {
		h.Shape = measuredShape
	}
	return h
}
