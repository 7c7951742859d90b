package robotfile

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"sinew/pkg/sim/spatial"
)

// linkName is the form of names that are part of topics and of columns such as NAME.x: it has no point.
var linkName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)

// reservedNames are those of the links of a file with rod, and of columns and topics of the node.
var reservedNames = slices.Concat([]string{"base", "tip", "t", "world"}, contactColumns, []string{
	"contacts", "hardware", "jacobian", "markers", "markers_measured", "measured_js", "meshes", "operating_state", "recording_state",
	"robot_description", "scene", "sensors", "servo_jf", "servo_jp", "setpoint", "setpoint_js", "shapes", "sim_stats", "state_command", "tensions",
})

// columnNames are those of columns of sim, sweep and static --path, and of gauges, beside which coordinates of joints and tensions have
// columns under the bare names of joints and tendons.
var columnNames = []string{
	"body_speed_limited", "disk_approach", "divided_steps", "elastic_energy", "error", "joint_error", "kinetic_energy", "load", "newton_iterations", "ok", "potential_energy",
	"sample", "shape_speed_limited", "time_error_over_length", "unconverged_steps", "unstable_modes", "warning",
}

// excludedKeys are keys of a file with one rod, with what a mechanism has instead.
var excludedKeys = map[string]string{
	"rod":  "make it an item of rods, with a name",
	"base": "give rods[].start, or a joint with parent: {world: true}",
	"tip":  "make it an item of bodies, with a fixed joint to the end of the rod",
}

// missingKeys are the keys of a file with one rod that mechanisms do not support.
var missingKeys = []string{"drives", "disk_force", "magnets", "magnets_interact", "field", "springs", "hardware", "observer"}

// mechanismKeys are the keys that make a file one of a mechanism.
var mechanismKeys = []string{"rods", "bodies", "joints"}

// IsMechanism reports whether the draft has keys of a mechanism.
func (d *Draft[T]) IsMechanism() bool {
	return d.root != nil && slices.ContainsFunc(d.root.pairs, func(p pair) bool { return slices.Contains(mechanismKeys, p.key) })
}

// mechanismHint says why a mechanism does not have a key of a file with one rod, and what to do instead.
func mechanismHint(key string) (problem, hint string) {
	if cure, ok := excludedKeys[key]; ok {
		return "excludes rods, bodies and joints: a file has one rod or a mechanism", cure
	}
	if slices.Contains(missingKeys, key) {
		return "is not supported with rods, bodies or joints", "remove it"
	}
	return "", ""
}

// links are the rods and bodies of a mechanism by name.
type links struct {
	rods, bodies []string
	rodIndex     map[string]int
	bodyIndex    map[string]int
}

func (r *Mechanism) links() (l links) {
	l.rodIndex, l.bodyIndex = map[string]int{}, map[string]int{}
	for i := range r.Rods {
		l.rods = append(l.rods, r.Rods[i].Name)
		l.rodIndex[r.Rods[i].Name] = i
	}
	for i := range r.Bodies {
		l.bodies = append(l.bodies, r.Bodies[i].Name)
		l.bodyIndex[r.Bodies[i].Name] = i
	}
	return l
}

func (r *Mechanism) finalize(c *checker) {
	if len(r.Rods)+len(r.Bodies) == 0 && c.ok("rods", "bodies") {
		c.fail("joints", Mistake{Problem: "connect nothing: there are neither rods nor bodies", Allowed: "at least 1 item of rods or bodies"})
		return
	}
	if r.Solver.Method != Implicit && c.ok("solver.method") {
		c.fail("solver.method", Mistake{Problem: "is not supported with rods, bodies or joints", Allowed: string(Implicit)})
	}
	r.checkNames(c)
	for i := range r.Rods {
		r.Rods[i].finalize(c, item("rods", i))
		if at := item("rods", i) + ".initial_shape.file"; r.Rods[i].InitialShape.File != "" && r.InitialState == Equilibrium && c.ok(at) {
			c.fail(at, Mistake{Problem: "has no effect: the search for the equilibrium begins with rods in their rest shapes", Allowed: "initial_state: straight beside it"})
		}
	}
	l := r.links()
	for i := range r.Bodies {
		r.Bodies[i].finalize(c, item("bodies", i))
	}
	for i := range r.Joints {
		r.finalizeJoint(c, &r.Joints[i], item("joints", i), &l)
	}
	r.checkMasses(c)
	for i := range r.Tendons {
		r.finalizeTendon(c, &r.Tendons[i], item("tendons", i), &l)
	}
	for i := range r.Loads {
		o, path := &r.Loads[i], item("loads", i)
		r.finalizePoint(c, path, o.Rod, o.Body, &o.At, &o.Position, &l, false)
		if k, isBody := l.bodyIndex[o.Body]; isBody && r.Bodies[k].Motion != FreeBody {
			c.warn(join(path, "body"), Mistake{Problem: "is not moved by loads: its motion is " + string(r.Bodies[k].Motion), Hint: "remove the load, or give the body motion: free"})
		}
	}
	for i := range r.Markers {
		o, path := &r.Markers[i], item("markers", i)
		r.finalizePoint(c, path, o.Rod, o.Body, &o.At, &o.Position, &l, true)
	}
	r.finalizeSensors(c)
	r.finalizeEnvironment(c, &l)
	r.Rates.finalize(c, "rates")
}

