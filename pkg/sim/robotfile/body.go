package robotfile

import "sinew/pkg/sim/spatial"

// Body is the rigid body of a microrobot. Position and orientation are those of its
// reference point and body axes.
type Body struct {
	Shape           *Shape       `yaml:"shape" doc:"decides drag, volume and, with density_kg_per_m3, mass and inertia; none: no drag, no buoyancy"`
	Density         float64      `yaml:"density_kg_per_m3" unit:"kg/m^3" range:"(0, 100000]" default:"1100" doc:"mass density"`
	Mass            float64      `yaml:"mass_kg" unit:"kg" range:"[0, 1e6]" default:"0" doc:"0: from shape and density"`
	Inertia         []float64    `yaml:"inertia_kg_m2" unit:"kg m^2" range:"(-inf, inf)" len:"0|6" doc:"[Jxx, Jyy, Jzz, Jyz, Jxz, Jxy] about the reference point; empty: from the shape"`
	CenterOfMass    spatial.Vec  `yaml:"center_of_mass_m" unit:"m" range:"[-1000, 1000]" default:"[0, 0, 0]" doc:"from the reference point, body axes"`
	Magnet          *Magnet      `yaml:"magnet" choice:"magnetization" doc:"permanent magnet; neither magnet nor soft: not magnetic"`
	Soft            *Soft        `yaml:"soft" choice:"magnetization" doc:"soft-magnetic material, instead of magnet"`
	Position        spatial.Vec  `yaml:"position_m" unit:"m" range:"[-1000, 1000]" default:"[0, 0, 0]" doc:"of the reference point at t = 0, world frame"`
	Orientation     spatial.Quat `yaml:"orientation_xyzw" unit:"1" range:"[-1e6, 1e6]" default:"[0, 0, 0, 1]" doc:"body to world at t = 0; normalized"`
	Velocity        spatial.Vec  `yaml:"velocity_m_per_s" unit:"m/s" range:"(-inf, inf)" default:"[0, 0, 0]" doc:"of the reference point at t = 0, world frame"`
	AngularVelocity spatial.Vec  `yaml:"angular_velocity_rad_per_s" unit:"rad/s" range:"(-inf, inf)" default:"[0, 0, 0]" doc:"at t = 0, body frame"`
	Pivot           *spatial.Vec `yaml:"pivot_m" unit:"m" range:"[-1000, 1000]" doc:"body point held fixed in the world (spherical joint), body axes"`
	Load            BodyLoad     `yaml:"load" doc:"constant wrench at the reference point"`
}

// Shape is one of its fields.
type Shape struct {
	Ellipsoid  *spatial.Vec  `yaml:"ellipsoid_m" unit:"m" range:"(0, 10]" example:"[150e-6, 50e-6, 50e-6]" choice:"shape" doc:"semi-axes along x, y, z"`
	Sphere     *float64      `yaml:"sphere_m" unit:"m" range:"(0, 10]" choice:"shape" doc:"radius"`
	Cuboid     *BodyCuboid   `yaml:"cuboid" choice:"shape" doc:"a cube has three equal edges"`
	Cylinder   *BodyCylinder `yaml:"cylinder" choice:"shape" doc:"round, around the body x axis, with flat ends"`
	Helix      *Helix        `yaml:"helix" choice:"shape" doc:"wire wound around the body x axis"`
	Resistance *Resistance   `yaml:"resistance" choice:"shape" doc:"measured or computed resistance; has no volume"`
}

// MaxSlenderness is the largest ratio of the sizes of a cuboid or cylinder.
const MaxSlenderness = 50

// BodyCuboid is a cuboid along the body axes, the reference point in the middle.
type BodyCuboid struct {
	Edges spatial.Vec `yaml:"edges_m" unit:"m" range:"(0, 10]" example:"[200e-6, 200e-6, 200e-6]" doc:"lengths along x, y, z"`
}

// BodyCylinder is a round cylinder around the x axis, the reference point in the middle.
type BodyCylinder struct {
	Length float64 `yaml:"length_m" unit:"m" range:"(0, 10]" example:"200e-6" doc:"along the axis"`
	Radius float64 `yaml:"radius_m" unit:"m" range:"(0, 10]" example:"50e-6" doc:"from the axis to the side"`
}

// Helix is a wire wound around the x axis, the reference point in the middle.
type Helix struct {
	Length     float64    `yaml:"length_m" unit:"m" range:"(0, 10]" example:"200e-6" doc:"along the axis"`
	Radius     float64    `yaml:"radius_m" unit:"m" range:"(0, 10]" example:"20e-6" doc:"from the axis to the middle of the wire"`
	Pitch      float64    `yaml:"pitch_m" unit:"m" range:"(0, 10]" example:"80e-6" doc:"advance per turn"`
	WireRadius float64    `yaml:"wire_radius_m" unit:"m" range:"(0, 10]" example:"4e-6" doc:"of the wire's circular section"`
	Handedness Handedness `yaml:"handedness" enum:"right|left" default:"right" doc:"a right-handed helix swims along its angular velocity"`
}

// Handedness is the sense of a helix.
type Handedness string

// The senses.
const (
	RightHanded Handedness = "right"
	LeftHanded  Handedness = "left"
)

// Resistance relates velocity v and angular velocity w to the drag: F = trans v +
// coupling w, M = coupling^T v + rot w, body axes, about the reference point. Each
// has the 3 diagonal or all 9 numbers, row-major; no coupling is none.
type Resistance struct {
	Trans    []float64 `yaml:"trans_kg_per_s" unit:"kg/s" range:"(-inf, inf)" len:"3|9" example:"[1e-6, 1.2e-6, 1.2e-6]" doc:"force per velocity: 3 diagonal or 9 row-major numbers"`
	Rot      []float64 `yaml:"rot_kg_m2_per_s" unit:"kg m^2/s" range:"(-inf, inf)" len:"3|9" example:"[5e-15, 2e-14, 2e-14]" doc:"moment per angular velocity: 3 or 9 numbers"`
	Coupling []float64 `yaml:"coupling_kg_m_per_s" unit:"kg m/s" range:"(-inf, inf)" len:"0|3|9" doc:"force per angular velocity: 3 or 9 numbers; empty: 0"`
}

// Magnet is a permanent dipole.
type Magnet struct {
	Moment spatial.Vec `yaml:"moment_a_m2" unit:"A m^2" range:"[-1e6, 1e6]" default:"[0, 0, 1e-9]" doc:"magnetic moment, body axes"`
}

// Soft is a soft-magnetic body of the shape's proportions.
type Soft struct {
	Volume         float64 `yaml:"volume_m3" unit:"m^3" range:"(0, 1000]" example:"1e-15" doc:"of the magnetic material"`
	Susceptibility float64 `yaml:"susceptibility" unit:"1" range:"(0, 1e9]" example:"1000" doc:"of the material, without demagnetization"`
	Saturation     float64 `yaml:"saturation_a_per_m" unit:"A/m" range:"(0, inf]" default:".inf" example:"1.19e6" doc:"largest magnetization"`
}

// BodyLoad is a constant wrench at the reference point.
type BodyLoad struct {
	Force  spatial.Vec `yaml:"force_n" live:"model" unit:"N" range:"(-inf, inf)" default:"[0, 0, 0]" doc:"force"`
	Moment spatial.Vec `yaml:"moment_nm" live:"model" unit:"N m" range:"(-inf, inf)" default:"[0, 0, 0]" doc:"moment"`
	Frame  Axes        `yaml:"frame" live:"model" enum:"world|body" default:"world" doc:"axes of force and moment"`
}
