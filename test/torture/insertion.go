package torture

import (
	"fmt"
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
	"sinew/test/tools/vessels"
)

const insertionStream = 0x696e73

// Insertion is a rod that is pushed through an introducer into a vessel.
type Insertion struct {
	Seed  uint64
	Title string
	Text  []byte // the robot file

	Radius     float64        // of the rod where it is thickest, m
	Lumen      *vessels.Lumen // of the vessel, which begins at x = 0
	Introducer float64        // radius, m
	Slack      float64        // by how much the wall is outside of the lumen, m
	Steps      int            // in which the base moves
	Rest       int            // and in which it stands, after that

	handling []handled // how the base moves; empty: as the robot file says
	file     *robotfile.Continuum
	files    continuum.Files
}

// insertionDraft is an insertion that is being generated.
type insertionDraft struct {
	*generator
	r, bore, length float64 // radius of the rod, radius and length of the vessel, m
	speed           float64 // m/s
	file            *robotfile.Continuum
}

// NewInsertion generates insertion seed: rods of 0.2 to 2 mm from rubber to steel, of elements
// of either order, into tubes and meshes, which may branch, at up to 0.2 m/s.
func NewInsertion(seed uint64) (*Insertion, error) { return newInsertion(seed, nil) }

// newInsertion generates an insertion and lets handle, if there is any, change rod and way.
func newInsertion(seed uint64, handle func(*insertionDraft, *Insertion)) (*Insertion, error) {
	d := &insertionDraft{generator: newGenerator(seed, insertionStream, 0), file: robotfile.Example[robotfile.Continuum]()}
	d.r = d.log(0.1e-3, 1e-3)
	d.bore = d.r * d.log(1.8, 5)
	d.length = d.bore * d.between(12, 25)
	d.speed = d.log(0.05, 0.2)
	way := min(0.8*d.length, d.speed*0.2) // m, that the base moves
	c := &Insertion{Seed: seed, Radius: d.r, Introducer: d.r * d.between(1.3, 1.9)}
	d.rod(way)
	const step, rest = 0.001, 0.05 // s
	c.Steps, c.Rest = int(way/d.speed/step), int(rest/step)
	d.file.Base.Velocity, d.file.Base.Until = spatial.Vec{X: d.speed}, float64(c.Steps)*step
	env := &d.file.Environment
	env.Friction = d.between(0, 0.5)
	length := d.file.Rod.Length
	from, to := d.file.Base.Position.X, 0.5*d.bore
	env.Shapes = []robotfile.EnvironmentShape{{Name: "introducer", Friction: 0.05,
		Tube: &robotfile.Tube{Points: []spatial.Vec{{X: from}, {X: to}}, Radius: []float64{c.Introducer}}}}
	kind := d.vessel(c)
	if handle != nil {
		handle(d, c)
	}
	text, file, err := throughFile(d.file)
	c.Text, c.file = text, file
	c.Title = fmt.Sprintf("insertion %d: %s of %.3g mm, rod of %.3g by %.3g mm, E %.2g Pa, %d elements of order %d, friction %.2g, %.3g m/s", seed, kind,
		2e3*d.bore, 2e3*d.r, 1e3*length, d.file.Rod.YoungsModulus, d.file.Rod.Elements, d.file.Rod.Order, env.Friction, d.speed) + c.Title
	return c, err
}

// rod makes the rod long enough for its way and places it with its tip in the vessel.
func (d *insertionDraft) rod(way float64) {
	f := d.file
	f.Tendons, f.Loads, f.InitialState = nil, nil, robotfile.Straight
	r := &f.Rod
	r.Radius, r.InnerRadius, r.Section = d.r, 0, nil
	r.Length = way + d.bore*d.between(3, 6)
	r.Order = 2 + 2*d.IntN(2)
	r.Elements = int(min(max(r.Length/(d.bore*d.between(0.5, 1.2)), 6), 50, r.Length/(2.2*d.r)))
	r.YoungsModulus = d.log(2e6, 200e9)
	r.ShearModulus = r.YoungsModulus / 2.6
	r.Density = d.log(1000, 8000)
	r.Damping = robotfile.Damping{KelvinVoigt: d.log(3e-4, 1e-2), Drag: d.log(0.1, 20)}
	f.Base = robotfile.Base{Position: spatial.Vec{X: d.bore - r.Length}, Direction: spatial.Vec{X: 1}, Normal: spatial.Vec{Z: 1}}
	f.Solver = robotfile.RodSolver{Method: robotfile.Implicit, Step: 0.001}
}

