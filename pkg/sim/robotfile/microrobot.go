package robotfile

import "sinew/pkg/sim/spatial"

// Microrobot is a robot file of microrobot: a magnetic rigid body in a fluid or in
// vacuum, moved by a field.
type Microrobot struct {
	Body           Body          `yaml:"body" doc:"the robot"`
	Swarm          *Swarm        `yaml:"swarm" doc:"many robots alike instead of one"`
	Fluid          Fluid         `yaml:"fluid" doc:"what it moves in"`
	Walls          []Wall        `yaml:"walls" doc:"rigid boundaries of the fluid"`
	Environment    Environment   `yaml:"environment" doc:"walls of any shape, besides those of walls; bodies slide on them without friction"`
	Field          Field         `yaml:"field" doc:"magnetic flux density at t = 0, until the first command; all parts add up"`
	Gravity        spatial.Vec   `yaml:"gravity_m_per_s2" live:"model" unit:"m/s^2" range:"[-1000, 1000]" default:"[0, 0, -9.80665]" doc:"acceleration of free fall, world axes"`
	Dynamics       Dynamics      `yaml:"dynamics" enum:"overdamped|inertial" default:"overdamped" doc:"overdamped: drag balances the loads, no inertia"`
	Solver         BodySolver    `yaml:"solver" doc:"time stepping"`
	Sensors        []Sensor      `yaml:"sensors" doc:"instruments: each sensor has a topic sensors/NAME and columns of sim; of a swarm they look at the first robot, and have no columns"`
	Hardware       Hardware      `yaml:"hardware" doc:"the real robot that runs beside the simulated one"`
	Rates          Rates         `yaml:"rates" doc:"of the loop and the topics"`
	Publish        PublishBody   `yaml:"publish" doc:"switches of optional topics"`
	CommandTimeout float64       `yaml:"command_timeout_s" live:"model" unit:"s" range:"(0, inf]" default:"0.5" doc:"without a fresh command for so long, field and gradient go to 0; .inf: never"`
	CommandPolicy  CommandPolicy `yaml:"command_policy" live:"loop" enum:"exclusive|newest" default:"exclusive" doc:"whose commands act. exclusive: those of the first node, until it is silent for command_timeout_s, ends, or take_command opens the robot to any node; newest: the newest of any node"`
	AcceptStamps   StampPolicy   `yaml:"accept_stamps" live:"loop" enum:"fresh|any" default:"fresh" doc:"fresh: commands stamped further than command_timeout_s from now, past or future, are refused; any: for clocks that are not synchronised"`
	Accept         []Warning     `yaml:"accept" enum:"magnetization|magnetic_volume|dipole_range|coil_range|flow_through_wall|reynolds|rotation_per_step|time_error_over_length|temperature|size|density|mesh_flaws|step_period|command_timeout|quaternion_length" doc:"names of warnings to silence"`
	Seed           int           `yaml:"seed" unit:"1" range:"[0, 9007199254740991]" default:"1" doc:"of Brownian motion and the errors of sensors; equal seeds give equal motion and errors"`
}

// Swarm is many robots alike, at first on a cubic lattice around the body's position
// and turned like the body.
type Swarm struct {
	Count       int         `yaml:"count" unit:"1" range:"[1, 100000]" example:"100" doc:"number of robots"`
	Spacing     float64     `yaml:"spacing_m" unit:"m" range:"(0, 10]" example:"5e-4" doc:"of the lattice"`
	Interaction Interaction `yaml:"interaction" enum:"full|none" default:"full" doc:"full: spheres drag each other through the fluid (Rotne-Prager-Yamakawa), and their magnets attract and turn each other"`
}

// Interaction says whether the robots of a swarm act on one another.
type Interaction string

// The interactions.
const (
	FullInteraction Interaction = "full"
	NoInteraction   Interaction = "none"
)

// Dynamics says whether inertia counts.
type Dynamics string

// The dynamics of a microrobot.
const (
	Overdamped Dynamics = "overdamped"
	Inertial   Dynamics = "inertial"
)

// BodySolver is the time stepping of a rigid body.
type BodySolver struct {
	Method          BodyMethod      `yaml:"method" enum:"lie-euler|rkmk4|cg4|cg4-rational|splitting|generalized-alpha|trapezoidal" default:"rkmk4" doc:"integrator on the group of rigid motions; the last three are for dynamics inertial"`
	Step            float64         `yaml:"step_s" unit:"s" range:"(0, 1]" default:"0.001" doc:"time step"`
	Parametrization Parametrization `yaml:"parametrization" enum:"quaternion|tait-bryan-xyz|rotation-vector" default:"quaternion" doc:"of rotation, for generalized-alpha and trapezoidal"`
	SpectralRadius  float64         `yaml:"spectral_radius" unit:"1" range:"[0, 1]" default:"0.9" doc:"of generalized-alpha at infinite frequency; 1 damps nothing"`
}

// BodyMethod names an integrator of rigid motion.
type BodyMethod string

// The methods of the microrobot.
const (
	LieEuler         BodyMethod = "lie-euler"
	RKMK4            BodyMethod = "rkmk4"
	CG4              BodyMethod = "cg4"          // decimal coefficients
	CG4Rational      BodyMethod = "cg4-rational" // inconsistent at 6.5e-7, for comparison
	Splitting        BodyMethod = "splitting"
	GeneralizedAlpha BodyMethod = "generalized-alpha"
	Trapezoidal      BodyMethod = "trapezoidal"
)

// Largest rotation in a step with a small error, rad. Per radian the error is about the square of the angle
// with methods of order 1 and 2, and its fourth power with methods of order 4.
const (
	maxRotationOrder2 = 0.1
	maxRotationOrder4 = 0.3
)

// MaxSubsteps is into how many substeps a step of a body without inertia is divided at most. Beyond, what
// is faster takes more time to follow than it is worth.
const MaxSubsteps = 1000

// MaxRotation returns the largest rotation (rad) in a step of the method with a small error.
func (s *BodySolver) MaxRotation() float64 {
	switch s.Method {
	case RKMK4, CG4, CG4Rational:
		return maxRotationOrder4
	}
	return maxRotationOrder2
}

// Parametrization names coordinates of rotation.
type Parametrization string

// The parametrizations.
const (
	Quaternion     Parametrization = "quaternion" // Euler parameters
	TaitBryanXYZ   Parametrization = "tait-bryan-xyz"
	RotationVector Parametrization = "rotation-vector"
)

func (r *Microrobot) program() string { return "microrobot" }

func (r *Microrobot) about() (heading, example string) {
	return "Robot file of microrobot: a magnetic rigid body in a fluid.",
		"body: {shape: {ellipsoid_m: [150e-6, 50e-6, 50e-6]}, magnet: {moment_a_m2: [0, 0, 1e-9]}}"
}
