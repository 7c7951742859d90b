package torture

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"sinew/pkg/sim"
	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/multibody"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

const (
	linkageStream = 0x6c696e6b
	wildLinkages  = 0.3
)

// linkage is a mechanism that is being generated: what its file says, and where its links are.
type linkage struct {
	*generator
	size, weight float64 // m and N
	links        []builtLink
	joints       []builtJoint
	loads        []string
	tendons      []string
	efforts      []float64 // largest commands of servo_jf: tendons, then motors
	ways         []float64 // largest commands of servo_jp
	loops        int
	rods         int
	isThrown     bool // the first link is in the air
	floor        bool
	ball         bool
	needsSearch  bool // a loop with rods is open while they have their rest shape
	// asBuilt has the sections that joints connect without the length of a rod, where links were built, and connected those that
	// joints off there connect, too.
	asBuilt, connected clusters
	contradicts        bool // a loop without the length of a rod is not where it was built, and may not close
}

// clusters are connected sections of links: each names another one of its cluster, or is the last one.
type clusters map[section]section

// section is a cross-section of a rod, a body, or the world, link −1.
type section struct {
	link int
	at   float64 // m; of bodies 0
}

func (c clusters) root(s section) section {
	for next, ok := c[s]; ok; next, ok = c[s] {
		s = next
	}
	return s
}

func (c clusters) areConnected(a, b section) bool { return c.root(a) == c.root(b) }

func (c clusters) connect(a, b section) {
	if a, b = c.root(a), c.root(b); a != b {
		c[a] = b
	}
}

// builtLink is a rod or a thin body along z.
type builtLink struct {
	name   string
	isRod  bool
	length float64      // m
	pose   spatial.Pose // of its start, with all coordinates at 0
	built  spatial.Pose // of its start where loops were built
	text   string
	joint  int // that holds its start
	parent int // -1: the world

}

type builtJoint struct{ text string }

// NewLinkage generates mechanism seed: a tree of 2 to 12 rods and bodies of 20 mm to 0.6 m on joints of all types, or with
// up to three loops, which are closed where the links were built, with other coordinates than those that they have in the file: so
// they can close. With springs, stops, motors and friction in the joints, tendons from link to link, loads, a floor and a falling
// ball.
func NewLinkage(seed uint64) (*Case, error) {
	d := &linkage{generator: newGenerator(seed, linkageStream, wildLinkages), asBuilt: clusters{}, connected: clusters{}}
	d.size = d.log(0.02, 0.6)
	d.build()
	c := &Case{Seed: seed, Step: []float64{5e-4, 1e-3}[d.IntN(2)], Period: 0.05, Extent: d.size, Margin: 0.3 * longest * d.size} // a tenth of it is the error that time_error_over_length lets pass
	c.Closes = d.loops > 0 && !d.contradicts
	c.Skip.Resume = d.floor // with contact, the elastic energy of a restored model differs in its last digit
	c.Limit = Difference{Distance: d.or(0.1, 0.25), Angle: math.Inf(1)}
	c.Periods = 2 + d.IntN(2)
	d.command(c)
	c.Title = fmt.Sprintf("%s mechanism %d: %d rods, %d bodies, %.2g m, %d loops%s", d.word(), seed, d.rods, len(d.links)-d.rods, d.size, d.loops, d.kinds())
	file, err := robotfile.Parse[robotfile.Mechanism]("generated.yaml", []byte(d.text(c.Step)))
	if err != nil {
		return c, fmt.Errorf("the generated file is not valid: %w", err)
	}
	text, file, err := throughFile(file)
	c.Text = text
	c.model = func(step float64) (sim.Model, error) { return newLinkage(file, step, 1) }
	if d.rods > 0 {
		c.finer = func(step float64) (sim.Model, error) { return newLinkage(file, step, 2) }
	}
	return c, err
}

// newLinkage returns the mechanism with so many times as many elements.
func newLinkage(file *robotfile.Mechanism, step float64, finer int) (sim.Model, error) {
	f := *file
	f.Solver.Step = step
	f.Rods = append([]robotfile.RodLink{}, file.Rods...)
	for i := range f.Rods {
		f.Rods[i].Elements *= finer
	}
	robot, err := multibody.NewRobot(&f, multibody.Files{})
	if err != nil {
		return nil, err
	}
	return robot.NewModel()
}

