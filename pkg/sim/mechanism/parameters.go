package mechanism

import (
	"slices"

	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Parameters describe a mechanism.
type Parameters struct {
	Gravity spatial.Vec // world axes, m/s²
	Rods    []Rod
	Bodies  []Body
	Joints  []Joint
	Tendons []Tendon
	// Contact is between rods, shapes of bodies, and walls, but not between links that a joint connects, nor between
	// rods that a body holds at one place. Of two friction coefficients the smaller counts.
	Walls  []Wall
	Pairs  []PairFriction
	Ignore [][2]string // pairs of names of links, walls or shapes (as body.shape) that do not touch
}

// PairFriction is the Coulomb coefficient of two links, walls or shapes (as body.shape) on each other, in place of the
// smaller of theirs.
type PairFriction struct {
	Of       [2]string
	Friction float64
}

// Body is a rigid body.
type Body struct {
	Name         string
	Mass         float64     // kg
	CenterOfMass spatial.Vec // from the origin, body axes, m
	// Inertia about the centre of mass: Jxx, Jyy, Jzz, Jyz, Jxz, Jxy, body axes, kg m².
	Inertia [6]float64
	// Pose of the origin at t = 0 in the world; nil: a joint places the body.
	Pose *spatial.Pose
	// Velocity of the origin at t = 0, m/s in world axes and rad/s in body axes; nil: as the joints
	// require.
	Velocity *spatial.Twist
	IsFixed  bool // the body moves by MoveBody only, and needs no mass
	Loads    []Load
	Shapes   []Shape // of its surface
	Friction float64 // Coulomb coefficient
}

// Load is a constant wrench on a body.
type Load struct {
	Until  float64     // time at which it ends, s; 0: never
	At     spatial.Vec // point of the force, body axes, m
	Wrench spatial.Wrench
	// IsFollower says that the wrench is in body axes; otherwise it is in world axes.
	IsFollower bool
}

// Joint connects two links.
type Joint struct {
	Name          string
	Type          joint.Type
	Parent, Child JointSide
	Axis          spatial.Vec // in the joint's frame on the parent
	SecondAxis    spatial.Vec // of a universal joint, in the joint's frame on the child
	// Position are the coordinates at t = 0; nil: those of the given poses, or 0.
	Position []float64
	// Spring acts on every coordinate; nil: none.
	Spring []Spring
	// Limits are hard stops of every coordinate; nil: none. Impacts at stops are perfectly inelastic.
	Limits []Limits
	// Friction is the Coulomb friction of every coordinate, N or N m; nil: none.
	Friction []float64
	Motor    []Motor // by coordinate; nil: none
}

// Limits are the smallest and the largest value of a coordinate, m or rad; infinite: none.
type Limits struct{ Min, Max float64 }

// Spring is a spring with damper on a coordinate of a joint.
type Spring struct {
	Stiffness float64 // N/m or N m/rad
	Damping   float64 // N s/m or N m s/rad
	Rest      float64 // m or rad
}

// JointSide is the frame of a joint on one of its links: a pose in the axes of a body, of a section of a rod, or of the world.
type JointSide struct {
	Link  string       // name of a rod or body; "" is the world
	At    float64      // arc length of the section of a rod, m
	Frame spatial.Pose // of the joint, in the axes of the link
}

// Rod is a flexible link. Joints hold it at sections, which are nodes: more of them than the
// parameters give are added where joints and loads need them.
type Rod struct {
	Name string
	// Parameters of the rod; Base is not used.
	Parameters  rod.Params
	KelvinVoigt float64 // time constant of internal damping, s; see strain.Options
	// Options returns damping and attached bodies of the rod with the nodes that it has; nil: KelvinVoigt alone. Gravity and
	// FreeStart are those of the mechanism.
	Options func(*rod.Rod) strain.Options
	// Start is the pose of the section s = 0 at t = 0; nil: a joint places the rod.
	Start *spatial.Pose
	// Deformation is that of the rod at t = 0; nil: it has its rest shape.
	Deformation *Deformation
	// Velocity of the section s = 0 at t = 0, m/s and rad/s in world axes, with which the rod begins as a
	// rigid body; nil: as the joints require.
	Velocity *spatial.Twist
	Loads    []RodLoad
	Friction float64 // Coulomb coefficient
	// ContactRadius is the radius of the surface, m; 0: that of the section, the largest of each element.
	ContactRadius float64
	SelfContact   bool // the rod touches itself
}

// Deformation is the shape of a rod, by sections at rising arc lengths (m), from s = 0 to its end. Their poses may be in any frame:
// the rod as a whole is placed as a straight one.
type Deformation struct {
	ArcLengths []float64
	Poses      []spatial.Pose
}

// at returns the pose of the section at s. Between two sections the strain is constant.
func (h *Deformation) at(s float64) spatial.Pose {
	i, _ := slices.BinarySearch(h.ArcLengths, s)
	i = min(max(i, 1), len(h.ArcLengths)-1)
	a, b := h.ArcLengths[i-1], h.ArcLengths[i]
	x := h.Poses[i-1].Inv().Mul(h.Poses[i]).Log()
	u := (s - a) / (b - a)
	return h.Poses[i-1].Mul(spatial.Exp(spatial.Twist{Linear: x.Linear.Scale(u), Angular: x.Angular.Scale(u)}))
}

// RodLoad is a constant wrench on a section of a rod.
type RodLoad struct {
	Until  float64 // time at which it ends, s; 0: never
	At     float64 // arc length, m
	Wrench spatial.Wrench
	// IsFollower says that the wrench is in the axes of the section; otherwise it is in world axes.
	IsFollower bool
}
