package ros

import (
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/sim"
)

// WithCovariance is what the topic of a pose with its covariance has behind that of the pose alone.
const WithCovariance = "/with_covariance"

// companion is a topic beside that of an output, with another message of the same measurement.
type companion struct {
	*topicPublisher
	encode func(o *outputPort, h std_msgs.Header, v []float64) msgs.Message
	isSent bool // a latched message, which does not change
}

// companionOf returns the topic beside that of a port, without its publisher; nil if there is none.
func companionOf(p *sim.Port) (topic Topic, encode func(o *outputPort, h std_msgs.Header, v []float64) msgs.Message) {
	switch {
	case p.Camera != nil:
		return Topic{Name: p.Name + "/camera_info", Type: sensor_msgs.CameraInfoType, Latched: true}, encodeCameraInfo
	case p.Kind == sim.Pose && (p.Covariance || p.Samples > 0 && p.Noise != nil):
		return Topic{Name: p.Name + WithCovariance, Type: geometry_msgs.PoseWithCovarianceStampedType, Lossy: true}, encodePoseWithCovariance
	}
	return Topic{}, nil
}

// send publishes the message that belongs to a measurement; a latched one with the first snapshot, and never again.
func (c *companion) send(o *outputPort, at, taken msgs.Time, v []float64) {
	if !c.isSent && c.wanted() {
		c.isSent = c.topic.Latched
		c.publish(at, c.encode(o, header(c.seq, taken, o.frame), v))
	}
}

// encodeCameraInfo gives the intrinsics of a camera. It is no part of a stereo pair: R is the identity, and P has the matrix of K.
func encodeCameraInfo(o *outputPort, h std_msgs.Header, _ []float64) msgs.Message {
	c := o.port.Camera
	return &sensor_msgs.CameraInfo{
		Header: h, Width: uint32(c.Width), Height: uint32(c.Height), DistortionModel: "plumb_bob", D: c.Distortion[:],
		K: [9]float64{c.FocalX, 0, c.CenterX, 0, c.FocalY, c.CenterY, 0, 0, 1},
		R: [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1},
		P: [12]float64{c.FocalX, 0, c.CenterX, 0, 0, c.FocalY, c.CenterY, 0, 0, 0, 1, 0},
	}
}

// encodePoseWithCovariance gives a pose with its covariance, or that of its noise: of x, y, z, and of rotations about these axes, all those
// of the header's frame. The noise of the rotation is about the axes of the sensor and equal about all three, so that it is the same about any
// others.
func encodePoseWithCovariance(o *outputPort, h std_msgs.Header, v []float64) msgs.Message {
	m := &geometry_msgs.PoseWithCovarianceStamped{Header: h, Pose: geometry_msgs.PoseWithCovariance{Pose: pose(v)}}
	if o.port.Covariance {
		copy(m.Pose.Covariance[:], v[sim.PoseWidth:])
		return m
	}
	for i := range 6 {
		s := o.port.Noise[i]
		if i >= 3 { // of a quaternion, half that of the rotation
			s *= 2
		}
		m.Pose.Covariance[7*i] = s * s
	}
	return m
}
