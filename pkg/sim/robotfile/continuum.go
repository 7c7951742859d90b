package robotfile

import (
	"math"
	"slices"
	"strings"

	"sinew/pkg/sim/spatial"
)

// Continuum is a robot file of tendonsim: an elastic rod, clamped at its base and
// pulled by tendons through disks.
type Continuum struct {
	Rod             Rod           `yaml:"rod" doc:"the elastic backbone"`
	Base            Base          `yaml:"base" doc:"clamped end of the rod; d2 = d3 x d1"`
	Gravity         spatial.Vec   `yaml:"gravity_m_per_s2" live:"model" unit:"m/s^2" range:"[-1000, 1000]" default:"[0, 0, -9.80665]" doc:"acceleration of free fall, world axes"`
	Tendons         []Tendon      `yaml:"tendons" doc:"one per motor, in the order of command messages"`
	Drives          Drives        `yaml:"drives" doc:"motors that wind tendons up, with dead time, lag, backlash and compliance (method implicit); without them tendons are commanded one by one"`
	DiskForce       DiskForce     `yaml:"disk_force" enum:"full|transverse" default:"full" doc:"reaction of a tendon on a disk; transverse drops the part along the disk normal (Rao et al. 2021)"`
	Tip             Tip           `yaml:"tip" doc:"rigid payload at the end of the rod"`
	Magnets         []RodMagnet   `yaml:"magnets" doc:"permanent magnets on the rod, on which the field acts; they add neither mass nor stiffness (method implicit)"`
	MagnetsInteract bool          `yaml:"magnets_interact" default:"false" doc:"magnets of the rod act on one another, as dipoles; parts of one magnetised interval do not. They must not share a node or come nearer than spheres of their volume, at least moment/(1e6 A/m), touch"`
	Field           Field         `yaml:"field" doc:"magnetic flux density at t = 0, until the first command; all parts add up"`
	Markers         []Marker      `yaml:"markers" doc:"points on the rod that are measured: output markers_measured, columns of sim, compared by compare and fitted by identify"`
	Sensors         []Sensor      `yaml:"sensors" doc:"instruments: each sensor has a topic sensors/NAME and columns of sim"`
	Observer        *Observer     `yaml:"observer" doc:"estimates where the robot is and what pushes it, from its sensors: topics estimate/..., and columns of sim"`
	Seed            int           `yaml:"seed" unit:"1" range:"[0, 9007199254740991]" default:"1" doc:"of the random errors of sensors; equal seeds give equal errors"`
	Springs         []RodSpring   `yaml:"springs" doc:"linear springs with dampers from the rod to points of the world (method implicit)"`
	Loads           []RodLoad     `yaml:"loads" doc:"concentrated forces and moments"`
	Environment     Environment   `yaml:"environment" doc:"what the rod may touch: walls and itself (method implicit)"`
	InitialState    InitialState  `yaml:"initial_state" enum:"straight|equilibrium" default:"straight" doc:"at t = 0; equilibrium: static under the loads, tensions and gravity just before t = 0"`
	Solver          RodSolver     `yaml:"solver" doc:"time stepping"`
	Hardware        Hardware      `yaml:"hardware" doc:"the real robot that runs beside the simulated one"`
	Rates           Rates         `yaml:"rates" doc:"of the loop and the topics"`
	Publish         PublishRod    `yaml:"publish" doc:"switches of optional topics"`
	CommandTimeout  float64       `yaml:"command_timeout_s" live:"loop" unit:"s" range:"(0, inf]" default:"0.2" doc:"without a fresh command for so long, tensions go to pretension_n and joints stop; .inf: never"`
	CommandPolicy   CommandPolicy `yaml:"command_policy" live:"loop" enum:"exclusive|newest" default:"exclusive" doc:"whose commands act. exclusive: those of the first node, until it is silent for command_timeout_s, ends, or take_command opens the robot to any node; newest: the newest of any node"`
	AcceptStamps    StampPolicy   `yaml:"accept_stamps" live:"loop" enum:"fresh|any" default:"fresh" doc:"fresh: commands stamped further than command_timeout_s from now, past or future, are refused; any: for clocks that are not synchronised"`
	Accept          []Warning     `yaml:"accept" enum:"strain|base_in_wall|penetration_between_points_over_radius|slenderness|poisson_ratio|tendon_offset|disk_range|magnetization|magnet_interaction|dipole_range|rotation_per_step|time_error_over_length|size|density|modulus|payload|mesh_flaws|step_period|command_timeout|quaternion_length" doc:"names of warnings to silence"`
}