// checkNames checks that links, joints, tendons, markers and walls have valid names that differ.
func (r *Mechanism) checkNames(c *checker) {
	first := map[string]string{} // by topic
	check := func(list string, i int, name string) {
		at := join(item(list, i), "name")
		if !c.ok(at) || !c.has(at) {
			return
		}
		reserved := reservedNames
		if list == "joints" || list == "tendons" {
			reserved = slices.Concat(reservedNames, columnNames)
		}
		if slices.Contains(reserved, TopicOf(name)) {
			c.fail(at, Mistake{Problem: "is a reserved name", Allowed: "anything but " + strings.Join(reserved, ", ")})
			return
		}
		if other := first[TopicOf(name)]; other != "" {
			c.fail(at, Mistake{Problem: "is the name of " + other + " too", Allowed: "a name that no other link, joint, tendon, marker, wall or sensor has; - counts as _"})
			return
		}
		c.name(at, name, linkName, "a letter or _, then letters, digits, _ and - up to 64 in all", item(list, i), map[string]string{})
		first[TopicOf(name)] = item(list, i)
	}
	for i := range r.Rods {
		check("rods", i, r.Rods[i].Name)
	}
	for i := range r.Bodies {
		check("bodies", i, r.Bodies[i].Name)
	}
	for i := range r.Joints {
		check("joints", i, r.Joints[i].Name)
	}
	for i := range r.Tendons {
		check("tendons", i, r.Tendons[i].Name)
	}
	for i := range r.Markers {
		check("markers", i, r.Markers[i].Name)
	}
	for i := range r.Environment.Shapes {
		check("environment.shapes", i, r.Environment.Shapes[i].Name)
	}
	for i := range r.Sensors {
		check("sensors", i, r.Sensors[i].Name)
	}
}

// refuse reports a key that mechanisms do not support, if it is given.
func (c *checker) refuse(path string, isGiven bool, hint string) {
	if isGiven && c.ok(path) {
		c.fail(path, Mistake{Problem: "is not supported with rods, bodies or joints", Hint: hint})
	}
}

func (r *RodLink) finalize(c *checker, path string) {
	r.Rod.finalize(c, path)
	c.refuse(join(path, "material_law"), r.MaterialLaw != Linear, "use linear")
	c.refuse(join(path, "damping.pyelastica_nu"), r.Damping.PyElasticaNu != 0, "use kelvin_voigt_s or drag_per_s")
	for i, s := range r.Segments() {
		at := path
		if len(r.Sections) > 0 {
			at = item(join(path, "sections"), i)
		}
		c.refuse(join(at, "viscoelasticity"), len(s.Viscoelasticity) > 0, "remove it, or use damping.kelvin_voigt_s")
		c.refuse(join(at, "bending_friction"), len(s.BendingFriction) > 0, "remove it")
	}
	for i, s := range r.Segments() {
		at := join(path, "contact_radius_m")
		if len(r.Sections) > 0 {
			at = join(item(join(path, "sections"), i), "contact_radius_m")
		}
		if s.ContactRadii()[0] == 0 && c.ok(path) {
			c.fail(at, Mistake{Problem: "is needed: a cross-section of section has no surface to touch with", Allowed: "(0, 10] m"})
		}
	}
	s, at := &r.Start, join(path, "start")
	if !s.HasPose() {
		return
	}
	for _, v := range [...]struct {
		of     **spatial.Vec
		absent spatial.Vec
	}{{&s.Position, spatial.Vec{}}, {&s.Direction, spatial.Vec{Z: 1}}, {&s.Normal, spatial.Vec{X: 1}}} {
		if *v.of == nil {
			*v.of = &v.absent
		}
	}
	c.orthonormal(at, s.Direction, s.Normal)
}

