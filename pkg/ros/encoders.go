package ros

import (
	"slices"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/nav_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/msgs/vision_msgs"
	"sinew/pkg/sim"
)

// encodeJoints gives every part that the port has for every label; the parts that
// it does not have stay empty, so that all non-empty arrays have equal lengths.
func encodeJoints(o *outputPort, h std_msgs.Header, v []float64) msgs.Message {
	m := &sensor_msgs.JointState{Header: h, Name: o.port.Labels}
	n, rest := len(o.port.Labels), slices.Clone(v)
	next := func() []float64 {
		part := rest[:n:n]
		rest = rest[n:]
		return part
	}
	have := parts(o.port)
	if have&sim.Position != 0 {
		m.Position = next()
	}
	if have&sim.Velocity != 0 {
		m.Velocity = next()
	}
	if have&sim.Effort != 0 {
		m.Effort = next()
	}
	return m
}

func encodePose(_ *outputPort, h std_msgs.Header, v []float64) msgs.Message {
	return &geometry_msgs.PoseStamped{Header: h, Pose: pose(v)}
}

func encodeTwist(_ *outputPort, h std_msgs.Header, v []float64) msgs.Message {
	return &geometry_msgs.TwistStamped{Header: h, Twist: geometry_msgs.Twist{Linear: vector(v), Angular: vector(v[3:])}}
}

// encodeWrench names the frame that the seventh value chooses, where there is one.
func encodeWrench(o *outputPort, h std_msgs.Header, v []float64) msgs.Message {
	if len(v) > 6 {
		h.FrameID = o.frames[int(v[6])]
	}
	return &geometry_msgs.WrenchStamped{Header: h, Wrench: geometry_msgs.Wrench{Force: vector(v), Torque: vector(v[3:])}}
}

func encodePoseArray(_ *outputPort, h std_msgs.Header, v []float64) msgs.Message {
	m := &geometry_msgs.PoseArray{Header: h, Poses: make([]geometry_msgs.Pose, len(v)/7)}
	for i := range m.Poses {
		m.Poses[i] = pose(v[7*i:])
	}
	return m
}

// encodePath gives the poses that the outputPort has collected, oldest first, each
// with the stamp that it had.
func encodePath(o *outputPort, h std_msgs.Header, _ []float64) msgs.Message {
	m := &nav_msgs.Path{Header: h, Poses: make([]geometry_msgs.PoseStamped, 0, o.history.poses.Len())}
	for i := range o.history.poses.Len() {
		p := o.history.poses.At(i)
		m.Poses = append(m.Poses, geometry_msgs.PoseStamped{
			Header: header(uint32(i), p.stamp, h.FrameID),
			Pose:   pose(p.values[:]),
		})
	}
	return m
}

func encodeField(o *outputPort, h std_msgs.Header, v []float64) msgs.Message {
	return &sensor_msgs.MagneticField{Header: h, MagneticField: vector(v), MagneticFieldCovariance: covariance(o.port.Noise, 0)}
}

// encodeImu gives no orientation, which the first covariance says.
func encodeImu(o *outputPort, h std_msgs.Header, v []float64) msgs.Message {
	return &sensor_msgs.Imu{
		Header: h, Orientation: geometry_msgs.Quaternion{W: 1}, OrientationCovariance: [9]float64{-1},
		AngularVelocity: vector(v), AngularVelocityCovariance: covariance(o.port.Noise, 0),
		LinearAcceleration: vector(v[3:]), LinearAccelerationCovariance: covariance(o.port.Noise, 3),
	}
}

// covariance is that of three values with noise from first on; without noise it is zero, which means unknown.
func covariance(noise []float64, first int) (c [9]float64) {
	if noise != nil {
		for i, s := range noise[first : first+3] {
			c[4*i] = s * s
		}
	}
	return c
}

func encodeNamed(o *outputPort, h std_msgs.Header, v []float64) msgs.Message {
	return &sinew_msgs.NamedValues{Header: h, Names: o.port.Labels, Unit: o.port.Unit, Values: slices.Clone(v)}
}

