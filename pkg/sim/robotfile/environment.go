package robotfile

import (
	"fmt"
	"slices"
	"strings"

	"sinew/pkg/sim/spatial"
)

// contactColumns are the columns of result files of robots with an environment.
var contactColumns = []string{
	"contact_count", "contact_force_max", "penetration_max", "base_fx", "base_fy", "base_fz", "base_mx", "base_my", "base_mz",
}

// Environment is what the robot may touch: a rod (method implicit) or a body.
type Environment struct {
	Friction    float64            `yaml:"friction_coefficient" unit:"1" range:"[0, 10]" default:"0" doc:"Coulomb coefficient of shapes without one of their own, and in mechanisms of rods and of bodies without one; bodies of microrobot slide without friction"`
	Stiffness   float64            `yaml:"stiffness_n_per_m" unit:"N/m" range:"[0, 1e12]" default:"0" doc:"of contact at a node of a rod; 0: chosen from the rod, so that the penetration is too small to see. Bodies of microrobot do not penetrate shapes"`
	SelfContact bool               `yaml:"self_contact" default:"false" doc:"the rod touches itself (method implicit), with friction in mechanisms only: elements with another element and 3.9 radii of rod between them; otherwise it passes through itself. Bodies of microrobot do not change their shape"`
	Shapes      []EnvironmentShape `yaml:"shapes" doc:"walls, which stay where they are until the topic NAME/pose moves them (not with dynamics: inertial); where several are, the robot keeps to all"`
}

// names are those of the shapes.
func (e *Environment) names() (all []string) {
	for i := range e.Shapes {
		all = append(all, e.Shapes[i].Name)
	}
	return all
}

// EnvironmentShape is a named wall with exactly one shape.
type EnvironmentShape struct {
	Name     string     `yaml:"name" example:"table" doc:"by which messages call it; letters, digits and _ - . in it. NAME/pose is its topic, and NAME/wrench in tendonsim, with _ for - and . there"`
	Friction float64    `yaml:"friction_coefficient" unit:"1" range:"[0, 10]" default:"-" doc:"instead of that of the environment"`
	Plane    *HalfSpace `yaml:"plane" example:"{}" choice:"shape" doc:"solid on one side, without end"`
	Sphere   *Sphere    `yaml:"sphere" choice:"shape" doc:"solid ball"`
	Capsule  *Capsule   `yaml:"capsule" choice:"shape" doc:"solid rod with round ends"`
	Tube     *Tube      `yaml:"tube" choice:"shape" doc:"bore with the robot inside"`
	Mesh     *Mesh      `yaml:"mesh" choice:"shape" doc:"closed surface of triangles, or a vessel with open ends"`
}

// HalfSpace is a plane that is solid below.
type HalfSpace struct {
	Point  spatial.Vec `yaml:"point_m" unit:"m" range:"[-1000, 1000]" default:"[0, 0, 0]" doc:"a point of the plane"`
	Normal spatial.Vec `yaml:"normal" unit:"1" range:"[-1e6, 1e6]" default:"[0, 0, 1]" doc:"to the side where the robot is; any length but 0"`
}

// Sphere is a solid sphere.
type Sphere struct {
	Center spatial.Vec `yaml:"center_m" unit:"m" range:"[-1000, 1000]" example:"[0.1, 0, 0]" doc:"its centre"`
	Radius float64     `yaml:"radius_m" unit:"m" range:"(0, 1000]" example:"0.01" doc:"its radius"`
}

// Capsule is all that is within a radius of a segment.
type Capsule struct {
	From   spatial.Vec `yaml:"from_m" unit:"m" range:"[-1000, 1000]" example:"[0.1, -0.1, 0]" doc:"one end of the axis"`
	To     spatial.Vec `yaml:"to_m" unit:"m" range:"[-1000, 1000]" example:"[0.1, 0.1, 0]" doc:"the other end"`
	Radius float64     `yaml:"radius_m" unit:"m" range:"(0, 1000]" example:"0.01" doc:"its radius"`
}