// Base places the clamped end of the rod in the world. Reading makes Direction and
// Normal orthonormal.
type Base struct {
	Position  spatial.Vec `yaml:"position_m" unit:"m" range:"[-1000, 1000]" default:"[0, 0, 0]" doc:"start of the centreline"`
	Direction spatial.Vec `yaml:"direction" unit:"1" range:"[-1e6, 1e6]" default:"[1, 0, 0]" doc:"d3, the tangent of the straight rod; any length but 0"`
	Normal    spatial.Vec `yaml:"normal" unit:"1" range:"[-1e6, 1e6]" default:"[0, 0, 1]" doc:"d1, perpendicular to direction; any length but 0"`
	Velocity  spatial.Vec `yaml:"velocity_m_per_s" unit:"m/s" range:"[-1.1, 1.1]" default:"[0, 0, 0]" doc:"with which it moves from t = 0 on until the first command of base_pose, or a stop such as disable, world axes (method implicit)"`
	Until     float64     `yaml:"until_s" unit:"s" range:"[0, inf]" default:".inf" doc:"when that motion ends"`
}

// Tip is a rigid payload at the end of the centreline.
type Tip struct {
	Mass    float64     `yaml:"mass_kg" live:"model" unit:"kg" range:"[0, 1e6]" default:"0" doc:"mass"`
	Inertia spatial.Vec `yaml:"inertia_kg_m2" live:"model" unit:"kg m^2" range:"[0, 1e6]" default:"[0, 0, 0]" doc:"moments of inertia about its centre of mass, along d1, d2, d3"`
	Center  spatial.Vec `yaml:"center_of_mass_m" unit:"m" range:"[-10, 10]" default:"[0, 0, 0]" doc:"from the end of the rod, along d1, d2, d3 (method implicit)"`
}

// DiskForce says which part of a tendon's reaction acts on a disk.
type DiskForce string

// The reactions of a tendon on a disk.
const (
	FullDiskForce       DiskForce = "full"
	TransverseDiskForce DiskForce = "transverse"
)

// InitialState says where a robot starts.
type InitialState string

// The initial states.
const (
	Straight    InitialState = "straight"    // the stress-free shape, at rest
	Equilibrium InitialState = "equilibrium" // static under all that acts just before t = 0
)

// RodSolver is the time stepping of the rod.
type RodSolver struct {
	Method RodMethod `yaml:"method" enum:"implicit|explicit|reference" default:"implicit" doc:"reference reproduces PyElastica 0.3.2 with TendonForces"`
	Step   float64   `yaml:"step_s" unit:"s" range:"(0, 1]" default:"0.0005" doc:"time step"`
}

// MaxRotation returns the largest rotation (rad) in a step with a small error: with BDF2, 63 steps a period, the frequency of a vibration is off by 0.3 % and its amplitude by 0.2 % a period.
func (*RodSolver) MaxRotation() float64 { return maxRotationOrder2 }

// MaxStepParts is into how many parts method implicit divides a step at most, so that what is prescribed turns by no more than MaxRotation in one.
const MaxStepParts = 64

// RodMethod names a way of stepping the rod.
type RodMethod string

// The methods of the rod.
const (
	Implicit  RodMethod = "implicit"  // BDF2 on strain elements
	Explicit  RodMethod = "explicit"  // position Verlet, corrected clamp, disks and damping
	Reference RodMethod = "reference" // PyElastica 0.3.2 + TendonForces, errors included
)

func (r *Continuum) program() string { return "tendonsim" }

func (r *Continuum) about() (heading, example string) {
	return "Robot file of tendonsim: a tendon-driven continuum robot.",
		"tendons: [{name: tendon_1, offset_m: [0.015, 0]}]"
}

func (r *Continuum) finalize(c *checker) {
	if r.Solver.Method != Implicit && !c.has("rod.element_order") {
		r.Rod.Order = 2 // as its elements are
	}
	r.Rod.finalize(c, "rod")
	r.Base.finalize(c)
	if r.Base.Velocity != (spatial.Vec{}) && r.Solver.Method != Implicit && c.ok("base.velocity_m_per_s", "solver.method") {
		c.fail("base.velocity_m_per_s", Mistake{Problem: "is supported by method implicit only", Allowed: "[0, 0, 0] m/s", Hint: "remove it, or use method implicit"})
	}
	first := map[string]string{} // tendon name -> path
	for i := range r.Tendons {
		path := item("tendons", i)
		r.Tendons[i].finalize(c, path, r.length())
		r.Tendons[i].checkName(c, path, first)
	}
	for i := range r.Loads {
		at := join(item("loads", i), "at_m")
		if !c.has(at) {
			r.Loads[i].At = r.Rod.Length
		}
		c.onRod(at, r.Loads[i].At, r.length())
	}
	r.finalizeSprings(c)
	r.finalizeInelasticity(c)
	r.finalizeDrives(c)
	r.finalizeMarkers(c)
	r.finalizeSensors(c)
	r.finalizeObserver(c)
	r.finalizeMagnets(c)
	r.finalizeEnvironment(c)
	r.Hardware.finalize(c, "hardware")
	r.Hardware.checkTendons(c, "hardware", r.Tendons)
	r.finalizeTendonCalibrations(c)
	r.Rates.finalize(c, "rates")
	r.warn(c)
}

