package robotfile

import (
	"strconv"

	"sinew/pkg/sim/spatial"
)

// Mechanism is a robot file of tendonsim with several links: rods and rigid bodies, which joints connect to one another and to
// the world. It has rods, bodies and joints where Continuum has rod, base and tip.
type Mechanism struct {
	Rods           []RodLink            `yaml:"rods" doc:"flexible links; not supported in mechanisms: material_law volume-preserving, damping.pyelastica_nu, viscoelasticity, bending_friction"`
	Bodies         []BodyLink           `yaml:"bodies" doc:"rigid links"`
	Joints         []LinkJoint          `yaml:"joints" doc:"each connects two of these: the world, bodies, sections of rods; joints place links that have no pose"`
	Gravity        spatial.Vec          `yaml:"gravity_m_per_s2" live:"model" unit:"m/s^2" range:"[-1000, 1000]" default:"[0, 0, -9.80665]" doc:"acceleration of free fall, world axes"`
	Tendons        []RoutedTendon       `yaml:"tendons" doc:"one per motor, in the order of command messages: through the disks of a rod, or along a route"`
	Loads          []LinkLoad           `yaml:"loads" doc:"concentrated forces and moments on links"`
	Markers        []LinkMarker         `yaml:"markers" doc:"points of the robot that are measured: output markers_measured, columns of sim"`
	Sensors        []Sensor             `yaml:"sensors" doc:"instruments: each sensor has a topic sensors/NAME and columns of sim"`
	Seed           int                  `yaml:"seed" unit:"1" range:"[0, 9007199254740991]" default:"1" doc:"of the random errors of sensors; equal seeds give equal errors"`
	Environment    MechanismEnvironment `yaml:"environment" doc:"contact of links with each other and with walls; stiffness_n_per_m is not supported in mechanisms"`
	InitialState   InitialState         `yaml:"initial_state" enum:"straight|equilibrium" default:"straight" doc:"at t = 0; straight: rods in their rest shape or initial_shape, and loops with rods must be closed there; loops of bodies alone are closed; equilibrium: all joints closed, static under the loads, tensions and gravity just before t = 0"`
	Solver         RodSolver            `yaml:"solver" doc:"time stepping; mechanisms have method implicit"`
	Rates          Rates                `yaml:"rates" doc:"of the loop and the topics"`
	Publish        PublishLinks         `yaml:"publish" doc:"switches of optional topics"`
	CommandTimeout float64              `yaml:"command_timeout_s" live:"loop" unit:"s" range:"(0, inf]" default:"0.2" doc:"without a fresh command for so long, tensions go to pretension_n, efforts to 0, and joints stop; .inf: never"`
	CommandPolicy  CommandPolicy        `yaml:"command_policy" live:"loop" enum:"exclusive|newest" default:"exclusive" doc:"whose commands act. exclusive: those of the first node, until it is silent for command_timeout_s, ends, or take_command opens the robot to any node; newest: the newest of any node"`
	AcceptStamps   StampPolicy          `yaml:"accept_stamps" live:"loop" enum:"fresh|any" default:"fresh" doc:"fresh: commands stamped further than command_timeout_s from now, past or future, are refused; any: for clocks that are not synchronised"`
	Accept         []Warning            `yaml:"accept" enum:"strain|time_error_over_length" doc:"names of warnings to silence"`
}

// RodLink is a rod of a mechanism.
type RodLink struct {
	Name string `yaml:"name" example:"leg_1" doc:"unique among links, joints, tendons and shapes; letters, digits, _ and - after a first letter or _; NAME/measured_cp is the topic of the pose of its end"`
	Rod
	Start        RodStart     `yaml:"start" doc:"pose and velocity of the section s = 0 at t = 0"`
	InitialShape InitialShape `yaml:"initial_shape" word:"straight" doc:"deformation at t = 0 with initial_state straight; straight: the rest shape, with precurvature"`
}

// InitialShape is the deformation of a rod at t = 0.
type InitialShape struct {
	File FileName `yaml:"file" default:"-" example:"bent.csv" doc:"CSV with columns s (m, from 0 to length_m), x, y, z (m), qx, qy, qz, qw of sections, all in one frame of any pose, and link where it has several rods, as static --out writes; from the folder of this file; empty: straight"`
}