// encodeImagePoints gives the points that are seen, as boxes without size: each with its name as id and class, in ROS 1, which has numbers
// there, with its place among the labels as class.
func encodeImagePoints(o *outputPort, h std_msgs.Header, v []float64) msgs.Message {
	m := &vision_msgs.Detection2DArray{Header: h, Detections: []vision_msgs.Detection2D{}}
	unknown := geometry_msgs.PoseWithCovariance{Pose: geometry_msgs.Pose{Orientation: geometry_msgs.Quaternion{W: 1}}}
	for i, name := range o.port.Labels {
		p := v[sim.ImagePointWidth*i:]
		if p[2] == 0 {
			continue
		}
		m.Detections = append(m.Detections, vision_msgs.Detection2D{
			Header: h, ID: name,
			Results: []vision_msgs.ObjectHypothesisWithPose{{
				ID: int64(i), Score: 1, Hypothesis: vision_msgs.ObjectHypothesis{ClassID: name, Score: 1}, Pose: unknown,
			}},
			Bbox: vision_msgs.BoundingBox2D{
				CenterROS1: geometry_msgs.Pose2D{X: p[0], Y: p[1]}, Center: vision_msgs.Pose2D{Position: vision_msgs.Point2D{X: p[0], Y: p[1]}},
			},
		})
	}
	return m
}

func encodeFieldGradient(_ *outputPort, h std_msgs.Header, v []float64) msgs.Message {
	return &sinew_msgs.FieldGradient{Header: h, Field: vector(v), Gradient: [5]float64(v[3:8])}
}

func encodeRotatingField(_ *outputPort, h std_msgs.Header, v []float64) msgs.Message {
	return &sinew_msgs.RotatingField{Header: h, Axis: vector(v), Amplitude: v[3], Frequency: v[4], Offset: v[5]}
}

func encodeCurrents(_ *outputPort, h std_msgs.Header, v []float64) msgs.Message {
	return &sinew_msgs.CoilCurrents{Header: h, Currents: slices.Clone(v)}
}

// encodeContacts gives the contacts that there are.
func encodeContacts(o *outputPort, h std_msgs.Header, v []float64) msgs.Message {
	m := &sinew_msgs.Contacts{Header: h, Contacts: []sinew_msgs.Contact{}}
	for c := v[sim.ContactHead:]; len(c) > 0 && c[0] >= 0; c = c[sim.ContactWidth:] {
		m.Contacts = append(m.Contacts, sinew_msgs.Contact{
			Shape: o.port.Labels[int(c[0])], ArcLength: c[1], Gap: c[2], NormalForce: c[3],
			Position: geometry_msgs.Point{X: c[4], Y: c[5], Z: c[6]}, Normal: vector(c[7:]), Friction: vector(c[10:]),
		})
	}
	return m
}

// encodeTransforms names every pose by its frame, as drivers of motion capture do.
func encodeTransforms(o *outputPort, h std_msgs.Header, v []float64) msgs.Message {
	m := &tf2_msgs.TFMessage{Transforms: make([]geometry_msgs.TransformStamped, len(o.children))}
	for i := range m.Transforms {
		p := pose(v[7*i:])
		m.Transforms[i] = geometry_msgs.TransformStamped{
			Header: h, ChildFrameID: o.children[i],
			Transform: geometry_msgs.Transform{Translation: geometry_msgs.Vector3(p.Position), Rotation: p.Orientation},
		}
	}
	return m
}

// pose reads x y z qx qy qz qw, the order of ROS.
func pose(v []float64) geometry_msgs.Pose {
	return geometry_msgs.Pose{
		Position:    geometry_msgs.Point{X: v[0], Y: v[1], Z: v[2]},
		Orientation: geometry_msgs.Quaternion{X: v[3], Y: v[4], Z: v[5], W: v[6]},
	}
}

func vector(v []float64) geometry_msgs.Vector3 {
	return geometry_msgs.Vector3{X: v[0], Y: v[1], Z: v[2]}
}