// vessel makes the lumen and adds it as a tube or as a mesh.
func (d *insertionDraft) vessel(c *Insertion) (kind string) {
	main := d.course()
	c.Lumen = &vessels.Lumen{Courses: []vessels.Course{main}, Blend: d.bore}
	wall := robotfile.EnvironmentShape{Name: "vessel", Friction: d.file.Environment.Friction}
	if kind = "tube"; d.chance(0.65) {
		c.Slack = 0.02 * d.bore // the centre line is a spline there
		wall.Tube = &robotfile.Tube{Points: main.Points, Radius: main.Radius}
		d.file.Environment.Shapes = append(d.file.Environment.Shapes, wall)
		return kind
	}
	if kind = "mesh"; d.chance(0.6) {
		kind = "branching mesh"
		c.Lumen.Courses = append(c.Lumen.Courses, d.branch(main))
	}
	cell := spatial.Vec{X: 0.5 * d.bore, Y: 0.35 * d.bore, Z: 0.35 * d.bore}
	triangles, ok := c.Lumen.Surface(0, d.length, cell)
	if !ok { // the branches part too slowly for the grid
		kind, c.Lumen.Courses = "mesh", c.Lumen.Courses[:1]
		triangles, _ = c.Lumen.Surface(0, d.length, cell)
	}
	stl, err := mesh.ReadSTL(vessels.STL("generated", triangles))
	if err != nil {
		panic(fmt.Sprintf("torture: insertion %d: %v", c.Seed, err))
	}
	const name = "vessel.stl"
	for _, t := range triangles {
		c.Slack = max(c.Slack, c.Lumen.Excess(t[0].Add(t[1]).Add(t[2]).Scale(1.0/3)))
		for i, p := range t {
			c.Slack = max(c.Slack, c.Lumen.Excess(p.Add(t[(i+1)%3]).Scale(0.5)))
		}
	}
	c.files.Meshes = map[robotfile.FileName]*mesh.STL{name: stl}
	wall.Mesh = &robotfile.Mesh{File: name, Inside: true, Scale: 1}
	d.file.Environment.Shapes = append(d.file.Environment.Shapes, wall)
	return kind
}

// course is a centre line that turns aside up to three times on its way along x.
func (d *insertionDraft) course() (c vessels.Course) {
	type turn struct{ at, over, y, z float64 }
	var turns []turn
	for range 1 + d.IntN(3) {
		t := turn{at: d.between(0.02, 0.5) * d.length, over: d.between(0.25, 0.45) * d.length}
		sin, cos := math.Sincos(d.between(0, 2*math.Pi))
		most := min(0.35*t.over, 0.05*t.over*t.over/d.bore) // of slope, and of curvature
		most *= d.between(0.4, 1)
		t.y, t.z = most*cos, most*sin
		turns = append(turns, t)
	}
	narrowing := d.between(0, 0.2)
	points := max(int(2*d.length/d.bore), 12)
	for i := range points + 1 {
		x := d.length * float64(i) / float64(points)
		p := spatial.Vec{X: x}
		for _, t := range turns {
			s := vessels.SmoothStep((x - t.at) / t.over)
			p.Y, p.Z = p.Y+t.y*s, p.Z+t.z*s
		}
		c.Points = append(c.Points, p)
		c.Radius = append(c.Radius, d.bore*(1-narrowing*x/d.length))
	}
	return c
}

// branch is a course that parts from another one, twice as far aside as they are wide.
func (d *insertionDraft) branch(from vessels.Course) (c vessels.Course) {
	sin, cos := math.Sincos(d.between(0, 2*math.Pi))
	at, aside := d.between(0.2, 0.4)*d.length, d.between(2.5, 3.5)*d.bore
	over := min(0.55*d.length, 0.98*d.length-at)
	for i, p := range from.Points {
		s := aside * vessels.SmoothStep((p.X-at)/over)
		c.Points = append(c.Points, p.Add(spatial.Vec{Y: s * cos, Z: s * sin}))
		c.Radius = append(c.Radius, 0.9*from.Radius[i])
	}
	return c
}

// Model builds the robot.
func (c *Insertion) Model() (sim.Model, error) {
	robot, err := continuum.NewRobotWith(c.file, c.files)
	if err != nil {
		return nil, err
	}
	return robot.NewModel()
}