// RodStart is where a rod starts, and how it moves. The pose is given if one of its keys is; then the others are those of the world's
// origin and axes.
type RodStart struct {
	Position        *spatial.Vec `yaml:"position_m" unit:"m" range:"[-1000, 1000]" example:"[0, 0, 0]" doc:"start of the centreline; without position_m, direction and normal a joint places the rod"`
	Direction       *spatial.Vec `yaml:"direction" unit:"1" range:"[-1e6, 1e6]" example:"[0, 0, 1]" doc:"d3, the tangent; any length but 0; [0, 0, 1] if only the others are given"`
	Normal          *spatial.Vec `yaml:"normal" unit:"1" range:"[-1e6, 1e6]" example:"[1, 0, 0]" doc:"d1, perpendicular to direction; any length but 0; [1, 0, 0] if only the others are given; d2 = d3 x d1"`
	Velocity        *spatial.Vec `yaml:"velocity_m_per_s" unit:"m/s" range:"[-1e4, 1e4]" example:"[0, 0, 0]" doc:"of the section s = 0; the rod begins as a rigid body; without velocities, the joints decide"`
	AngularVelocity *spatial.Vec `yaml:"angular_velocity_rad_per_s" unit:"rad/s" range:"[-1e5, 1e5]" example:"[0, 0, 0]" doc:"of the whole rod, world axes"`
}

// BodyLink is a rigid body of a mechanism.
type BodyLink struct {
	Name            string        `yaml:"name" example:"platform" doc:"as that of a rod; NAME/measured_cp is the topic of the pose of its origin"`
	Mass            float64       `yaml:"mass_kg" unit:"kg" range:"[0, 1e6]" default:"0" example:"0.05" doc:"above 0 with motion free"`
	Inertia         []float64     `yaml:"inertia_kg_m2" unit:"kg m^2" range:"(-inf, inf)" len:"0|3|6" example:"[1e-5, 1e-5, 2e-5]" doc:"about the centre of mass, body axes: [Jxx, Jyy, Jzz] or [Jxx, Jyy, Jzz, Jyz, Jxz, Jxy], entries of the matrix (Jxy = -integral of x y dm, as ixy of URDF); must be given with motion free"`
	CenterOfMass    spatial.Vec   `yaml:"center_of_mass_m" unit:"m" range:"[-1000, 1000]" default:"[0, 0, 0]" doc:"from the origin, body axes"`
	Position        *spatial.Vec  `yaml:"position_m" unit:"m" range:"[-1000, 1000]" example:"[0, 0, 0.3]" doc:"of the origin at t = 0, world; without position_m and orientation_xyzw a joint places the body"`
	Orientation     *spatial.Quat `yaml:"orientation_xyzw" unit:"1" range:"[-1e6, 1e6]" example:"[0, 0, 0, 1]" doc:"rotation from body to world axes at t = 0; normalized"`
	Velocity        *spatial.Vec  `yaml:"velocity_m_per_s" unit:"m/s" range:"[-1e4, 1e4]" example:"[0, 0, 0]" doc:"of the origin at t = 0, world axes; without velocities, the joints decide"`
	AngularVelocity *spatial.Vec  `yaml:"angular_velocity_rad_per_s" unit:"rad/s" range:"[-1e5, 1e5]" example:"[0, 0, 0]" doc:"at t = 0, body axes"`
	Motion          BodyMotion    `yaml:"motion" enum:"free|fixed|commanded" default:"free" doc:"free: dynamics; fixed: stays in the world; commanded: kinematic, moved by topic NAME/pose"`
	Shapes          []BodyShape   `yaml:"shapes" doc:"collision and visual geometry"`
	Friction        *float64      `yaml:"friction_coefficient" unit:"1" range:"[0, 10]" example:"0.5" doc:"Coulomb coefficient of its shapes; absent: that of the environment. A contact has the smaller one of its two sides"`
	Loads           []BodyForce   `yaml:"loads" doc:"concentrated forces and moments"`
}

// BodyMotion says what moves a body.
type BodyMotion string

// The motions of a body.
const (
	FreeBody      BodyMotion = "free"
	FixedBody     BodyMotion = "fixed"
	CommandedBody BodyMotion = "commanded"
)

