package sim

import "math"

// Kind is the quantity that a port carries. It determines the layout of its values. The set
// is closed: a bridge maps each kind to a message type once, and so serves any
// model.
type Kind uint8

// The kinds of port, with the layout and the SI unit of their values; n is the
// number of labels. Vectors and poses are expressed in the frame of Port.Frames.
const (
	// Tension is n tendon tensions, N.
	Tension Kind = iota + 1
	// TendonLength is n tendon pulls at the base, m; positive shortens.
	TendonLength
	// Pose is x y z (m) and the unit quaternion qx qy qz qw.
	Pose
	// Twist is vx vy vz (m/s) wx wy wz (rad/s).
	Twist
	// Wrench is fx fy fz (N) tx ty tz (N m). A port with several frames has a
	// seventh value, the index into Port.Frames of the frame it is given in.
	Wrench
	// JointState is n positions, then n velocities, then n efforts, in the units
	// of Port.Parts; parts that the port does not have are absent.
	JointState
	// PoseArray is n poses, each as in Pose; the labels name them.
	PoseArray
	// Field is a magnetic flux density bx by bz, T.
	Field
	// FieldGradient is bx by bz (T) and gxx gxy gxz gyy gyz (T/m).
	FieldGradient
	// RotatingField is the axis ax ay az, amplitude (T), frequency (Hz) and the
	// constant component along the axis (T).
	RotatingField
	// Currents is n coil currents, A.
	Currents
	// Path is one pose, as in Pose; its readers keep the history.
	Path
	// Contacts is what touches walls, of which the labels are the names: the number of
	// contacts, the largest normal force (N) and the largest depth (m), then for each of
	// MostContacts the place of its wall among the labels, −1 of those that there are not, arc
	// length (m), gap (m), normal force (N), position (m), normal and friction (N).
	Contacts
	// Transforms is n poses of frames, each as in Pose; the labels are the frames' names.
	Transforms
	// Imu is an angular velocity wx wy wz (rad/s) and a specific force ax ay az (m/s²).
	Imu
	// Named is n numbers, in the units of the port; the labels are their names.
	Named
	// ImagePoints is n points of an image, each u v (px) and 1 if it is seen, else 0 0 0; the labels name them.
	ImagePoints
)

var kindNames = []string{"", "tension", "tendon_length", "pose", "twist", "wrench", "joint_state", "pose_array",
	"field", "field_gradient", "rotating_field", "currents", "path", "contacts", "transforms", "imu", "named", "image_points"}

// MostContacts is the number of contacts in a port of kind Contacts, those with the
// largest forces, ContactHead the number of values before them, and ContactWidth that of
// each.
const (
	MostContacts = 64
	ContactHead  = 3
	ContactWidth = 13
)

// String returns the name of k in snake_case.
func (k Kind) String() string {
	if 0 < k && int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown_kind"
}

// Parts are those of position, velocity and effort that a JointState port has.
type Parts uint8

// The parts of a joint state.
const (
	Position Parts = 1 << iota
	Velocity
	Effort
)

// Count returns the number of parts.
func (p Parts) Count() int {
	return int(p&Position + p&Velocity>>1 + p&Effort>>2)
}

// Direction distinguishes commands from measurements.
type Direction uint8

// In is a command to the model, Out a value that it gives.
const (
	In Direction = iota + 1
	Out
)

// Pace is how often an Out port is worth sending.
type Pace uint8

// Fast ports go out at the publishing rate, Slow ones, for human eyes, at the
// marker rate.
const (
	Fast Pace = iota
	Slow
)

// World is the name of the inertial frame.
const World = "world"

// Keep is the value of a command that leaves the actuator as it is. It is a NaN
// with bits of its own, so that any other NaN in a command remains a mistake.
var Keep = math.Float64frombits(keepBits)

const keepBits = 0x7ff8_6b65_6570_0000

// IsKeep reports whether x is Keep.
func IsKeep(x float64) bool { return math.Float64bits(x) == keepBits }