// HasPose reports whether the pose of the start is given.
func (s *RodStart) HasPose() bool { return s.Position != nil || s.Direction != nil || s.Normal != nil }

// HasVelocity reports whether the velocity of the start is given.
func (s *RodStart) HasVelocity() bool { return s.Velocity != nil || s.AngularVelocity != nil }

// HasPose reports whether the pose of the body at t = 0 is given.
func (b *BodyLink) HasPose() bool { return b.Position != nil || b.Orientation != nil }

// HasVelocity reports whether the velocity of the body at t = 0 is given.
func (b *BodyLink) HasVelocity() bool { return b.Velocity != nil || b.AngularVelocity != nil }

func (b *BodyLink) finalize(c *checker, path string) {
	mass, inertia := join(path, "mass_kg"), join(path, "inertia_kg_m2")
	if b.Motion == FreeBody && b.Mass > 0 && c.ok(mass, inertia) {
		if len(b.Inertia) == 0 {
			c.fail(inertia, Mistake{Problem: "is missing", Unit: "kg m^2", Allowed: "[Jxx, Jyy, Jzz] or [Jxx, Jyy, Jzz, Jyz, Jxz, Jxy]"})
		}
		b.checkInertia(c, inertia)
	}
	if b.Motion != FreeBody {
		for _, o := range []struct {
			key   string
			given bool
		}{{"velocity_m_per_s", b.Velocity != nil}, {"angular_velocity_rad_per_s", b.AngularVelocity != nil}, {"loads", len(b.Loads) > 0}} {
			if at := join(path, o.key); o.given && c.ok(at) {
				c.fail(at, Mistake{Problem: "has no meaning with motion " + string(b.Motion), Hint: "remove it, or use motion free"})
			}
		}
	}
	if b.Orientation != nil {
		c.unit(join(path, "orientation_xyzw"), b.Orientation)
	}
	for i := range b.Shapes {
		s, at := &b.Shapes[i], item(join(path, "shapes"), i)
		switch {
		case s.Box != nil:
			c.unit(join(at, "box.orientation_xyzw"), &s.Box.Orientation)
		case s.Mesh != nil:
			c.unit(join(at, "mesh.orientation_xyzw"), &s.Mesh.Orientation)
		case s.Sphere == nil && s.Capsule == nil && c.ok(at):
			c.fail(at, Mistake{Problem: "has no shape", Allowed: "sphere, capsule, box or mesh"})
		}
	}
}

// checkInertia checks that the inertia is positive definite.
func (b *BodyLink) checkInertia(c *checker, at string) {
	if !c.ok(at) || len(b.Inertia) == 0 {
		return
	}
	j := spatial.Diag3(spatial.Vec{X: b.Inertia[0], Y: b.Inertia[1], Z: b.Inertia[2]})
	if len(b.Inertia) == 6 {
		j.YZ, j.ZY, j.XZ, j.ZX, j.XY, j.YX = b.Inertia[3], b.Inertia[3], b.Inertia[4], b.Inertia[4], b.Inertia[5], b.Inertia[5]
	}
	minor := j.XX*j.YY - j.XY*j.YX
	if !(j.XX > 0 && minor > 0 && j.Det() > 0) {
		c.fail(at, Mistake{Problem: "is not positive definite", Allowed: "Jxx, Jyy, Jzz above 0, and products (in the order Jyz, Jxz, Jxy) with Jxy^2 < Jxx Jyy and so on"})
	}
}

// checkLink checks that a frame, point or hole names one link of the file. It returns the length if that is a rod; ok is false after a mistake.
func (r *Mechanism) checkLink(c *checker, path string, isWorld bool, rod, body string, l *links, allowed string) (length rodLength, ok bool) {
	if !c.ok(path) {
		return rodLength{}, false
	}
	switch {
	case rod != "":
		i, known := l.rodIndex[rod]
		if !known {
			c.unknownLink(join(path, "rod"), rod, "rod", l.rods, l.bodies, "body")
			return rodLength{}, false
		}
		return rodLength{item("rods", i), r.Rods[i].Length}, true
	case body != "":
		if _, known := l.bodyIndex[body]; !known {
			c.unknownLink(join(path, "body"), body, "body", l.bodies, l.rods, "rod")
			return rodLength{}, false
		}
		return rodLength{}, true
	case isWorld:
		return rodLength{}, true
	}
	c.fail(path, Mistake{Problem: "names no link", Allowed: allowed})
	return rodLength{}, false
}