// BodyShape is a part of the surface of a body, with exactly one shape in body axes.
type BodyShape struct {
	Name    string    `yaml:"name" default:"-" example:"pad" doc:"for environment.ignore and environment.pairs, as LINK.NAME"`
	Sphere  *Sphere   `yaml:"sphere" choice:"shape" doc:"ball"`
	Capsule *Capsule  `yaml:"capsule" choice:"shape" doc:"cylinder with round ends"`
	Box     *BodyBox  `yaml:"box" example:"{size_m: [0.1, 0.1, 0.1]}" choice:"shape" doc:"cuboid"`
	Mesh    *BodyMesh `yaml:"mesh" choice:"shape" doc:"closed surface of triangles, solid inside"`
}

// BodyBox is a cuboid.
type BodyBox struct {
	Size        spatial.Vec  `yaml:"size_m" unit:"m" range:"(0, 1000]" example:"[0.1, 0.1, 0.1]" doc:"lengths of its edges along x, y, z"`
	Position    spatial.Vec  `yaml:"position_m" unit:"m" range:"[-1000, 1000]" default:"[0, 0, 0]" doc:"of its centre"`
	Orientation spatial.Quat `yaml:"orientation_xyzw" unit:"1" range:"[-1e6, 1e6]" default:"[0, 0, 0, 1]" doc:"its axes to those of the body; normalized"`
}

// BodyMesh is a surface in a file.
type BodyMesh struct {
	File        FileName     `yaml:"file" example:"part.stl" doc:"STL, ASCII or binary, from the folder of this file"`
	Scale       float64      `yaml:"scale" unit:"1" range:"(0, 1e6]" default:"1" doc:"metres in a unit of the file: 0.001 for millimetres"`
	Position    spatial.Vec  `yaml:"position_m" unit:"m" range:"[-1000, 1000]" default:"[0, 0, 0]" doc:"of its origin"`
	Orientation spatial.Quat `yaml:"orientation_xyzw" unit:"1" range:"[-1e6, 1e6]" default:"[0, 0, 0, 1]" doc:"its axes to those of the body; normalized"`
}

// BodyForce is a constant wrench on a body.
type BodyForce struct {
	Position spatial.Vec `yaml:"position_m" unit:"m" range:"[-1000, 1000]" default:"[0, 0, 0]" doc:"where the force acts: from the origin of the body, in its axes"`
	Force    spatial.Vec `yaml:"force_n" live:"model" unit:"N" range:"(-inf, inf)" default:"[0, 0, 0]" doc:"force"`
	Moment   spatial.Vec `yaml:"moment_nm" live:"model" unit:"N m" range:"(-inf, inf)" default:"[0, 0, 0]" doc:"moment"`
	Frame    Axes        `yaml:"frame" live:"model" enum:"world|body" default:"world" doc:"axes of force and moment; body: those of the body, with which they turn"`
	Until    float64     `yaml:"until_s" live:"model" unit:"s" range:"[0, inf]" default:".inf" doc:"time at which the load ends; .inf: never, 0: present in the initial state only"`
}

// LinkLoad is a constant wrench on a rod or a body.
type LinkLoad struct {
	Rod      string       `yaml:"rod" example:"leg_1" choice:"link" doc:"rod that it acts on"`
	Body     string       `yaml:"body" choice:"link" doc:"body that it acts on"`
	At       *float64     `yaml:"at_m" unit:"m" range:"[0, 100]" example:"0.3" doc:"arc length of the loaded section of a rod; its end if absent"`
	Position *spatial.Vec `yaml:"position_m" unit:"m" range:"[-1000, 1000]" doc:"where the force acts on a body: from its origin, in its axes; 0 if absent"`
	Force    spatial.Vec  `yaml:"force_n" live:"model" unit:"N" range:"(-inf, inf)" default:"[0, 0, 0]" doc:"force"`
	Moment   spatial.Vec  `yaml:"moment_nm" live:"model" unit:"N m" range:"(-inf, inf)" default:"[0, 0, 0]" doc:"moment"`
	Frame    Axes         `yaml:"frame" live:"model" enum:"world|body" default:"world" doc:"axes of force and moment; body: d1, d2, d3 of the cross-section, or those of the body, with which they turn"`
	Until    float64      `yaml:"until_s" live:"model" unit:"s" range:"[0, inf]" default:".inf" doc:"time at which the load ends; .inf: never, 0: present in the initial state only"`
}

