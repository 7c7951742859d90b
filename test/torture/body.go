package torture

import (
	"fmt"
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

const (
	bodyStream = 0x626f6479
	// undampedSwing is the angle (rad) of the swing of an undamped magnet in a step.
	undampedSwing = 0.1
	// inertialMoment is the share of the commanded moments that bodies with inertia get.
	inertialMoment = 1.0
	wildBodies     = 0.4 // share of bodies in fields, loads and flows beyond all measure
)

// bodyDraft is a magnetic robot, or a swarm of them, that is being generated.
type bodyDraft struct {
	*generator
	file     *robotfile.Microrobot
	size     float64 // half of the extent, m
	volume   float64 // m³
	commands []History
	kind     string // what the title says of it
}

// NewBody generates magnetic robot seed: 1 µm to 10 mm large, of moments up to those of
// NdFeB, in fluid or vacuum, with and without inertia, walls, thermal motion and company.
func NewBody(seed uint64) (*Case, error) {
	d := &bodyDraft{generator: newGenerator(seed, bodyStream, wildBodies), file: robotfile.Example[robotfile.Microrobot]()}
	f := d.file
	f.Seed = int(seed % 1000)
	d.shape()
	d.magnet()
	d.drawEnvironment()
	d.dynamics()
	d.company()
	return d.finish(&Case{Seed: seed, Period: 0.02, Periods: 5 + d.IntN(6)})
}

// finish completes the case of a robot that is drawn but for its commands.
func (d *bodyDraft) finish(c *Case) (*Case, error) {
	f := d.file
	c.Step, c.Extent, c.Margin, c.Random = f.Solver.Step, 2*d.size, 2*d.size, f.Fluid.Brownian
	c.Limit, c.Horizon = d.limit(c)
	d.command(c.Periods)
	c.Commands, c.Title = d.commands, d.title(c.Seed)
	if d.interacts() {
		c.Diameter = 2 * d.size
	}
	text, file, err := throughFile(f)
	c.Text, c.model = text, func(step float64) (sim.Model, error) {
		g := *file
		g.Solver.Step = step
		return microrobot.New(&g, nil)
	}
	return c, err
}

// interacts reports whether it is a swarm of robots that act on one another.
func (d *bodyDraft) interacts() bool {
	s := d.file.Swarm
	return s != nil && s.Interaction == robotfile.FullInteraction
}

// limit is what the step leaves unresolved: with a method of order 1, or that of swarms, a
// part of the motion; with inertia the phase of swings, and the way between two steps to a
// wall. The phase of an undamped one is lost, and with it, after a while, all.
func (d *bodyDraft) limit(c *Case) (limit Difference, horizon int) {
	f := d.file
	switch {
	case f.Dynamics == robotfile.Inertial && f.Fluid.Viscosity == 0:
		return Difference{Distance: 0.1, Angle: math.Inf(1)}, int(math.Round(c.Period / c.Step))
	case f.Dynamics == robotfile.Inertial:
		return Difference{Distance: 0.05, Angle: 0.5}, 0
	case d.interacts() || f.Solver.Method == robotfile.LieEuler:
		return Difference{Distance: 0.1, Angle: 1}, 0
	default:
		return Difference{Distance: 0.02, Angle: 0.1}, 0
	}
}

// title is the robot in a line.
func (d *bodyDraft) title(seed uint64) string {
	f := d.file
	return fmt.Sprintf("%s body %d: %s of %.2g m, %.2g Pa s, density %.0f, %s %s, step %g s, told by %s",
		d.word(), seed, d.kind, 2*d.size, f.Fluid.Viscosity, f.Body.Density, f.Dynamics, f.Solver.Method, f.Solver.Step, d.commands[0].Port)
}

func (d *bodyDraft) shape() {
	b := &d.file.Body
	a := d.log(0.5e-6, 5e-3)
	d.size = a
	b.Shape, b.Density, b.Mass = &robotfile.Shape{}, d.log(1000, 7800), 0
	b.Orientation = spatial.Quat{X: d.NormFloat64(), Y: d.NormFloat64(), Z: d.NormFloat64(), W: d.NormFloat64()}.Normalized()
	switch p := d.Float64(); {
	case p < 0.5:
		b.Shape.Sphere = &a
		d.volume, d.kind = 4./3*math.Pi*a*a*a, "sphere"
	case p < 0.8:
		d.oblong(spatial.Vec{X: a, Y: a * d.log(0.1, 1), Z: a * d.log(0.1, 1)})
	default:
		h := robotfile.Helix{Length: 2 * a, Radius: 2 * a * d.between(0.08, 0.2), Pitch: 2 * a * d.between(0.15, 0.5), Handedness: robotfile.RightHanded}
		if d.chance(0.5) {
			h.Handedness = robotfile.LeftHanded
		}
		h.WireRadius = h.Radius * d.between(0.1, 0.4)
		turn := math.Hypot(1, 2*math.Pi*h.Radius/h.Pitch)
		b.Shape.Helix = &h
		d.volume, d.kind = math.Pi*h.WireRadius*h.WireRadius*h.Length*turn, "helix"
	}
}

// oblong makes a body with the half-widths a: of four seeds two ellipsoids, a cuboid and a cylinder.
func (d *bodyDraft) oblong(a spatial.Vec) {
	s := d.file.Body.Shape
	switch d.file.Seed % 4 {
	case 1:
		s.Cuboid = &robotfile.BodyCuboid{Edges: a.Scale(2)}
		d.size, d.volume, d.kind = a.Norm(), 8*a.X*a.Y*a.Z, "cuboid"
	case 3:
		s.Cylinder = &robotfile.BodyCylinder{Length: 2 * a.X, Radius: a.Y}
		d.size, d.volume, d.kind = math.Hypot(a.X, a.Y), 2*math.Pi*a.X*a.Y*a.Y, "cylinder"
	default:
		s.Ellipsoid = &a
		d.volume, d.kind = 4./3*math.Pi*a.X*a.Y*a.Z, "ellipsoid"
	}
}

// magnet draws a permanent magnet of up to NdFeB's magnetization, or iron, or nothing.
func (d *bodyDraft) magnet() {
	b := &d.file.Body
	b.Magnet, b.Soft = nil, nil
	switch p := d.Float64(); {
	case p < 0.1:
		d.kind += ", not magnetic,"
	case p < 0.3 && (b.Shape.Sphere != nil || b.Shape.Ellipsoid != nil):
		b.Soft = &robotfile.Soft{Volume: d.volume * d.between(0.1, 1), Susceptibility: d.log(0.1, 1e4), Saturation: d.log(1e5, 1.5e6)}
		d.kind += ", soft,"
	default:
		m := d.log(1e2, 1e6) // A/m
		b.Magnet = &robotfile.Magnet{Moment: d.direction().Scale(m * d.volume)}
		d.kind += fmt.Sprintf(", magnet of %.2g A/m,", m)
	}
}

// fluid draws the viscosity between two (Pa s), flow, and how often all is evaluated.
func (d *bodyDraft) fluid(thin, thick float64) {
	f := d.file
	f.Fluid.Viscosity, f.Fluid.Density = d.log(thin, thick), d.between(700, 1300)
	f.Field.Interpolation = robotfile.ZeroOrderHold
	if d.chance(0.3) {
		f.Field.Interpolation = robotfile.FirstOrderHold
	}
	f.Solver.Step = []float64{1e-3, 5e-4}[d.IntN(2)]
	if d.chance(0.3) {
		u := d.size * d.or(5, 100)
		f.Fluid.Flow.Uniform = d.direction().Scale(u * d.Float64())
		g := &f.Fluid.Flow.Gradient
		g[1], g[2], g[5] = d.between(-3, 3), d.between(-3, 3), d.or(1, 30)*d.between(-3, 3)
	}
}

// drawEnvironment draws the fluid and the walls, with room for a swarm.
func (d *bodyDraft) drawEnvironment() {
	d.fluid(3e-4, 5)
	f := d.file
	if !d.chance(0.4) {
		return
	}
	room := d.size * d.log(1.05, 8)
	if d.chance(0.3) {
		room *= 1.5
		f.Walls = append(f.Walls, robotfile.Wall{Cylinder: &robotfile.Cylinder{Axis: d.direction(), Radius: room}})
		d.kind += " in a tube"
		return
	}
	n := d.direction()
	f.Walls = append(f.Walls, robotfile.Wall{Plane: &robotfile.Plane{Point: n.Scale(-room), Normal: n}})
	if d.chance(0.3) {
		f.Walls = append(f.Walls, robotfile.Wall{Plane: &robotfile.Plane{Point: n.Scale(1.3 * room), Normal: n.Neg()}})
	}
	d.kind += " at a wall"
}

// dynamics decides about inertia, and about thermal motion of small bodies.
func (d *bodyDraft) dynamics() {
	f := d.file
	f.Dynamics, f.Solver.Method = robotfile.Overdamped, robotfile.RKMK4
	if !d.chance(0.4) {
		if d.size < 5e-6 && d.chance(0.6) {
			f.Fluid.Brownian = true
			d.kind += " with thermal motion"
			return
		}
		f.Solver.Method = []robotfile.BodyMethod{robotfile.RKMK4, robotfile.RKMK4, robotfile.CG4, robotfile.LieEuler}[d.IntN(4)]
		return
	}
	f.Dynamics = robotfile.Inertial
	f.Solver.Method = []robotfile.BodyMethod{robotfile.GeneralizedAlpha, robotfile.Trapezoidal}[d.IntN(2)]
	if d.chance(0.2) {
		f.Fluid.Viscosity, f.Fluid.Flow = 0, robotfile.Flow{}
		d.kind += " in vacuum"
	}
	// what drag stops in less than 1/100 of a step is for implicit methods
	slowest := f.Body.Density * d.volume / (6 * math.Pi * max(f.Fluid.Viscosity, 1e-12) * d.size)
	if slowest > f.Solver.Step && d.chance(0.6) {
		f.Solver.Method = []robotfile.BodyMethod{robotfile.RKMK4, robotfile.CG4, robotfile.Splitting}[d.IntN(3)]
	}
	if d.chance(0.3) {
		f.Body.AngularVelocity = d.direction().Scale(d.log(0.1, 300))
	}
	if f.Walls == nil && d.chance(0.2) {
		pivot := d.direction().Scale(d.size * d.between(0.1, 1))
		f.Body.Pivot = &pivot
		d.kind += " on a pivot"
	}
}

// company makes some of those without inertia a swarm, of robots that do not act on one
// another.
func (d *bodyDraft) company() {
	f := d.file
	if f.Dynamics == robotfile.Inertial || f.Walls != nil || !d.chance(0.3) {
		return
	}
	f.Swarm = &robotfile.Swarm{Count: int(d.log(2, 40)), Spacing: d.size * d.between(2.1, 8), Interaction: robotfile.NoInteraction}
	d.kind = fmt.Sprintf("%d times a %s", f.Swarm.Count, d.kind)
}

// strongest is the field (T) in which a body that nothing damps turns by undampedSwing of
// its swing in a step. In stronger ones the phase of the swing is lost in few periods.
func (d *bodyDraft) strongest() float64 {
	m := d.file.Body.Magnet
	if d.file.Fluid.Viscosity > 0 || m == nil {
		return math.Inf(1)
	}
	// a slender body turns most easily about its axis, at 1/10 of the size
	inertia := 0.4 * d.volume * d.file.Body.Density * d.size * d.size / 100
	rate := undampedSwing / d.file.Solver.Step
	return rate * rate * inertia / m.Moment.Norm()
}

// command writes the commands of the robot: one kind of field, and at times a wrench and the
// flow at the robot.
func (d *bodyDraft) command(periods int) {
	fields := []string{"field", "rotating_field", "field_gradient"}
	h := History{Port: fields[d.IntN(len(fields))]}
	b := min(d.log(1e-4, d.or(0.02, 0.3)), d.strongest()) // T
	frequency := d.log(0.1, d.or(30, 1000))
	gradient := d.log(1e-3, d.or(0.3, 10)) // T/m
	wrench, flow := History{Port: "external_wrench"}, History{Port: "ambient_flow"}
	weight := 9.81 * d.volume * d.file.Body.Density
	for range periods {
		v := d.direction().Scale(b)
		var row []float64
		switch h.Port {
		case "field":
			row = []float64{v.X, v.Y, v.Z}
		case "rotating_field":
			row = []float64{v.X / b, v.Y / b, v.Z / b, b, frequency * d.between(0.5, 1), b * d.between(-0.2, 0.2)}
		default:
			row = []float64{v.X, v.Y, v.Z}
			for range 5 {
				row = append(row, gradient*d.between(-1, 1))
			}
		}
		h.Rows = append(h.Rows, row)
		spin := 1.0
		if d.file.Dynamics == robotfile.Inertial {
			spin = inertialMoment
		}
		force, moment := d.direction().Scale(weight*d.or(1, 20)*d.Float64()), d.direction().Scale(spin*weight*d.size*d.or(0.3, 10)*d.Float64())
		wrench.Rows = append(wrench.Rows, []float64{force.X, force.Y, force.Z, moment.X, moment.Y, moment.Z, float64(d.IntN(2))})
		u, w := d.direction().Scale(d.size*d.or(5, 100)), d.direction().Scale(d.or(5, 50))
		flow.Rows = append(flow.Rows, []float64{u.X, u.Y, u.Z, w.X, w.Y, w.Z})
	}
	d.commands = append(d.commands, h)
	if d.chance(0.2) {
		d.commands = append(d.commands, wrench)
	}
	if d.file.Fluid.Viscosity > 0 && d.chance(0.1) {
		d.commands = append(d.commands, flow)
	}
}