// unknownLink reports a name that no link of a kind has.
func (c *checker) unknownLink(path, name, kind string, known, others []string, other string) {
	m := Mistake{Problem: "is no " + kind + " of the file", Hint: didYouMean(name, known)}
	switch {
	case slices.Contains(others, name):
		m.Hint = "it is a " + other + ": write " + other + ": " + name
	case len(known) == 0:
		m.Hint = "the file has no " + kind + "; add one with this name"
	case m.Hint == "":
		m.Allowed = strings.Join(known, ", ")
	}
	c.fail(path, m)
}

// finalizePoint checks the place of a load or marker on a rod or a body, and sets the default place: the end of the rod, the origin of
// the body. isOffset says that a point on a rod may be beside its centreline.
func (r *Mechanism) finalizePoint(c *checker, path, rod, body string, at **float64, position **spatial.Vec, l *links, isOffset bool) {
	length, ok := r.checkLink(c, path, false, rod, body, l, "rod: NAME or body: NAME")
	if !ok {
		return
	}
	s, p := join(path, "at_m"), join(path, "position_m")
	if body != "" {
		if *at != nil && c.ok(s) {
			c.fail(s, Mistake{Unit: "m", Problem: "applies to points on rods only", Hint: "give position_m, from the origin of the body"})
		}
		if *position == nil {
			*position = new(spatial.Vec)
		}
		return
	}
	if *position != nil && !isOffset && c.ok(p) {
		c.fail(p, Mistake{Unit: "m", Problem: "applies to loads on bodies only: a load on a rod acts on its centreline", Hint: "give at_m"})
	}
	if *at == nil {
		end := length.length
		*at = &end
	}
	if *position == nil && isOffset {
		*position = new(spatial.Vec)
	}
	c.onRod(s, **at, length)
}

// finalizeJoint checks a joint.
func (r *Mechanism) finalizeJoint(c *checker, j *LinkJoint, path string, l *links) {
	r.finalizeSide(c, &j.Parent, join(path, "parent"), l)
	r.finalizeSide(c, &j.Child, join(path, "child"), l)
	parent, from := j.Parent.Link()
	child, to := j.Child.Link()
	switch {
	case !c.ok(join(path, "parent"), join(path, "child")):
	case parent == "" && child == "":
		c.fail(join(path, "child"), Mistake{Problem: "is the world, as the parent is", Allowed: "rod: NAME or body: NAME"})
	case parent == child && (from == to || j.Parent.Rod == ""):
		c.fail(join(path, "child"), Mistake{Problem: "is at the same place of " + child + " as the parent", Allowed: "another link, or another section of the rod"})
	}
	j.checkAxes(c, path)
	n := jointCoordinates[j.Type]
	for _, o := range []struct {
		key  string
		list []float64
	}{{"stiffness", j.Stiffness}, {"rest", j.Rest}, {"damping", j.Damping}, {"friction", j.Friction}} {
		j.checkCount(c, join(path, o.key), len(o.list), true)
		if n == 0 && slices.ContainsFunc(o.list, func(x float64) bool { return x != 0 }) && c.ok(join(path, o.key)) {
			c.fail(join(path, o.key), Mistake{Problem: "has no meaning: a fixed joint has no coordinates", Hint: "remove it"})
		}
	}
	if c.has(join(path, "position")) && len(j.Position) > 0 {
		j.checkCount(c, join(path, "position"), len(j.Position), false)
	}
	j.checkLimits(c, path)
	j.checkMotor(c, path)
}

// checkCount reports lists that do not have a number for each coordinate.
func (j *LinkJoint) checkCount(c *checker, path string, count int, mayBeOne bool) {
	n := jointCoordinates[j.Type]
	if count == n || count == 1 && mayBeOne || !c.ok(path) || !c.ok(parentPath(path)+".type") {
		return
	}
	allowed := plural(n, "number")
	if n == 0 {
		allowed = "none: a fixed joint has no coordinates"
	} else if mayBeOne && n > 1 {
		allowed = "1 or " + allowed
	}
	c.fail(path, Mistake{Problem: "has " + plural(count, "number"), Allowed: allowed})
}