// LinkMarker is a point of a rod or a body that a camera follows.
type LinkMarker struct {
	Name     string       `yaml:"name" example:"m1" doc:"as that of a rod; its columns in CSVs are this with _x, _y, _z"`
	Rod      string       `yaml:"rod" example:"leg_1" choice:"link" doc:"rod that carries it"`
	Body     string       `yaml:"body" choice:"link" doc:"body that carries it"`
	At       *float64     `yaml:"at_m" unit:"m" range:"[0, 100]" example:"0.3" doc:"arc length of the cross-section of a rod, moved to the nearest node; its end if absent"`
	Position *spatial.Vec `yaml:"position_m" unit:"m" range:"[-1000, 1000]" doc:"from the origin of a body, body axes, or from the centreline along d1, d2, d3; 0 if absent"`
}

// LinkJoint connects two of the world, bodies and sections of rods.
type LinkJoint struct {
	Name       string        `yaml:"name" example:"hinge" doc:"as that of a rod; its coordinate is commanded and measured as NAME, several ones as NAME.1, NAME.2, ..."`
	Type       JointType     `yaml:"type" example:"revolute" enum:"fixed|revolute|prismatic|cylindrical|universal|spherical|planar" doc:"the relative motion that it allows"`
	Parent     JointSide     `yaml:"parent" doc:"link and frame of the joint on it"`
	Child      JointSide     `yaml:"child" doc:"link and frame of the joint on it; coordinates are those of this frame relative to the one on the parent, 0 where they coincide"`
	Axis       spatial.Vec   `yaml:"axis" unit:"1" range:"[-1e6, 1e6]" default:"[0, 0, 1]" doc:"of revolute, prismatic and cylindrical joints, first axis of universal ones, normal of planar ones; in the joint's frame on the parent; any length but 0"`
	SecondAxis *spatial.Vec  `yaml:"second_axis" unit:"1" range:"[-1e6, 1e6]" doc:"of a universal joint, in the joint's frame on the child; any length but 0"`
	Position   []float64     `yaml:"position" unit:"rad or m" range:"[-1e4, 1e4]" len:"0|1|2|3" doc:"coordinates at t = 0: of revolute joints the angle; prismatic the displacement; cylindrical displacement and angle; universal two angles; spherical the rotation vector; planar two displacements and the angle; with normal z the displacements are along x and y of the joint's frame on the parent, with x along y and z, with y along z and x; empty: those of the poses of the links, or 0"`
	Stiffness  []float64     `yaml:"stiffness" unit:"N m/rad or N/m" range:"[0, 1e12]" len:"1|2|3" default:"[0]" doc:"of a spring on each coordinate; this key and those below take one number for all coordinates, or one for each"`
	Rest       []float64     `yaml:"rest" unit:"rad or m" range:"[-1e4, 1e4]" len:"1|2|3" default:"[0]" doc:"coordinate at which the spring has no effort"`
	Damping    []float64     `yaml:"damping" unit:"N m s/rad or N s/m" range:"[0, 1e12]" len:"1|2|3" default:"[0]" doc:"viscous: effort per rate"`
	Friction   []float64     `yaml:"friction" unit:"N m or N" range:"[0, 1e9]" len:"1|2|3" default:"[0]" doc:"Coulomb friction: largest effort, independent of the load on the joint"`
	Limits     *MotionLimits `yaml:"limits" doc:"hard stops; impacts at them are perfectly inelastic"`
	Motor      *JointMotor   `yaml:"motor" doc:"drives all coordinates of the joint; its effort acts on the child, and its reaction on the parent"`
}

// JointType names the relative motion that a joint allows.
type JointType string

// jointCoordinates are the numbers of coordinates of joints by type.
var jointCoordinates = map[JointType]int{"fixed": 0, "revolute": 1, "prismatic": 1, "cylindrical": 2, "universal": 2, "spherical": 3, "planar": 3}

// Coordinates returns the names of the coordinates, by which they are commanded and measured.
func (j *LinkJoint) Coordinates() (names []string) {
	n := jointCoordinates[j.Type]
	for i := range n {
		if n == 1 {
			return []string{j.Name}
		}
		names = append(names, j.Name+"."+strconv.Itoa(i+1))
	}
	return names
}