// kinds names what the mechanism has.
func (d *linkage) kinds() (s string) {
	all := strings.Builder{}
	for i := range d.joints {
		all.WriteString(d.joints[i].text)
	}
	for _, k := range []string{"fixed", "revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "limits", "friction", "effort: {", "prescribed", "motor: {position"} {
		if strings.Contains(all.String(), k) {
			s += ", " + strings.TrimRight(k, ": {")
		}
	}
	for _, o := range []struct {
		has  bool
		name string
	}{{d.isThrown, "thrown"}, {d.floor, "floor"}, {d.ball, "ball"}, {len(d.tendons) > 0, "tendons"}, {len(d.loads) > 0, "loads"}, {d.needsSearch, "assembled"}} {
		if o.has {
			s += ", " + o.name
		}
	}
	return s
}

// jointTypes are the types with their coordinates: true is an angle.
var jointTypes = []struct {
	name   string
	angles []bool
}{
	{"fixed", nil},
	{"revolute", []bool{true}},
	{"prismatic", []bool{false}},
	{"cylindrical", []bool{false, true}},
	{"universal", []bool{true, true}},
	{"spherical", []bool{true, true, true}},
	{"planar", []bool{false, false, true}},
}

// build draws links, each on one before it, and loops.
func (d *linkage) build() {
	count := 2 + d.IntN(11)
	rodShare := []float64{0, 0.5, 0.5, 1}[d.IntN(4)]
	d.weight = earth * 1000 * math.Pi * 0.0025 * d.size * d.size * d.size / 4 * float64(count)
	d.isThrown = d.chance(0.12)
	for i := range count {
		d.addLink(i, d.chance(rodShare))
	}
	loops := 0
	if !d.isThrown && d.chance(0.5) {
		loops = 1 + d.IntN(3)
	}
	for range loops {
		d.closeLoop()
	}
	d.floor = !d.needsSearch && d.chance(0.4) // friction may not hold what lies on it, and a ball rolls
	d.ball = d.floor && d.chance(0.7)
	if d.chance(0.4) && count > 2 {
		for range 1 + d.IntN(3) {
			d.addTendon()
		}
	}
	if d.chance(0.3) {
		i := d.IntN(count)
		f := d.direction().Scale(d.weight * d.or(0.3, 3) * d.Float64())
		until := ""
		if d.chance(0.5) {
			until = fmt.Sprintf(", until_s: %.3g", d.between(0.02, 0.15))
		}
		d.loads = append(d.loads, fmt.Sprintf("{%s, force_n: %s%s%s}", d.links[i].kind(), list(f), []string{"", ", frame: body"}[d.IntN(2)], until))
	}
}

// longest is the length of the longest link, sizes.
const longest = 1.5

const earth = 9.80665

func (l *builtLink) kind() string {
	if l.isRod {
		return "rod: " + l.name
	}
	return "body: " + l.name
}

// side is that of a joint on the link at a way along it.
func (l *builtLink) side(at float64, turn spatial.Mat3) string {
	if l.isRod {
		return fmt.Sprintf("{rod: %s, at_m: %v, orientation_xyzw: %s}", l.name, at, quaternion(turn))
	}
	return fmt.Sprintf("{body: %s, position_m: [0, 0, %v], orientation_xyzw: %s}", l.name, at, quaternion(turn))
}

func list(v spatial.Vec) string { return fmt.Sprintf("[%v, %v, %v]", v.X, v.Y, v.Z) }

func quaternion(r spatial.Mat3) string {
	q := r.Quat()
	return fmt.Sprintf("[%v, %v, %v, %v]", q.X, q.Y, q.Z, q.W)
}

// at returns the pose of the section of a link, where it was built.
func (l *builtLink) at(s float64) spatial.Pose { return along(l.built, s) }

func along(g spatial.Pose, s float64) spatial.Pose {
	return spatial.Pose{R: g.R, P: g.Apply(spatial.Vec{Z: s})}
}

// turn draws an orientation up to an angle from none.
func (d *linkage) turn(most float64) spatial.Mat3 {
	return spatial.ExpRot(d.direction().Scale(d.between(0, most)))
}

// addLink adds a link on an earlier one, or on the world.
func (d *linkage) addLink(i int, isRod bool) {
	l := builtLink{name: fmt.Sprintf("link_%d", i+1), isRod: isRod, length: d.size * d.between(0.5, longest), parent: -1}
	turn := d.turn(1.2)
	isRoot := i == 0 || d.chance(0.1)
	if isRoot && d.isThrown && i > 0 {
		isRoot = false
	}
	parent, s := "{world: true, position_m: "+list(d.direction().Scale(d.size))+", orientation_xyzw: "+quaternion(turn)+"}", 0.0
	if isRoot {
		at := spatial.Vec{Z: float64(2*i) * d.size}
		l.pose = spatial.Pose{R: turn, P: at}
		l.built = l.pose
		parent = "{world: true, position_m: " + list(at) + ", orientation_xyzw: " + quaternion(turn) + "}"
	} else {
		l.parent = i - 1
		if d.chance(0.4) {
			l.parent = d.IntN(i)
		}
		p := &d.links[l.parent]
		s = p.length
		if d.chance(0.2) {
			s *= d.between(0.2, 1)
		}
		l.pose = along(p.pose, s).Mul(spatial.Pose{R: turn})
		l.built = p.at(s).Mul(spatial.Pose{R: turn})
		parent = p.side(s, turn)
	}
	l.text = d.linkText(&l, i == 0)
	if !(i == 0 && d.isThrown) {
		a, b := section{link: -1}, section{link: i}
		if !isRoot {
			a = d.section(l.parent, s)
		}
		d.asBuilt.connect(a, b)
		d.connected.connect(a, b)
		kind := d.IntN(len(jointTypes))
		if d.chance(0.4) {
			kind = d.IntN(2)
		}
		l.built = l.built.Mul(d.addJoint(kind, parent, l.side(0, spatial.Identity3())))
	}
	d.links = append(d.links, l)
}

// section returns that of a link, or of the world, at a way along it.
func (d *linkage) section(link int, at float64) section {
	if link >= 0 && d.links[link].isRod {
		return section{link, at}
	}
	return section{link: link}
}

// linkText is a link in its file.
func (d *linkage) linkText(l *builtLink, isFirst bool) string {
	density, radius := d.log(800, 8000), l.length/d.log(20, 80)
	mass := density * math.Pi * radius * radius * l.length
	start, linear, angular := "", "", ""
	if isFirst && d.isThrown {
		v, w := d.direction().Scale(3*math.Sqrt(earth*d.size)*d.Float64()), d.direction().Scale(6*d.Float64())
		linear, angular = list(v), list(w)
	}
	if l.isRod {
		if linear != "" {
			start = fmt.Sprintf(", start: {position_m: %s, direction: %s, normal: %s, velocity_m_per_s: %s, angular_velocity_rad_per_s: %s}", list(l.pose.P),
				list(l.pose.R.Apply(spatial.Vec{Z: 1})), list(l.pose.R.Apply(spatial.Vec{X: 1})), linear, angular)
		}
		d.rods++
		inertia := math.Pi / 4 * math.Pow(radius, 4)
		order := 2 + 2*min(1, d.IntN(4))
		modulus := min(1e12, max(1e3, d.weight*d.size*d.size*d.log(d.or(1, 0.2), 300)/inertia))
		return fmt.Sprintf("{name: %s, length_m: %v, radius_m: %v, density_kg_per_m3: %v, youngs_modulus_pa: %v, shear_modulus_pa: %v, elements: %d, element_order: %d, damping: {kelvin_voigt_s: %v}%s}",
			l.name, l.length, radius, density, modulus, modulus/2.6, (4+d.IntN(5))*4/order, order, d.log(1e-4, 2e-2), start)
	}
	if linear != "" {
		start = fmt.Sprintf(", position_m: %s, orientation_xyzw: %s, velocity_m_per_s: %s, angular_velocity_rad_per_s: %s", list(l.pose.P), quaternion(l.pose.R), linear, angular)
	}
	across := mass * l.length * l.length / 12
	along := d.between(0.1, 1) * across // with what it carries
	shape := fmt.Sprintf("{capsule: {from_m: [0, 0, %v], to_m: [0, 0, %v], radius_m: %v}}", 0.2*l.length, 0.8*l.length, radius)
	switch d.IntN(4) {
	case 0:
		shape = fmt.Sprintf("{sphere: {center_m: [0, 0, %v], radius_m: %v}}", 0.5*l.length, 2*radius)
	case 1:
		shape = fmt.Sprintf("{box: {size_m: [%v, %v, %v], position_m: [0, 0, %v]}}", 2*radius, 3*radius, 0.6*l.length, 0.5*l.length)
	}
	return fmt.Sprintf("{name: %s, mass_kg: %v, inertia_kg_m2: [%v, %v, %v], center_of_mass_m: [0, 0, %v], shapes: [%s]%s}", l.name, mass, across, across, along, l.length/2, shape, start)
}

// addJoint adds a joint, mostly with springs and damping, and with stops, friction and motors. It returns the pose of the child's frame
// in that of the parent where loops are built.
func (d *linkage) addJoint(kind int, parent, child string) spatial.Pose {
	t := jointTypes[kind]
	name := fmt.Sprintf("joint_%d", len(d.joints)+1)
	s := fmt.Sprintf("{name: %s, type: %s, parent: %s, child: %s", name, t.name, parent, child)
	axis, second := d.direction(), spatial.Vec{}
	switch t.name {
	case "universal":
		axis, second = spatial.Vec{X: 1}, spatial.Vec{Y: 1}
		s += ", axis: [1, 0, 0], second_axis: [0, 1, 0]"
	case "revolute", "prismatic", "cylindrical", "planar":
		s += ", axis: " + list(axis)
	}
	geometry, err := joint.New(joint.Type(t.name), axis, second)
	if err != nil {
		panic("torture: " + err.Error())
	}
	var q []float64
	for _, isAngle := range t.angles {
		x := builtWithin * d.between(-1, 1)
		if !isAngle {
			x *= d.size
		}
		q = append(q, x)
	}
	if n := len(t.angles); n > 0 {
		s += d.laws(t.angles)
	}
	d.joints = append(d.joints, builtJoint{s + "}"})
	return geometry.Place(q)
}

// builtWithin is how far coordinates are from 0 where loops are built, rad or sizes: less than the stops.
const builtWithin = 0.04

// laws are the springs and so on of a joint.
func (d *linkage) laws(angles []bool) (s string) {
	torque := d.weight * d.size
	unit := func(i int) float64 { // a coordinate of 1 rad is as long as the mechanism
		if angles[i] {
			return 1
		}
		return d.size
	}
	each := func(value func(unit float64) float64) string {
		var all []string
		for i := range angles {
			all = append(all, fmt.Sprintf("%.6g", value(unit(i))))
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	isMotor := d.chance(0.35)
	stiffness := d.log(1, 30) * torque
	time := math.Sqrt(d.size / earth)
	if d.chance(0.8) && !isMotor || slides(angles) {
		damping := d.log(0.02, 0.5) * time
		s += ", stiffness: " + each(func(u float64) float64 { return stiffness / (u * u) }) + ", damping: " + each(func(u float64) float64 { return damping * stiffness / (u * u) })
	}
	if d.chance(0.25) {
		s += ", friction: " + each(func(u float64) float64 { return d.log(1e-3, 0.3) * torque / u })
	}
	if d.chance(0.3) {
		s += ", limits: {min: " + each(func(u float64) float64 { return -u * d.log(0.05, 1) }) + ", max: " + each(func(u float64) float64 { return u * d.log(0.05, 1) }) + "}"
	}
	if !isMotor {
		return s
	}
	switch d.IntN(3) {
	case 0: // one stiffness for all coordinates
		k := 5 * stiffness / (unit(0) * unit(0))
		s += fmt.Sprintf(", motor: {position: {stiffness: %.6g, damping: %.6g, max_effort: %s}}", k, k*0.2*time, []string{".inf", fmt.Sprintf("%.6g", d.log(0.1, 3)*torque/unit(0))}[d.IntN(2)])
		d.addWays(angles)
	case 1:
		most := d.log(0.02, d.or(0.3, 2)) * torque / unit(0)
		s += fmt.Sprintf(", motor: {effort: {max_effort: %.6g, max_rate_per_s: %.6g}}", most, most*d.log(3, 100))
		for range angles {
			d.efforts = append(d.efforts, most)
		}
	default:
		s += ", motor: {prescribed: true, max_rate: " + fmt.Sprintf("%.6g", unit(0)*d.log(0.3, 10)) + "}"
		d.addWays(angles)
	}
	return s
}

// slides reports whether some coordinate is a way: without springs it would slide without end.
func slides(angles []bool) bool {
	for _, a := range angles {
		if !a {
			return true
		}
	}
	return false
}

func (d *linkage) addWays(angles []bool) {
	for _, isAngle := range angles {
		way := d.or(0.3, 1.5)
		if !isAngle {
			way *= d.size * 0.5
		}
		d.ways = append(d.ways, way)
	}
}

// closeLoop connects the end of a link to another one or the world where it was built, and where rods of the loop can follow up to a
// tenth of the size from there. A loop that passes through rods at one section only cannot.
func (d *linkage) closeLoop() {
	i := d.IntN(len(d.links))
	l := &d.links[i]
	other := -1
	if !d.chance(0.4) {
		other = d.IntN(len(d.links))
	}
	if other == i || other == l.parent && other >= 0 || other >= 0 && d.links[other].parent == i || other < 0 && l.parent < 0 && !l.isRod {
		return
	}
	kind := d.IntN(len(jointTypes))
	if d.chance(0.4) {
		kind = []int{0, 1, 5}[d.IntN(3)]
	}
	rods := d.loopOf(i, other)
	turn := d.turn(1)
	g := l.at(l.length)
	frame := spatial.Pose{R: g.R.Mul(turn), P: g.P}
	shift := spatial.Pose{R: spatial.Identity3()}
	if rods > 0 {
		shift = spatial.Pose{R: d.turn(d.or(0.3, 0.8)), P: d.direction().Scale(d.size * d.or(0.1, 0.2) * d.Float64())}
	}
	d.needsSearch = d.needsSearch || d.rods > 0
	frame = frame.Mul(shift)
	parent := fmt.Sprintf("{world: true, position_m: %s, orientation_xyzw: %s}", list(frame.P), quaternion(frame.R))
	if other >= 0 {
		o := &d.links[other]
		at := o.length
		if o.isRod { // a joint off the centre line
			local := o.at(at).Inv().Mul(frame)
			parent = fmt.Sprintf("{rod: %s, at_m: %v, position_m: %s, orientation_xyzw: %s}", o.name, at, list(local.P), quaternion(local.R))
		} else {
			local := o.built.Inv().Mul(frame)
			parent = fmt.Sprintf("{body: %s, position_m: %s, orientation_xyzw: %s}", o.name, list(local.P), quaternion(local.R))
		}
	}
	d.addJoint(kind, parent, l.side(l.length, turn))
	d.loops++
	a, b := d.section(i, l.length), d.section(other, 0)
	if other >= 0 {
		b = d.section(other, d.links[other].length)
	}
	isRigid := d.connected.areConnected(a, b)
	d.contradicts = d.contradicts || isRigid && (rods > 0 || !d.asBuilt.areConnected(a, b))
	if d.connected.connect(a, b); rods == 0 {
		d.asBuilt.connect(a, b)
	}
}

// loopOf returns the number of rods in the loop that a joint between two links closes; link -1 is the world.
func (d *linkage) loopOf(a, b int) (rods int) {
	onWay := map[int]int{}
	for _, i := range [...]int{a, b} {
		for ; i >= 0; i = d.links[i].parent {
			onWay[i]++
		}
	}
	for i, n := range onWay {
		if n == 1 && d.links[i].isRod { // not on the way of both
			rods++
		}
	}
	return rods
}

// addTendon runs a tendon along some links.
func (d *linkage) addTendon() {
	first := d.IntN(len(d.links) - 1)
	last := min(len(d.links)-1, first+1+d.IntN(3))
	var route []string
	if d.chance(0.5) && !d.isThrown {
		route = append(route, fmt.Sprintf("{world: true, position_m: %s}", list(d.links[first].pose.Apply(spatial.Vec{X: 0.2 * d.size, Z: -0.3 * d.size}))))
	}
	for i := first; i <= last; i++ {
		l := &d.links[i]
		for _, share := range []float64{0.25, 0.75} {
			offset := spatial.Vec{X: 0.1 * d.size * d.between(0.3, 1), Y: 0.05 * d.size * d.between(-1, 1)}
			if l.isRod {
				route = append(route, fmt.Sprintf("{rod: %s, at_m: %v, position_m: [%v, %v, 0]}", l.name, share*l.length, offset.X, offset.Y))
			} else {
				route = append(route, fmt.Sprintf("{body: %s, position_m: [%v, %v, %v]}", l.name, offset.X, offset.Y, share*l.length))
			}
		}
	}
	most := d.weight * d.or(1, 5)
	d.tendons = append(d.tendons, fmt.Sprintf("{name: tendon_%d, route: [%s], tension_n: %.6g, limits: {max_tension_n: %.6g, max_rate_n_per_s: %.6g}}",
		len(d.tendons)+1, strings.Join(route, ", "), most*0.1*d.Float64(), most, most*d.log(3, 100)))
	d.efforts = slices.Insert(d.efforts, len(d.tendons)-1, most)
}

// text is the robot file.
func (d *linkage) text(step float64) string {
	var rods, bodies, joints []string
	lowest, highest, under := 0.0, 0.0, spatial.Vec{}
	for i := range d.links {
		l := &d.links[i]
		if l.isRod {
			rods = append(rods, l.text)
		} else {
			bodies = append(bodies, l.text)
		}
		for _, p := range [...]spatial.Vec{l.pose.P, along(l.pose, l.length).P} {
			lowest = min(lowest, p.Z)
			if p.Z > highest {
				highest, under = p.Z, p
			}
		}
	}
	for i := range d.joints {
		joints = append(joints, d.joints[i].text)
	}
	var ignore []string
	for i := range d.links { // they pass through each other, as they were built
		for k := range i {
			ignore = append(ignore, fmt.Sprintf("[%s, %s]", d.links[k].name, d.links[i].name))
		}
	}
	environment := "ignore: [" + strings.Join(ignore, ", ") + "]"
	if d.floor {
		environment += fmt.Sprintf(", friction_coefficient: %.3g, shapes: [{name: floor, plane: {point_m: [0, 0, %v], normal: [0, 0, 1]}}]", d.between(0, 0.8), lowest-0.15*d.size)
	}
	if d.ball {
		r := 0.1 * d.size
		mass := 1000 * 4. / 3 * math.Pi * r * r * r
		j := 0.4 * mass * r * r
		bodies = append(bodies, fmt.Sprintf("{name: ball, mass_kg: %v, inertia_kg_m2: [%v, %v, %v], position_m: %s, velocity_m_per_s: [0, 0, -%v], shapes: [{sphere: {center_m: [0, 0, 0], radius_m: %v}}]}",
			mass, j, j, j, list(spatial.Vec{X: under.X, Y: under.Y + 0.3*r, Z: highest + 2*r + 0.1*d.size}), d.size/0.1, r))
	}
	start := "straight"
	if d.needsSearch {
		start = "equilibrium"
	}
	var b strings.Builder
	for _, o := range []struct {
		key   string
		items []string
	}{{"rods", rods}, {"bodies", bodies}, {"joints", joints}, {"tendons", d.tendons}, {"loads", d.loads}} {
		if len(o.items) > 0 {
			fmt.Fprintf(&b, "%s:\n  - %s\n", o.key, strings.Join(o.items, "\n  - "))
		}
	}
	fmt.Fprintf(&b, "environment: {%s}\ninitial_state: %s\nsolver: {step_s: %v}\ncommand_timeout_s: .inf\n", environment, start, step)
	return b.String()
}

// command draws commands for the motors and tendons.
func (d *linkage) command(c *Case) {
	efforts, ways := History{Port: "servo_jf"}, History{Port: "servo_jp"}
	for range c.Periods {
		row := make([]float64, len(d.efforts))
		for k, most := range d.efforts {
			row[k] = most * d.between(0, 1)
			if k >= len(d.tendons) {
				row[k] = most * d.between(-1, 1)
			}
		}
		efforts.Rows = append(efforts.Rows, row)
		row = make([]float64, len(d.ways))
		for k, most := range d.ways {
			row[k] = most * d.between(-1, 1)
		}
		ways.Rows = append(ways.Rows, row)
	}
	if len(d.efforts) > 0 {
		c.Commands = append(c.Commands, efforts)
	}
	if len(d.ways) > 0 {
		c.Commands = append(c.Commands, ways)
	}
}

// mechanismFault names the errors of mechanisms.
func mechanismFault(err error) string {
	switch {
	case as[*mechanism.NotConvergedError](err):
		return "mechanism.NotConvergedError"
	case as[*mechanism.ContradictionError](err):
		return "mechanism.ContradictionError"
	case as[*mechanism.DiskCollisionError](err):
		return "mechanism.DiskCollisionError"
	case as[*mechanism.OverlapError](err):
		return "mechanism.OverlapError"
	case as[*mechanism.PositionError](err):
		return "mechanism.PositionError"
	case errors.Is(err, multibody.ErrNoEquilibrium):
		return "multibody.ErrNoEquilibrium"
	case errors.Is(err, multibody.ErrOpen):
		return "multibody.ErrOpen"
	}
	return ""
}