// finalizeSide checks one side of a joint.
func (r *Mechanism) finalizeSide(c *checker, s *JointSide, path string, l *links) {
	length, ok := r.checkLink(c, path, s.World, s.Rod, s.Body, l, "world: true, rod: NAME with at_m, or body: NAME")
	if !ok {
		return
	}
	c.finalizeSection(join(path, "at_m"), s.Rod, s.At, length)
	c.unit(join(path, "orientation_xyzw"), &s.Orientation)
}

// finalizeSection checks that at_m is given for rods only.
func (c *checker) finalizeSection(path, rod string, at *float64, length rodLength) {
	switch {
	case rod != "" && at == nil && c.ok(path):
		c.fail(path, Mistake{Problem: "is missing", Unit: "m", Allowed: "[0, " + formatNumber(length.length) + "]"})
	case rod != "" && at != nil:
		c.onRod(path, *at, length)
	case at != nil && c.ok(path):
		c.fail(path, Mistake{Unit: "m", Problem: "applies to frames and holes on rods only", Hint: "give position_m"})
	}
}

// leastAngle is the sine of the angle between the axes of a universal joint below which the joint counts as singular.
const leastAngle = 1e-3

// checkAxes checks the axes of a joint.
func (j *LinkJoint) checkAxes(c *checker, path string) {
	axis, second := join(path, "axis"), join(path, "second_axis")
	if j.Type == "fixed" || j.Type == "spherical" {
		c.warn(axis, Mistake{Problem: "has no effect with type " + string(j.Type), Hint: "remove it"})
	} else {
		c.direction(axis, j.Axis)
	}
	switch {
	case j.Type != "universal" && j.SecondAxis != nil && c.ok(second):
		c.fail(second, Mistake{Problem: "applies to universal joints only", Hint: "remove it, or use type universal"})
	case j.Type == "universal" && j.SecondAxis == nil && c.ok(second):
		c.fail(second, Mistake{Problem: "is missing", Allowed: "any vector but zero, in the child's frame of the joint"})
	case j.Type == "universal" && c.ok(axis, second):
		c.direction(second, *j.SecondAxis)
		if c.ok(axis, second) && j.Axis.Unit().Cross(j.SecondAxis.Unit()).Norm() < leastAngle {
			c.fail(second, Mistake{Problem: "is parallel to axis", Allowed: "axes that enclose more than 0.001 rad"})
		}
	}
}

// checkLimits checks the hard stops of a joint.
func (j *LinkJoint) checkLimits(c *checker, path string) {
	if j.Limits == nil {
		return
	}
	least, most := join(path, "limits.min"), join(path, "limits.max")
	j.checkCount(c, least, len(j.Limits.Min), true)
	j.checkCount(c, most, len(j.Limits.Max), true)
	if !c.ok(least, most, join(path, "type")) {
		return
	}
	for i := range jointCoordinates[j.Type] {
		low, high := Of(j.Limits.Min, i), Of(j.Limits.Max, i)
		if low >= high {
			c.fail(most, Mistake{Unit: j.unit(i), Problem: "is not above min", Allowed: "above " + formatNumber(low)})
			return
		}
		if at := join(path, "position"); len(j.Position) > i && (j.Position[i] < low || j.Position[i] > high) && c.ok(at) {
			c.fail(at, Mistake{Unit: j.unit(i), Problem: "is beyond the limits", Allowed: fmt.Sprintf("[%s, %s]", formatNumber(low), formatNumber(high))})
		}
	}
}

// checkMotor checks the motor of a joint.
func (j *LinkJoint) checkMotor(c *checker, path string) {
	m, at := j.Motor, join(path, "motor")
	if m == nil || !c.ok(at) {
		return
	}
	switch {
	case m.PositionControl == nil && m.EffortControl == nil && !m.Prescribed:
		c.fail(at, Mistake{Problem: "has no control mode", Allowed: "one of position, effort, prescribed: true"})
	case jointCoordinates[j.Type] == 0 && c.ok(join(path, "type")):
		c.fail(at, Mistake{Problem: "drives nothing: a fixed joint has no coordinates", Hint: "remove it, or choose another type"})
	case m.EffortControl != nil:
		c.warn(join(at, "max_rate"), Mistake{Problem: "has no effect with effort", Hint: "give effort.max_rate_per_s"})
	}
}

// tendonDiskKeys are keys of a tendon through disks.
var tendonDiskKeys = []string{"rod", "offset_m", "twist_rad_per_m", "slope_m_per_m", "offsets_m", "disks"}