// IsAngle reports whether coordinate i is in rad, and not in m.
func (j *LinkJoint) IsAngle(i int) bool {
	switch j.Type {
	case "prismatic":
		return false
	case "cylindrical":
		return i == 1
	case "planar":
		return i == 2
	}
	return true
}

// unit returns the SI unit of coordinate i.
func (j *LinkJoint) unit(i int) string {
	if j.IsAngle(i) {
		return "rad"
	}
	return "m"
}

// Of returns the number of coordinate i from a list with one number for all coordinates or one for each.
func Of(list []float64, i int) float64 {
	if len(list) == 1 {
		return list[0]
	}
	return list[i]
}

// JointSide is the frame of a joint on one side: in the axes of the world, of a body, or d1, d2, d3 of a section of a rod.
type JointSide struct {
	World       bool         `yaml:"world" default:"false" choice:"link" doc:"true: the frame is fixed in the world"`
	Body        string       `yaml:"body" choice:"link" doc:"name of a body"`
	Rod         string       `yaml:"rod" choice:"link" doc:"name of a rod"`
	At          *float64     `yaml:"at_m" unit:"m" range:"[0, 100]" doc:"arc length of the section of the rod"`
	Position    spatial.Vec  `yaml:"position_m" unit:"m" range:"[-1000, 1000]" default:"[0, 0, 0]" doc:"origin of the joint's frame: from that of the world, of the body, or of the section, in the axes of the world, of the body, or d1, d2, d3"`
	Orientation spatial.Quat `yaml:"orientation_xyzw" unit:"1" range:"[-1e6, 1e6]" default:"[0, 0, 0, 1]" doc:"rotation from the axes of the joint's frame to those of the world, the body, or d1, d2, d3; normalized"`
}

// Link returns the name of the link, empty for the world, and the arc length of the section of a rod, m.
func (s *JointSide) Link() (name string, at float64) { return linkOf(s.Rod, s.Body, s.At) }

func linkOf(rod, body string, s *float64) (name string, at float64) {
	if rod == "" {
		return body, 0
	}
	if s != nil {
		at = *s
	}
	return rod, at
}

// MotionLimits are the hard stops of the coordinates of a joint.
type MotionLimits struct {
	Min []float64 `yaml:"min" unit:"rad or m" range:"[-inf, inf]" len:"1|2|3" default:"[-.inf]" example:"[-1]" doc:"smallest coordinate; one number, or one per coordinate"`
	Max []float64 `yaml:"max" unit:"rad or m" range:"[-inf, inf]" len:"1|2|3" default:"[.inf]" example:"[1]" doc:"largest coordinate"`
}

// JointMotor drives all coordinates of a joint, in one of three ways.
type JointMotor struct {
	PositionControl *PositionMotor `yaml:"position" choice:"motor" doc:"PD controller that moves the coordinate to the command of servo_jp; at t = 0 the command is the coordinate"`
	EffortControl   *EffortMotor   `yaml:"effort" choice:"motor" doc:"the effort is the command of servo_jf; 0 at t = 0"`
	Prescribed      bool           `yaml:"prescribed" default:"false" choice:"motor" doc:"true: the coordinate moves at constant rate from command to command of servo_jp, with whatever effort that takes"`
	MaxRate         float64        `yaml:"max_rate" unit:"rad/s or m/s" range:"(0, inf]" default:"10" doc:"largest rate at which the setpoint follows commands; with effort use max_rate_per_s"`
}

// PositionMotor is a PD controller of a coordinate.
type PositionMotor struct {
	Stiffness float64 `yaml:"stiffness" unit:"N m/rad or N/m" range:"(0, 1e12]" example:"10" doc:"proportional gain: effort per error of the coordinate"`
	Damping   float64 `yaml:"damping" unit:"N m s/rad or N s/m" range:"[0, 1e12]" default:"0" example:"0.1" doc:"derivative gain: effort against the rate of the coordinate"`
	MaxEffort float64 `yaml:"max_effort" unit:"N m or N" range:"(0, inf]" default:".inf" example:"1" doc:"largest effort, in both directions"`
}

