package torture

import (
	"fmt"
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

const (
	rodStream = 0x726f64
	wildRods  = 0.5 // share of rods that are pulled beyond all measure
	// marginOfRod is the way of the tip (lengths) that is hardly any.
	marginOfRod = 0.01
)

// rodDraft is a tendon-driven robot that is being generated.
type rodDraft struct {
	*generator
	file      *robotfile.Continuum
	bend      float64 // EI, N m²
	offset    float64 // of the tendons, m
	circle    float64 // tension that bends the rod to a circle, N
	frequency float64 // of the first mode, rad/s
	share     float64 // of critical damping, of the first mode
	length    bool    // the tendons are commanded by length
	commands  []History
}

// NewRod generates tendon-driven robot seed: 10 mm to 3 m long, of 50 kPa to 210 GPa,
// with 1 to 12 tendons, commanded by tensions up to 1.6 times what bends it to a circle,
// or by pulls up to twice the offset of the tendon.
func NewRod(seed uint64) (*Case, error) { return newRod(seed, rodStream, nil) }

// NewRodOfOrder generates the same robots, with elements of an order.
func NewRodOfOrder(order int) func(seed uint64) (*Case, error) {
	return func(seed uint64) (*Case, error) {
		return newRod(seed, rodStream, func(d *rodDraft) { d.file.Rod.Order = order })
	}
}

// newRod generates a robot from a stream; change, if not nil, is done to it at last.
func newRod(seed, stream uint64, change func(d *rodDraft)) (*Case, error) {
	d := &rodDraft{generator: newGenerator(seed, stream, wildRods), file: robotfile.Example[robotfile.Continuum]()}
	d.length = d.chance(0.4)
	d.body()
	d.tendons()
	d.payload()
	d.damping()
	c := &Case{Seed: seed, Step: d.file.Solver.Step, Period: 0.05, Extent: d.file.Rod.Length, Margin: marginOfRod * d.file.Rod.Length, Limit: d.limit()}
	c.Periods = 4 + d.IntN(3)
	if d.file.Rod.Elements > 80 {
		c.Periods = 4
	}
	d.command(c.Periods)
	if change != nil {
		change(d)
	}
	c.Commands, c.Title = d.commands, d.title(seed)
	text, file, err := throughFile(d.file)
	c.Text, c.model = text, func(step float64) (sim.Model, error) {
		f := *file
		f.Solver.Step = step
		robot, err := continuum.NewRobot(&f)
		if err != nil {
			return nil, err
		}
		if len(f.Rod.Sections) > 0 && step < c.Step {
			return robot.Refined(2)
		}
		return robot.NewModel()
	}
	return c, err
}

// limit is what the step leaves unresolved. Jumps of tension, friction and the swing
// between them cost a tenth of the way that the tip goes; snapping from shape to shape, as
// wild robots do, a quarter. Of the first mode, at ω, BDF2 is late by (ωh)²/3 of its
// phase, so by (ωh)²/(3ζ) until it has died away; tendons under tension make the modes up
// to three times as fast. A wild robot that snaps another way is off by as much as it goes.
func (d *rodDraft) limit() Difference {
	late := square(3*d.frequency*d.file.Solver.Step) / (3 * d.share)
	return Difference{Distance: min(d.or(0.1, 0.25)+late, d.or(0.5, 1)), Angle: math.Inf(1)}
}

// title is the robot in a line.
func (d *rodDraft) title(seed uint64) string {
	f, control := d.file, "tension"
	if d.length {
		control = fmt.Sprintf("length, %.2g N/m", f.Tendons[0].Stiffness)
	}
	return fmt.Sprintf("%s rod %d: %.3g m, radius %.2g mm, E %.2g Pa, n %d of order %d, %d tendons (%s), friction %.2g, tip %.2g kg, ωh %.2g",
		d.word(), seed, f.Rod.Length, f.Rod.Radius*1e3, f.Rod.YoungsModulus, f.Rod.Elements, f.Rod.Order, len(f.Tendons), control,
		f.Tendons[0].Friction, f.Tip.Mass, d.frequency*f.Solver.Step)
}

func (d *rodDraft) body() {
	r := &d.file.Rod
	r.Length = d.log(0.01, 3)
	r.Radius = r.Length / d.log(20, 400)
	r.YoungsModulus = d.log(5e4, 2.1e11)
	r.ShearModulus = r.YoungsModulus / d.between(2, 3)
	r.Density = d.log(900, 8000)
	r.Elements = int(d.log(d.or(8, 1), 201))
	if d.chance(0.2) {
		r.Precurvature = spatial.Vec{X: d.between(-2, 2), Y: d.between(-2, 2)}.Scale(1 / r.Length)
	}
	d.bend = math.Pi / 4 * math.Pow(r.Radius, 4) * r.YoungsModulus
	direction := d.direction()
	d.file.Base.Direction = direction
	d.file.Base.Normal = direction.Cross(spatial.Vec{X: direction.Y, Y: direction.Z, Z: -direction.X}).Unit()
	d.file.Solver.Step = []float64{5e-4, 1e-3}[d.IntN(2)]
}

// tendons go around the rod; short ones end part of the way along.
func (d *rodDraft) tendons() {
	f := d.file
	d.offset = f.Rod.Radius * d.log(1.5, 8)
	if !d.wild {
		d.offset = min(d.offset, f.Rod.Length/12)
	}
	d.circle = 2 * math.Pi * d.bend / (f.Rod.Length * d.offset)
	count := 1 + d.IntN(12)
	disks := min(f.Rod.Elements, int(d.or(4, 1))+d.IntN(12))
	mass := 0.2 * math.Pi * f.Rod.Radius * f.Rod.Radius * f.Rod.Length * f.Rod.Density / float64(disks)
	friction, stiffness := 0.0, 0.0
	if d.chance(0.3) {
		friction = d.between(0.02, 0.4)
	}
	if d.length {
		stiffness = d.log(1e2, 1e9)
		if d.chance(0.2) {
			stiffness = math.Inf(1)
		}
	}
	example := f.Tendons[0]
	pullRate := example.Limits.MaxPullRate
	if d.wild {
		pullRate = d.log(0.01, 10)
	}
	f.Tendons = nil
	for k := range count {
		t := example
		t.Name = fmt.Sprintf("t%d", k)
		angle := 2*math.Pi*float64(k)/float64(count) + d.between(-0.2, 0.2)
		t.Offset = [2]float64{d.offset * math.Cos(angle), d.offset * math.Sin(angle)}
		if d.chance(0.2) {
			t.Twist = d.between(-2, 2) * math.Pi / f.Rod.Length
		}
		n, last := disks, f.Rod.Length
		if k%2 == 1 && disks > 2 && d.chance(0.5) {
			n = disks / 2
			last *= float64(n) / float64(disks)
		}
		t.Disks = robotfile.Disks{Count: n, First: last / float64(n), Last: last, Radius: 1.25 * d.offset}
		if k == 0 {
			t.Disks.Mass = mass // the others pass the same disks
		}
		t.Limits = robotfile.TendonLimits{MaxTension: min(1e6, d.or(1, 4)*d.circle), MaxRate: 1e3 * d.circle, MaxPullRate: pullRate}
		t.Stiffness, t.Friction = stiffness, friction
		f.Tendons = append(f.Tendons, t)
	}
}

// payload is often none, sometimes near what buckles the rod, up to 10 kg.
func (d *rodDraft) payload() {
	f := d.file
	if d.chance(0.4) {
		buckling := math.Pi * math.Pi * d.bend / (4 * f.Rod.Length * f.Rod.Length * 9.81) // kg
		f.Tip.Mass = min(10, buckling*d.log(1e-3, d.or(0.3, 3)))
		i := f.Tip.Mass * f.Rod.Radius * f.Rod.Radius
		f.Tip.Inertia = spatial.Vec{X: i, Y: i, Z: i}
	}
}

// damping makes what the step cannot resolve creep instead of ring: a share of critical,
// in the first mode, that grows with how much it turns in a step.
func (d *rodDraft) damping() {
	r := &d.file.Rod
	line := math.Pi * r.Radius * r.Radius * r.Density
	mass := line*r.Length/4 + d.file.Tip.Mass // kg, at the tip
	d.frequency = math.Sqrt(3 * d.bend / (mass * r.Length * r.Length * r.Length))
	d.share = d.log(0.05, 0.5) * max(1, 10*d.frequency*d.file.Solver.Step)
	if d.wild && d.chance(0.3) {
		d.share = d.log(0.002, 0.05)
	}
	r.Damping.KelvinVoigt = min(1000, 2*d.share/d.frequency)
	if d.chance(0.3) {
		r.Damping.Drag = min(1e6, 2*d.frequency*d.log(0.01, 0.3))
	}
}

// command writes the commands of the robot.
func (d *rodDraft) command(periods int) {
	tendons := History{Port: "servo_jf"}
	if d.length {
		tendons.Port = "servo_jp"
	}
	base, tip := History{Port: "base_pose"}, History{Port: "external_wrench"}
	moves, pushed := d.chance(0.3), d.chance(0.2)
	at := d.file.Base.Position
	for range periods {
		tendons.Rows = append(tendons.Rows, d.tendonRow())
		at = at.AddScaled(d.file.Rod.Length*d.between(0, d.or(0.01, 0.05)), d.direction())
		base.Rows = append(base.Rows, []float64{at.X, at.Y, at.Z, sim.Keep, sim.Keep, sim.Keep, sim.Keep})
		force := d.direction().Scale(d.bend / (d.file.Rod.Length * d.file.Rod.Length) * d.between(0, d.or(0.5, 4)))
		tip.Rows = append(tip.Rows, []float64{force.X, force.Y, force.Z, 0, 0, 0, float64(d.IntN(2))})
	}
	d.commands = append(d.commands, tendons)
	if moves {
		d.commands = append(d.commands, base)
	}
	if pushed {
		d.commands = append(d.commands, tip)
	}
}

// tendonRow is a command to all tendons. Half of the tensions are 0.
func (d *rodDraft) tendonRow() []float64 {
	row := make([]float64, len(d.file.Tendons))
	for k := range row {
		switch {
		case d.length:
			row[k] = d.offset * d.or(0.4, 2) * d.between(-1, 1)
		case d.chance(0.5):
			row[k] = d.circle * d.between(0, d.or(0.3, 1.6)) / math.Sqrt(float64(len(row)))
		}
	}
	return row
}