// warn reports given keys that have no effect in combination with the others.
func (r *Continuum) warn(c *checker) {
	reference := r.Solver.Method == Reference
	if reference && r.Rod.MaterialLaw == Linear {
		c.warnEvenAtDefault("rod.material_law", Mistake{
			Problem: "has no effect with method reference: PyElastica has its volume-preserving law only",
			Hint:    "remove it, or use method implicit or explicit",
		})
	}
	if r.Solver.Method != Implicit && r.Rod.Order != 2 {
		c.warnEvenAtDefault("rod.element_order", Mistake{
			Problem: "has no effect with method " + string(r.Solver.Method) + ": its elements are of order 2",
			Hint:    "remove it, or use method implicit",
		})
	}
	if r.Tip.Mass == 0 && r.Tip.Center != (spatial.Vec{}) {
		c.warn("tip.center_of_mass_m", Mistake{Problem: "has no effect without mass_kg", Hint: "remove it, or give mass_kg"})
	}
	r.warnNodes(c)
	r.warnDrift(c)
	for i := range r.Tendons {
		t, path := &r.Tendons[i], item("tendons", i)
		if t.Friction == 0 {
			c.warn(join(path, "friction_displacement_m"), Mistake{
				Problem: "has no effect without friction_coefficient", Hint: "remove it, or give friction_coefficient",
			})
		}
		if t.Friction == 0 && len(t.FrictionSprings) > 0 {
			c.warn(join(path, "friction_springs"), Mistake{
				Problem: "has no effect without friction_coefficient", Hint: "remove it, or give friction_coefficient",
			})
		}
		if t.Friction > 0 && len(t.FrictionSprings) > 0 {
			c.warn(join(path, "friction_displacement_m"), Mistake{
				Problem: "has no effect with friction_springs, which set it", Hint: "remove it",
			})
		}
		if t.Stiffness == 0 {
			c.warn(join(path, "limits.max_rate_m_per_s"), Mistake{
				Problem: "has no effect without stiffness_n_per_m: there is no length control", Hint: "remove it, or give stiffness_n_per_m",
			})
		}
		r.warnDisks(c, i, join(path, "disks.mass_kg"))
	}
}

// warnDisks reports disks that are all carried by other tendons.
func (r *Continuum) warnDisks(c *checker, i int, path string) {
	carriers := r.diskCarriers(i)
	if len(carriers) == 0 {
		return
	}
	what := "tendon " + carriers[0] + " passes the same disks and carries"
	if len(carriers) > 1 {
		what = "tendons " + strings.Join(carriers, ", ") + " pass the same disks and carry"
	}
	c.warnEvenAtDefault(path, Mistake{
		Problem: "has no effect: " + what + " their mass",
		Hint:    "give the mass with one of the tendons, and 0 with the others",
	})
}

// warnDrift reports equilibria that may be unstable: non-conservative forces can add energy to
// the motion. An undamped wire of 0.2 m with friction 0.3 drifted by 0.8 mm in a second at
// 1e5 N/m, by 3 mm at 1e6 and not at all at 1e4.
func (r *Continuum) warnDrift(c *checker) {
	const stiff = 1e5 // N/m
	if r.DiskForce != TransverseDiskForce || r.Solver.Method != Implicit {
		return
	}
	for i := range r.Tendons {
		if t := &r.Tendons[i]; t.Friction > 0 && t.Stiffness >= stiff {
			c.warnEvenAtDefault("disk_force", Mistake{
				Problem: "makes equilibria drift by a few percent of the length per second: tendon " + t.Name +
					" has friction and, under length control, stiffness_n_per_m " + formatNumber(t.Stiffness),
				Hint: "use full, a stiffness below 1e5 N/m, or damping.kelvin_voigt_s",
			})
			return
		}
	}
}