// EffortMotor has a commanded effort.
type EffortMotor struct {
	MaxEffort float64 `yaml:"max_effort" unit:"N m or N" range:"(0, 1e9]" example:"1" doc:"commands are clamped to it, in both directions"`
	MaxRate   float64 `yaml:"max_rate_per_s" unit:"N m/s or N/s" range:"(0, inf]" default:"1000" doc:"largest rate at which the effort follows commands"`
}

// RoutedTendon is a tendon of a mechanism: with a rod and disks as of a single rod, or with a route.
type RoutedTendon struct {
	Tendon
	Rod   string       `yaml:"rod" default:"-" example:"finger" doc:"rod that carries the disks; the tendon enters through a base plate at s = 0, which belongs to the link that a joint connects to s = 0, without one to the rod"`
	Route []RoutePoint `yaml:"route" doc:"holes, at least 2, instead of rod, offset_m and disks: the motor is at the first, the tendon is fixed at the last and is straight from hole to hole"`
}

// RoutePoint is a hole that a tendon runs through.
type RoutePoint struct {
	World    bool        `yaml:"world" default:"false" choice:"link" doc:"true: the hole is in the world"`
	Body     string      `yaml:"body" example:"palm" choice:"link" doc:"name of a body"`
	Rod      string      `yaml:"rod" choice:"link" doc:"name of a rod"`
	At       *float64    `yaml:"at_m" unit:"m" range:"[0, 100]" doc:"arc length of the section of the rod"`
	Position spatial.Vec `yaml:"position_m" unit:"m" range:"[-1000, 1000]" default:"[0, 0, 0]" example:"[0, 0.01, 0]" doc:"from the origin of the world, of the body, or of the section, in the axes of the world, of the body, or d1, d2, d3"`
	Friction float64     `yaml:"friction_coefficient" unit:"1" range:"[0, 10]" default:"0" doc:"capstan friction coefficient at the hole; not at the first and last"`
}

// Link returns the name of the link, empty for the world, and the arc length of the section of a rod, m.
func (p *RoutePoint) Link() (name string, at float64) { return linkOf(p.Rod, p.Body, p.At) }

// MechanismEnvironment has the walls that links touch, and what contact there is between links.
type MechanismEnvironment struct {
	Environment
	Ignore [][2]string    `yaml:"ignore" doc:"pairs of links, walls or shapes (as LINK.SHAPE) without contact, besides those that a joint connects"`
	Pairs  []FrictionPair `yaml:"pairs" doc:"friction coefficients of pairs, instead of the smaller one of their two sides"`
}

// FrictionPair is the friction of two links, or shapes, that touch.
type FrictionPair struct {
	Of       [2]string `yaml:"of" example:"[finger, ball]" doc:"two links, walls or shapes (as LINK.SHAPE)"`
	Friction float64   `yaml:"friction_coefficient" unit:"1" range:"[0, 10]" example:"0.8" doc:"Coulomb coefficient"`
}

// PublishLinks switches topics of a mechanism.
type PublishLinks struct {
	Backbone bool `yaml:"backbone" live:"loop" default:"true" doc:"topics ROD/backbone: the pose of every node"`
	Markers  bool `yaml:"markers" live:"loop" default:"true" doc:"topic markers: what rviz draws"`
	TF       bool `yaml:"tf" live:"loop" default:"true" doc:"frames on /tf"`
}

func (r *Mechanism) program() string { return "tendonsim" }

func (r *Mechanism) about() (heading, example string) {
	return "Robot file of tendonsim: several rods, bodies and joints.",
		"bodies: [{name: pendulum, mass_kg: 0.1, inertia_kg_m2: [1e-4, 1e-4, 1e-4], center_of_mass_m: [0, 0, -0.1]}]\n" +
			"joints: [{name: hinge, type: revolute, axis: [0, 1, 0], parent: {world: true}, child: {body: pendulum}}]"
}

// DisabledTopics lists the topics that publish switches off.
func (r *Mechanism) DisabledTopics() []string {
	p := &r.Publish
	on := map[string]bool{"markers": p.Markers, "tf": p.TF}
	for i := range r.Rods {
		on[TopicOf(r.Rods[i].Name)+"/backbone"] = p.Backbone
	}
	return disabledTopics(on)
}
