package rod

import (
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

// Directors are the body axes d1, d2, d3 of a cross-section in world axes.
type Directors struct{ D1, D2, D3 spatial.Vec }

// Rot returns the rotation from body to world axes.
func (d *Directors) Rot() spatial.Mat3 { return spatial.FromColumns(d.D1, d.D2, d.D3) }

// Local returns the world vector v in body axes.
func (d *Directors) Local(v spatial.Vec) spatial.Vec {
	return spatial.Vec{X: d.D1.Dot(v), Y: d.D2.Dot(v), Z: d.D3.Dot(v)}
}

// World returns the body vector b in world axes.
func (d *Directors) World(b spatial.Vec) spatial.Vec {
	return d.D1.Scale(b.X).AddScaled(b.Y, d.D2).AddScaled(b.Z, d.D3)
}

func directorsOf(r spatial.Mat3) Directors {
	return Directors{r.Col1(), r.Col2(), r.Col3()}
}

// Scheme is how the ends of the explicitly stepped rod are treated.
type Scheme uint8

const (
	// Original is PyElastica 0.3.2, bit for bit up to round-off: the clamp holds
	// the directors of the whole first element, which shortens the bending length
	// by half an element, and the curvature has a bias of 3e-11. It takes the law
	// VolumePreserving whatever the material's, and no attached bodies.
	Original Scheme = iota
	// Corrected puts half a Voronoi domain between the base and the first
	// element, whose directors are free, and takes the exact gradient of the
	// bending energy: second order in the element length.
	Corrected
)

// Options of an Explicit rod.
type Options struct {
	Scheme  Scheme
	Damping Damping
	Gravity spatial.Vec // world axes, m/s²
	// Attached are rigid bodies on the rod, whose inertia the rod carries.
	Attached []Attached
}

// Attached is a rigid body whose centre of mass is at a node of the rod.
type Attached struct {
	Node    int
	Mass    float64     // kg
	Inertia spatial.Vec // about d1, d2, d3, kg m²
}

// Explicit is the state of an explicitly stepped rod, with its scratch. The
// slices it gives out are its own storage; positions and forces have one entry
// per node, directors and couples one per element.
type Explicit struct {
	*Rod
	opt Options

	state
	debt
	owing   state // what look has set aside
	looking bool
	marked  struct {
		state
		debt
	}

	// loads of the next Kick from outside, gravity excepted
	force  []spatial.Vec // world axes
	couple []spatial.Vec // body axes

	// scratch of a Kick
	length []float64     // element lengths
	sigma  []spatial.Vec // shear and stretch of the elements
	kappa  []spatial.Vec // curvatures; [i] between elements i and i+1
	spin   []spatial.Vec // rates of ω (Original) or couples (Corrected) from all but bending
	bent   spatial.Vec   // curvature that bend has just met
	twist  spatial.Vec   // curvature at the clamp, Corrected only
	// reaction of the base: force in world axes, moment in base axes
	reaction spatial.Wrench

	constants
}

// constants of one Explicit rod, derived from Rod and Options.
type constants struct {
	mass, invMass []float64     // nodes
	inertia       []spatial.Vec // elements: of the rod and of what is attached
	added         []spatial.Vec // the latter alone
	base          Directors
	damper        damper
}

// NewExplicit makes an explicitly stepped rod, stress-free and at rest. It
// panics if a body is attached to the base or to no node, or in scheme Original.
func NewExplicit(r *Rod, opt Options) *Explicit {
	n := r.Elements
	x := &Explicit{
		Rod: r, opt: opt,
		state: newState(n), owing: newState(n),
		force: make([]spatial.Vec, n+1), couple: make([]spatial.Vec, n),
		length: make([]float64, n), sigma: make([]spatial.Vec, n), spin: make([]spatial.Vec, n),
		kappa: make([]spatial.Vec, n-1),
	}
	x.marked.state = newState(n)
	x.setConstants()
	x.Reset()
	return x
}

func (x *Explicit) setConstants() {
	n, l := x.Elements, x.ElementLength
	x.base = directorsOf(x.Base.R)
	x.mass = make([]float64, n+1)
	x.invMass = make([]float64, n+1)
	x.inertia = make([]spatial.Vec, n)
	x.added = make([]spatial.Vec, n)
	for e := range n {
		x.mass[e] += 0.5 * x.ElementMass
		x.mass[e+1] += 0.5 * x.ElementMass
	}
	for _, a := range x.opt.Attached {
		if a.Node < 1 || a.Node > n || x.opt.Scheme == Original {
			panic(fmt.Sprintf("rod: body attached at node %d of %d in scheme %d", a.Node, n, x.opt.Scheme))
		}
		x.mass[a.Node] += a.Mass
		left, right := x.around(a.Node)
		x.added[left] = x.added[left].AddScaled(0.5, a.Inertia)
		x.added[right] = x.added[right].AddScaled(0.5, a.Inertia)
	}
	for e := range n {
		x.inertia[e] = x.LineInertia.Scale(l).Add(x.added[e])
	}
	for k, m := range x.mass {
		x.invMass[k] = 1 / m
	}
	x.damper = newDamper(x.Rod, x.opt.Damping)
}

// around returns the elements on both sides of node k ≥ 1; at the last node both
// are the last element.
func (x *Explicit) around(k int) (left, right int) {
	return k - 1, min(k, x.Elements-1)
}

// Reset makes the rod stress-free and at rest.
func (x *Explicit) Reset() {
	n, l := x.Elements, x.ElementLength
	x.looking, x.debt = false, debt{}
	clear(x.vel)
	clear(x.omega)
	r := x.Base.R
	if x.opt.Scheme == Corrected {
		r = r.Mul(rotation(x.Precurvature.Scale(l / 2)))
	}
	step := rotation(x.Precurvature.Scale(l))
	straight := x.Precurvature == spatial.Vec{}
	x.pos[0] = x.Base.P
	for e := range n {
		x.dir[e] = directorsOf(r)
		if straight { // without the round-off of a sum
			x.pos[e+1] = x.Base.P.AddScaled(x.Length*float64(e+1)/float64(n), x.dir[e].D3)
			continue
		}
		x.pos[e+1] = x.pos[e].AddScaled(l, x.dir[e].D3)
		r = r.Mul(step)
	}
	x.ClearLoads()
	x.evaluate()
}

// rotation returns exp([u]×).
func rotation(u spatial.Vec) spatial.Mat3 {
	a, b := rodrigues(u.Norm2())
	k := spatial.Skew(u)
	return spatial.Identity3().Add(k.Scale(a)).Add(k.Mul(k).Scale(b))
}

// rodrigues returns sin θ/θ and (1 − cos θ)/θ² for s = θ². The series is exact to
// 2e-17 below its bound.
func rodrigues(s float64) (a, b float64) {
	if s < 0.02 {
		return 1 - s/6*(1-s/20*(1-s/42*(1-s/72))), 0.5 * (1 - s/12*(1-s/30*(1-s/56)))
	}
	t := math.Sqrt(s)
	sin, cos := math.Sincos(t)
	return sin / t, (1 - cos) / s
}

// ClearLoads removes all loads from outside but gravity.
func (x *Explicit) ClearLoads() {
	clear(x.force)
	clear(x.couple)
}

// Damping returns the damping of the rod.
func (x *Explicit) Damping() Damping { return x.opt.Damping }

// Positions returns the node positions, world axes. They are to be read only,
// but at the start.
func (x *Explicit) Positions() []spatial.Vec {
	x.look()
	return x.pos
}

// Velocities returns the node velocities, world axes.
func (x *Explicit) Velocities() []spatial.Vec { return x.vel }

// Directors returns the directors of the elements, likewise.
func (x *Explicit) Directors() []Directors {
	x.look()
	return x.dir
}

// AngularVelocities returns those of the elements, body axes.
func (x *Explicit) AngularVelocities() []spatial.Vec { return x.omega }

// Forces returns the external forces on the nodes (N, world axes) for loads to
// be added to.
func (x *Explicit) Forces() []spatial.Vec { return x.force }

// Couples returns the external couples on the elements (N m, body axes) for
// loads to be added to.
func (x *Explicit) Couples() []spatial.Vec { return x.couple }