// Tube is a round bore about a smooth curve.
type Tube struct {
	Points []spatial.Vec `yaml:"points_m" unit:"m" range:"[-1000, 1000]" example:"[[0, 0, 0], [0.1, 0, 0]]" doc:"of its centre line, at least 2, joined by a curve whose curvature does not jump"`
	Radius []float64     `yaml:"radius_m" unit:"m" range:"(0, 1000]" len:"1|any" example:"[0.02]" doc:"of the bore: one number, or one for each point"`
	Closed bool          `yaml:"closed" default:"false" doc:"both ends are closed by half balls; otherwise the robot may leave there"`
}

// Mesh is a surface in a file.
type Mesh struct {
	File   FileName `yaml:"file" example:"vessel.stl" doc:"STL, ASCII or binary, from the folder of this file"`
	Inside bool     `yaml:"inside" default:"false" doc:"the robot is in the lumen of a vessel, which may have open ends; otherwise outside of a closed body"`
	Scale  float64  `yaml:"scale" unit:"1" range:"(0, 1e6]" default:"1" doc:"metres in a unit of the file: 0.001 for millimetres"`
}

// finalize gives shapes the friction of the environment and checks them by themselves.
func (e *Environment) finalize(c *checker) {
	first := map[string]string{} // name -> path
	e.finalizeShapes(c)
	for i := range e.Shapes {
		e.Shapes[i].checkName(c, join(item("environment.shapes", i), "name"), first)
	}
	if len(e.Shapes) > 0 {
		return
	}
	without := Mistake{Problem: "has no effect without shapes", Hint: "remove it, or give shapes"}
	if e.SelfContact {
		c.warn("environment.friction_coefficient", Mistake{Problem: without.Problem + ": a rod touches itself without friction", Hint: without.Hint})
		return
	}
	c.warn("environment.friction_coefficient", without)
	c.warn("environment.stiffness_n_per_m", without)
}

// finalizeShapes gives shapes the friction of the environment and checks them but for their names.
func (e *Environment) finalizeShapes(c *checker) {
	for i := range e.Shapes {
		s, path := &e.Shapes[i], item("environment.shapes", i)
		if !c.has(join(path, "friction_coefficient")) {
			s.Friction = e.Friction
		}
		s.finalize(c, path)
	}
}

// hasContact reports whether there is anything to touch.
func (e *Environment) hasContact() bool { return len(e.Shapes) > 0 || e.SelfContact }

func (s *EnvironmentShape) checkName(c *checker, at string, first map[string]string) {
	if !c.ok(at) || !c.has(at) {
		return
	}
	switch topic := TopicOf(s.Name); {
	case !tendonName.MatchString(s.Name):
		c.fail(at, Mistake{Problem: "is not a valid name", Allowed: "a letter or _, then letters, digits, _ - . up to 64 in all"})
	case first[topic] != "":
		c.fail(at, Mistake{Problem: "is the name of " + first[topic] + " too", Allowed: "names that differ, by more than - . and _"})
	case topic == "magnet_pose":
		c.fail(at, Mistake{Problem: "is the reserved prefix of magnet topics", Allowed: "any other name"})
	default:
		first[topic] = parentPath(at)
	}
}

// TopicOf returns a name as the beginning of a topic, with characters that topics do not allow
// replaced.
func TopicOf(name string) string { return strings.NewReplacer(".", "_", "-", "_").Replace(name) }

func (s *EnvironmentShape) finalize(c *checker, path string) {
	switch {
	case s.Plane != nil:
		c.direction(join(path, "plane.normal"), s.Plane.Normal)
	case s.Sphere != nil, s.Capsule != nil, s.Mesh != nil:
	case s.Tube != nil:
		s.Tube.finalize(c, join(path, "tube"))
	case c.ok(path):
		c.fail(path, Mistake{Problem: "has no shape", Allowed: "plane, sphere, capsule, tube or mesh"})
	}
}

func (l *Tube) finalize(c *checker, path string) {
	points, radius := join(path, "points_m"), join(path, "radius_m")
	if len(l.Points) < 2 && c.ok(points) {
		c.fail(points, Mistake{Problem: "has " + plural(len(l.Points), "point"), Allowed: "at least 2"})
	}
	if n := len(l.Radius); n != 1 && n != len(l.Points) && c.ok(points, radius) {
		c.fail(radius, Mistake{
			Problem: "has " + plural(n, "value"), Allowed: fmt.Sprintf("1 or %d, one for each point", len(l.Points)),
		})
	}
}

