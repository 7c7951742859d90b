package ros

import (
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

// codec is how the values of one kind of port look in a message.
type codec struct {
	messageType *msgs.Type
	// encode makes the message of an Out port from its values, which it does not
	// keep.
	encode func(o *outputPort, h std_msgs.Header, v []float64) msgs.Message
	// decode is nil where a kind makes no sense as a command.
	decode decoder
}

// decoder writes to v, of the width of c's port, what a message commands.
type decoder func(c *inputPort, m msgs.Message, v []float64) refusal

// codecs maps every kind of port to its message type, once for all robots.
var codecs = map[sim.Kind]codec{
	sim.Tension:       {sensor_msgs.JointStateType, encodeJoints, decodeJoints},
	sim.TendonLength:  {sensor_msgs.JointStateType, encodeJoints, decodeJoints},
	sim.JointState:    {sensor_msgs.JointStateType, encodeJoints, decodeJoints},
	sim.Pose:          {geometry_msgs.PoseStampedType, encodePose, decodePose},
	sim.Twist:         {geometry_msgs.TwistStampedType, encodeTwist, decodeTwist},
	sim.Wrench:        {geometry_msgs.WrenchStampedType, encodeWrench, decodeWrench},
	sim.PoseArray:     {geometry_msgs.PoseArrayType, encodePoseArray, decodePoseArray},
	sim.Path:          {nav_msgs.PathType, encodePath, nil},
	sim.Field:         {sensor_msgs.MagneticFieldType, encodeField, decodeField},
	sim.FieldGradient: {sinew_msgs.FieldGradientType, encodeFieldGradient, decodeFieldGradient},
	sim.RotatingField: {sinew_msgs.RotatingFieldType, encodeRotatingField, decodeRotatingField},
	sim.Currents:      {sinew_msgs.CoilCurrentsType, encodeCurrents, decodeCurrents},
	sim.Contacts:      {sinew_msgs.ContactsType, encodeContacts, nil},
	sim.Transforms:    {tf2_msgs.TFMessageType, encodeTransforms, nil},
	sim.Imu:           {sensor_msgs.ImuType, encodeImu, decodeImu},
	sim.Named:         {sinew_msgs.NamedValuesType, encodeNamed, decodeNamed},
	sim.ImagePoints:   {vision_msgs.Detection2DArrayType, encodeImagePoints, nil},
}

// MessageType is the type of the messages of ports of a kind, nil of a kind that is not known.
func MessageType(k sim.Kind) *msgs.Type { return codecs[k].messageType }

// parts says which arrays of a JointState carry the values of p.
func parts(p *sim.Port) sim.Parts {
	switch p.Kind {
	case sim.Tension:
		return sim.Effort
	case sim.TendonLength:
		return sim.Position
	}
	return p.Parts
}

// header makes the header of a message in ROS frame id.
func header(seq uint32, stamp msgs.Time, id string) std_msgs.Header {
	return std_msgs.Header{Seq: seq, Stamp: stamp, FrameID: id}
}