// finalizeTendon checks a tendon.
func (r *Mechanism) finalizeTendon(c *checker, t *RoutedTendon, path string, l *links) {
	if len(t.Route) == 0 {
		if t.Rod == "" && c.ok(path) {
			c.fail(path, Mistake{Problem: "has neither rod nor route", Allowed: "rod: NAME with offset_m and disks, or route"})
			return
		}
		if length, ok := r.checkLink(c, path, false, t.Rod, "", l, "rod: NAME"); ok {
			t.Tendon.finalize(c, path, length)
		}
		return
	}
	for _, key := range tendonDiskKeys {
		at := join(path, key)
		isZero := key == "offset_m" && t.Offset == [2]float64{}
		if n := c.given[at]; n != nil && !isZero && !c.isDefault(at, n) && c.ok(at) {
			c.fail(at, Mistake{Problem: "excludes route, which is given too", Allowed: "one of the two"})
		}
	}
	if at := join(path, "friction_coefficient"); t.Friction != 0 && c.ok(at) {
		c.fail(at, Mistake{Problem: "applies to tendons through disks", Hint: "give friction_coefficient of the points of the route"})
	}
	if at := join(path, "friction_displacement_m"); t.hasFriction() && t.BristleRadius() == 0 && t.FrictionDisplacement == 0 && len(t.FrictionSprings) == 0 && c.ok(at) {
		c.fail(at, Mistake{Problem: "is missing: its default is 1/200 of the largest distance of a hole from the origin of its link, and all are at 0", Allowed: "[1e-9, 1] m"})
	}
	if len(t.Route) < 2 && c.ok(join(path, "route")) {
		c.fail(join(path, "route"), Mistake{Problem: "has 1 point", Allowed: "at least 2"})
	}
	for i := range t.Route {
		p, at := &t.Route[i], item(join(path, "route"), i)
		length, ok := r.checkLink(c, at, p.World, p.Rod, p.Body, l, "world: true, rod: NAME with at_m, or body: NAME")
		if !ok {
			continue
		}
		c.finalizeSection(join(at, "at_m"), p.Rod, p.At, length)
		if f := join(at, "friction_coefficient"); p.Friction != 0 && (i == 0 || i == len(t.Route)-1) && c.ok(f) {
			c.fail(f, Mistake{Problem: "has no effect where the tendon begins or ends", Hint: "remove it"})
		}
	}
	t.finalizeActuation(c, path)
}

// hasFriction reports whether the tendon has friction at some hole.
func (t *RoutedTendon) hasFriction() bool {
	return t.Friction > 0 || slices.ContainsFunc(t.Route, func(p RoutePoint) bool { return p.Friction > 0 })
}

// BristleRadius is the largest distance of a hole of the route from the centreline or the origin of its link, m.
func (t *RoutedTendon) BristleRadius() (radius float64) {
	for i := range t.Route {
		if p := &t.Route[i]; !p.World {
			radius = max(radius, p.Position.Norm())
		}
	}
	return radius
}

// finalizeEnvironment checks the environment.
func (r *Mechanism) finalizeEnvironment(c *checker, l *links) {
	e := &r.Environment
	e.finalizeShapes(c)
	known := slices.Concat(l.rods, l.bodies)
	for i := range r.Bodies {
		for _, s := range r.Bodies[i].Shapes {
			if s.Name != "" {
				known = append(known, r.Bodies[i].Name+"."+s.Name)
			}
		}
	}
	for i := range e.Shapes {
		known = append(known, e.Shapes[i].Name)
	}
	check := func(path string, pair [2]string) {
		for k, name := range pair {
			if at := item(path, k); !slices.Contains(known, name) && c.ok(at) {
				m := Mistake{Value: formatText(name), Problem: "is neither a link nor a shape", Hint: didYouMean(name, known)}
				if m.Hint == "" {
					m.Allowed = strings.Join(known, ", ")
				}
				c.fail(at, m)
			}
		}
	}
	c.refuse("environment.stiffness_n_per_m", e.Stiffness != 0, "remove it: it is chosen from what touches")
	for i, pair := range e.Ignore {
		check(item("environment.ignore", i), pair)
	}
	for i := range e.Pairs {
		check(join(item("environment.pairs", i), "of"), e.Pairs[i].Of)
	}
}

// Bounds returns the hard stops of coordinate i, rad or m, infinite where there are none.
func (j *LinkJoint) Bounds(i int) (low, high float64) {
	if j.Limits == nil {
		return math.Inf(-1), math.Inf(1)
	}
	return Of(j.Limits.Min, i), Of(j.Limits.Max, i)
}