// DiskMasses returns the mass of each disk of tendon i, kg: 0 where an earlier tendon passes
// the same disk and so carries it.
func (r *Continuum) DiskMasses(i int) []float64 {
	d := &r.Tendons[i].Disks
	all := d.ArcLengths()
	for k, s := range all {
		all[k] = d.Mass
		if r.diskCarrier(i, s) != i {
			all[k] = 0
		}
	}
	return all
}

// diskCarrier returns the first tendon with the disk of tendon i at arc length s (m), at one
// node with it and of the same mass: the one whose mass counts. Disks without mass carry
// themselves, and so do those of method reference, in which every tendon has vertebrae of its
// own.
func (r *Continuum) diskCarrier(i int, s float64) int {
	d := &r.Tendons[i].Disks
	if d.Mass == 0 || r.Solver.Method == Reference {
		return i
	}
	same := sameNode * r.Rod.elementLength()
	for k := range i {
		other := &r.Tendons[k].Disks
		if other.Mass == d.Mass && slices.ContainsFunc(other.ArcLengths(), func(at float64) bool { return math.Abs(at-s) <= same }) {
			return k
		}
	}
	return i
}

// diskCarriers returns the names of the tendons that carry all the disks of tendon i, none
// where it carries one itself.
func (r *Continuum) diskCarriers(i int) (names []string) {
	for _, s := range r.Tendons[i].Disks.ArcLengths() {
		k := r.diskCarrier(i, s)
		if k == i {
			return nil
		}
		if name := r.Tendons[k].Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// direction reports a zero vector.
func (c *checker) direction(path string, v spatial.Vec) {
	if v.Norm() < 1e-12 && c.ok(path) {
		c.fail(path, Mistake{Problem: "has no length", Allowed: "any vector but zero"})
	}
}

// rodLength is the length of the rod at a path of the file.
type rodLength struct {
	rod    string  // its path
	length float64 // m
}

// sameEnd is the share of the length of a rod by which an arc length that is its end may be beyond: round-off of the sum of many segments,
// and the differences of lengths by which derivatives are taken.
const sameEnd = 1e-8

// onRod reports an arc length beyond the end of the rod.
func (c *checker) onRod(path string, s float64, rod rodLength) {
	key := join(rod.rod, "length_m")
	if s <= rod.length*(1+sameEnd) || !c.ok(path, key) {
		return
	}
	m := Mistake{
		Value: formatNumber(s), Unit: "m", Problem: "is beyond the end of the rod",
		Allowed: "at most " + key + " = " + formatNumber(rod.length),
	}
	if s >= 1 && s*1e-3 <= rod.length {
		m.Hint = "it looks like millimetres: " + formatNumber(rounded(s*1e-3)) + " m"
	}
	c.fail(path, m)
}

// length is that of the rod.
func (r *Continuum) length() rodLength { return rodLength{"rod", r.Rod.Length} }

// finalize makes direction and normal orthonormal, leaving exact ones untouched.
func (b *Base) finalize(c *checker) { c.orthonormal("base", &b.Direction, &b.Normal) }

// orthonormal makes the vectors direction and normal of the mapping at path orthonormal, leaving exact ones untouched.
func (c *checker) orthonormal(at string, direction, normal *spatial.Vec) {
	const (
		rightAngle = 1e-6  // cosine that still counts as typed with care
		exact      = 1e-15 // a unit vector to rounding
	)
	if !c.ok(join(at, "direction"), join(at, "normal")) {
		return
	}
	c.direction(join(at, "direction"), *direction)
	c.direction(join(at, "normal"), *normal)
	if !c.ok(join(at, "direction"), join(at, "normal")) {
		return
	}
	for _, v := range []*spatial.Vec{direction, normal} {
		if norm := v.Norm(); math.Abs(norm-1) > exact {
			*v = v.Scale(1 / norm)
		}
	}
	cos := direction.Dot(*normal)
	if math.Abs(cos) > rightAngle {
		angle := math.Acos(max(-1, min(1, cos))) * 180 / math.Pi
		path, other := join(at, "normal"), "direction"
		if !c.has(path) {
			path, other = join(at, "direction"), "normal"
		}
		c.fail(path, Mistake{
			Problem: "is not perpendicular to " + other + ": the angle is " + formatNumber(math.Round(angle*100)/100) + " degrees",
			Allowed: "90 degrees", Hint: "give both",
		})
	} else if math.Abs(cos) > exact {
		*normal = normal.AddScaled(-cos, *direction).Unit()
	}
}