// Port describes one input or output of a model. It does not change after the
// model is made.
type Port struct {
	Name      string    // name of the topic, for example "measured_cp", private to the node
	Kind      Kind      // layout of the values
	Direction Direction // In or Out
	Pace      Pace      // how often an Out port is sent
	Labels    []string  // names of tendons, coils or nodes, for a kind with n of them
	Unit      string    // SI unit of the values, for messages to people
	Units     []string  // SI unit of each value, where they depend on the label, as of joints that turn and joints that slide; nil elsewhere
	Parts     Parts     // what a JointState port has

	// Frames are the frames that the values are expressed in. Out ports and most
	// In ports have one frame; where a command may choose there are several. A
	// frame is World or a name private to the robot, such as "base" or "tip".
	Frames []string
	// Child, if not empty, is the frame that this Pose port places in the frame
	// tree, under the frame Parent (World or the Child of another port).
	Child, Parent string
	// Parents, if not empty, makes a Transforms port place its labels in the frame tree, each under its frame of Parents.
	Parents []string
	// Samples, if above 0, makes an Out port that of a sensor, which measures at times of its own. Its values are then how many
	// measurements have arrived, and of so many of the newest, the newest first, for how long each has been taken (s) and what it is,
	// in the layout of Kind. Those that there are not yet have values all the same, and do not count. Value may be given room for fewer.
	// An In port with Samples takes what a sensor of hardware measures in the same layout: each command has the newest of all.
	Samples int
	// Camera, of an ImagePoints port, is what makes the image.
	Camera *Camera
	// Covariance reports that behind its pose an Out port of kind Pose has the covariance of it, 36 values by row: of x, y, z (m) and of
	// rotations about the axes of Frames (rad).
	Covariance bool
	// Noise, if not nil, is the standard deviation of the white noise of each value of a measurement, with that of its rounding.
	Noise []float64
	// Silent reports that the port has no topic and only places frames.
	Silent bool

	// Plain, if not empty, is a second name under which an In port also takes
	// its values as a bare array of numbers, for people at a terminal.
	Plain string
	// Group names the actuators that an In port drives. Ports of one group have
	// the same labels and supersede one another value by value: the newest
	// command for an actuator decides, so that one tendon may be pulled to a
	// length while the others hold tensions. The first port of a group is its
	// home: on a time-out the group ramps to that port's Safe. Ports without
	// labels, or with more values than labels, supersede one another as a whole.
	Group string
	// Min and Max bound each value of an In port; MaxRate (unit/s) bounds how
	// fast the setpoint follows. Values beyond Min and Max are clamped and
	// counted. Nil means no bound.
	Min, Max, MaxRate []float64
	// Strict reports that a command with a value beyond Min or Max is refused, not
	// clamped, because such a value must be in another unit.
	Strict bool
	// Plausible bounds the magnitude of each value of an In port whether or not it is Strict: a command
	// beyond is refused, not clamped, because such a value must be in another unit. Nil means no bound.
	Plausible []float64
	// Speed (m/s) and AngularSpeed (rad/s) bound how fast what an In port of kind Pose moves follows the
	// commands, where the model bounds that itself. 0 means no bound.
	Speed, AngularSpeed float64
	// Hint suggests to people which unit a refused value may be in.
	Hint string
	// Measured reports that an In port receives measurements of hardware: its messages may
	// name more than the labels, and the rest is passed over.
	Measured bool
	// Safe is the setpoint of an In port when no commands come. Nil means zeros;
	// a value that is Keep leaves the actuator where it is on the way to its last
	// command, or at that. What is commanded as a whole, as a Pose, continues to it.
	Safe []float64
}

// UnitOf returns the SI unit of value i, for messages to people.
func (p *Port) UnitOf(i int) string {
	if p.Units != nil {
		return p.Units[i]
	}
	return p.Unit
}

// Accepted returns the bounds of value i beyond which a command is refused, infinite where there are none.
func (p *Port) Accepted(i int) (least, most float64) {
	least, most = math.Inf(-1), math.Inf(1)
	if p.Strict && p.Min != nil {
		least = p.Min[i]
	}
	if p.Strict && p.Max != nil {
		most = p.Max[i]
	}
	if p.Plausible != nil {
		least, most = max(least, -p.Plausible[i]), min(most, p.Plausible[i])
	}
	return least, most
}

// HasSetpoint reports whether the setpoint of the port is part of snapshots: of every command but those of tendons and motors, servo_jp
// and servo_jf, which setpoint_js has, and measurements.
func (p *Port) HasSetpoint() bool {
	switch p.Kind {
	case Pose, Twist, Wrench, Field, FieldGradient, RotatingField, Currents:
		return p.Direction == In && !p.Measured
	case JointState:
		return p.Direction == In && !p.Measured && p.Name != "servo_jp"
	}
	return false
}

// IsMotors reports whether the port takes the angles that motor joints are commanded, rad.
func (p *Port) IsMotors() bool {
	return p.Direction == In && p.Kind == JointState && p.Unit == "rad" && !p.Measured
}

// ImagePointWidth is the number of values of each point of ImagePoints.
const ImagePointWidth = len(imageComponents)

// PoseWidth is the number of values of a pose, and CovarianceWidth that of its covariance behind it.
const PoseWidth, CovarianceWidth = 7, 36

// SampleHead is the number of values of a port with Samples before those of the newest measurement: the count and the age.
const SampleHead = 2

// Sample returns measurement i, 0 for the newest, of the values of a port with Samples: its age (s) and its values.
func (p *Port) Sample(values []float64, i int) (age float64, v []float64) {
	w := p.layout()
	at := values[1+i*(1+w):]
	return at[0], at[1 : 1+w]
}

// Width returns the number of values of the port; 0 if its Kind is unknown.
func (p *Port) Width() int {
	if w := p.layout(); p.Samples == 0 || w == 0 {
		return w
	}
	return 1 + p.Samples*(1+p.layout())
}

// layout returns the number of values of the kind.
func (p *Port) layout() int {
	switch p.Kind {
	case Tension, TendonLength, Currents, Named:
		return len(p.Labels)
	case Pose, Path:
		if p.Covariance {
			return PoseWidth + CovarianceWidth
		}
		return PoseWidth
	case Twist, Imu:
		return 6
	case Wrench:
		if len(p.Frames) > 1 {
			return 7
		}
		return 6
	case JointState:
		return p.Parts.Count() * len(p.Labels)
	case PoseArray, Transforms:
		return 7 * len(p.Labels)
	case ImagePoints:
		return ImagePointWidth * len(p.Labels)
	case Field:
		return 3
	case FieldGradient:
		return 8
	case RotatingField:
		return 6
	case Contacts:
		return ContactHead + MostContacts*ContactWidth
	}
	return 0
}