// finalizeEnvironment checks the shapes against the rod.
func (r *Continuum) finalizeEnvironment(c *checker) {
	e := &r.Environment
	e.finalize(c)
	if !e.hasContact() {
		return
	}
	if r.Solver.Method != Implicit && c.ok("solver.method") {
		c.fail("environment", Mistake{Problem: "is supported by method implicit only", Hint: "remove it, or use method implicit"})
		return
	}
	if !c.ok("rod", "environment") {
		return
	}
	e.finalizeSelfContact(c)
	for i := range r.Tendons {
		if at := join(item("tendons", i), "name"); slices.Contains(contactColumns, r.Tendons[i].Name) && c.ok(at) {
			c.fail(at, Mistake{Problem: "is the name of a CSV column of the environment", Allowed: "anything but " + strings.Join(contactColumns, ", ")})
		}
	}
	largest := 0.0
	for i, s := range r.Rod.Segments() {
		x := s.ContactRadii()
		if x[0] == 0 {
			path := "rod.contact_radius_m"
			if len(r.Rod.Sections) > 0 {
				path = join(item("rod.sections", i), "contact_radius_m")
			}
			c.fail(path, Mistake{Problem: "is needed: a cross-section of section has no surface to touch the environment with", Allowed: "(0, 10] m"})
		}
		largest = max(largest, x[0], x[1])
	}
	e.checkTubes(c, largest, "the radius of the rod")
}

// finalizeSelfContact checks the rules of self-contact.
func (e *Environment) finalizeSelfContact(c *checker) {
	if !e.SelfContact {
		return
	}
	for i := range e.Shapes {
		if at := join(item("environment.shapes", i), "name"); e.Shapes[i].Name == "self" && c.ok(at) {
			c.fail(at, Mistake{Problem: "is the reserved name of self-contact in messages", Allowed: "any other name"})
		}
	}
	if e.Friction > 0 && len(e.Shapes) > 0 {
		c.warn("environment.friction_coefficient", Mistake{
			Problem: "applies to shapes only: self-contact has no friction", Hint: "give it to the shapes",
		})
	}
}

// checkTubes reports tubes whose radius is at most the half-width (m) of the robot.
func (e *Environment) checkTubes(c *checker, width float64, what string) {
	for i := range e.Shapes {
		if t := e.Shapes[i].Tube; t != nil && slices.ContainsFunc(t.Radius, func(x float64) bool { return x <= width }) {
			c.fail(join(item("environment.shapes", i), "tube.radius_m"), Mistake{
				Unit: "m", Problem: "is not above " + what, Allowed: "above " + formatNumber(width),
			})
		}
	}
}

// finalizeEnvironment checks the shapes against the body.
func (r *Microrobot) finalizeEnvironment(c *checker) {
	e := &r.Environment
	e.finalize(c)
	if !c.ok("body", "environment") {
		return
	}
	refused := func(path string, x float64) bool {
		if x > 0 {
			c.fail(path, Mistake{Unit: "1", Problem: "is not supported for bodies: they slide on walls without friction, and the fluid between slows spheres", Allowed: "0"})
		}
		return x > 0
	}
	if !refused("environment.friction_coefficient", e.Friction) {
		for i := range e.Shapes {
			refused(join(item("environment.shapes", i), "friction_coefficient"), e.Shapes[i].Friction)
		}
	}
	if e.SelfContact {
		c.fail("environment.self_contact", Mistake{Problem: "is not supported for bodies: their shape is constant", Allowed: "false"})
	}
	if e.Stiffness > 0 {
		c.fail("environment.stiffness_n_per_m", Mistake{Unit: "N/m", Problem: "is not supported for bodies: their walls are rigid", Allowed: "0"})
	}
	if s := r.Body.Shape; s != nil {
		e.checkTubes(c, s.smallestWidth(), "the half-width of the body")
	}
}

// smallestWidth returns the smallest half-width of the shape, m, or 0 if it has no surface: it fits
// into wider tubes only.
func (s *Shape) smallestWidth() float64 {
	switch {
	case s.Sphere != nil:
		return *s.Sphere
	case s.Ellipsoid != nil:
		axes := []float64{s.Ellipsoid.X, s.Ellipsoid.Y, s.Ellipsoid.Z}
		slices.Sort(axes)
		return axes[1]
	case s.Helix != nil:
		return s.Helix.Radius + s.Helix.WireRadius
	}
	return 0
}
