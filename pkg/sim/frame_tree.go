package sim

import "sinew/pkg/sim/spatial"

// FrameTree is the tree of frames of a mechanism. Joints that close loops are not part of it: they are cut.
type FrameTree struct {
	Frames []TreeFrame // each after its parent
	Cuts   []Cut
}

// Cut is a joint that closes a loop: it connects two frames that other joints have placed.
type Cut struct{ Joint, Type, Parent, Child string }

// TreeFrame is a frame and what connects it to its parent. A coordinate has the same name, sign and unit as in measured_js.
type TreeFrame struct {
	Name, Parent string // private to the robot; Parent may be World
	Joint        string // of the robot file, or one of its coordinates, or a tendon; otherwise Name
	Type         FrameJoint
	Origin       spatial.Pose // in the parent, at coordinate 0; of a floating frame at present
	Axis         spatial.Vec  // of a revolute or prismatic frame, unit, in its own axes
	Min, Max     float64      // of the coordinate, rad or m; may be infinite
	MaxEffort    float64      // of its motor, N m or N; may be infinite, 0 without a motor
	MaxRate      float64      // of its command, rad/s or m/s; may be infinite
	Damping      float64      // N m s/rad or N s/m
	Friction     float64      // N m or N
	Inertial     *Inertial    // nil for frames of rods and of joints
	Shapes       []FrameShape
}

// FrameJoint is how a frame moves in its parent, in the words of URDF.
type FrameJoint string

// The joints of frames. A floating one has no coordinates; its pose is all that is known.
const (
	FixedFrame     FrameJoint = "fixed"
	RevoluteFrame  FrameJoint = "revolute"
	PrismaticFrame FrameJoint = "prismatic"
	FloatingFrame  FrameJoint = "floating"
)

// Inertial is the inertia of a body.
type Inertial struct {
	Mass    float64     // kg
	Center  spatial.Vec // m, axes of the frame
	Inertia [6]float64  // about the centre: Jxx, Jyy, Jzz, Jyz, Jxz, Jxy, axes of the frame, kg m²
}

// FrameShape is a shape at a frame: that of which the size is not 0.
type FrameShape struct {
	Pose   spatial.Pose // of its centre in the frame; the axis of a cylinder is z
	Radius float64      // of a sphere, or a cylinder with Length, m
	Length float64      // m
	Box    spatial.Vec  // edges, m
	File   string       // of a mesh
	Scale  float64      // metres in a unit of the mesh
	Color  Color
}
