package staggered

import (
	"fmt"
	"math"

	"sinew/pkg/sim/rod"
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

// Scheme is how the ends of the rod are treated.
type Scheme uint8

const (
	// Original is PyElastica 0.3.2, bit for bit up to round-off: the clamp holds
	// the directors of the whole first element, which shortens the bending length
	// by half an element, and the curvature has a bias of 3e-11. It takes the law
	// rod.VolumePreserving whatever the material's, and no attached bodies.
	Original Scheme = iota
	// Corrected puts half a Voronoi domain between the base and the first
	// element, whose directors are free, and takes the exact gradient of the
	// bending energy: second order in the element length.
	Corrected
)

// Options are the choices of one State.
type Options struct {
	Scheme  Scheme
	Damping Damping
	Gravity spatial.Vec // world axes, m/s²
	// Attached are rigid bodies on the rod, whose inertia the rod carries.
	Attached []rod.Attached
}

// State is a rod in motion: what changes from step to step, the loads and the
// scratch. The slices it gives out are its own storage; positions and forces have
// one entry per node, directors and couples one per element.
type State struct {
	*rod.Rod
	opt Options
	constants

	motion
	pending pendingDrift
	behind  motion // what endPeek restores
	peeking bool   // motion is that of a peek
	marked  struct {
		motion
		pending pendingDrift
	}

	force  []spatial.Vec // of the next Kick on the nodes, without gravity, world axes
	couple []spatial.Vec // of the next Kick on the elements, body axes

	// scratch of a Kick
	length []float64     // element lengths
	sigma  []spatial.Vec // shear and stretch of the elements
	kappa  []spatial.Vec // curvatures; [i] between elements i and i+1
	spin   []spatial.Vec // rates of ω (Original) or couples (Corrected) from all but bending
	bent   spatial.Vec   // curvature that bend has just met
	twist  spatial.Vec   // curvature at the clamp, Corrected only
	// reaction of the base: force in world axes, moment in base axes
	reaction spatial.Wrench
}

// constants follow from rod.Rod and Options.
type constants struct {
	mass, invMass []float64     // by node, kg and 1/kg
	inertia       []spatial.Vec // by element, attached bodies included, kg m²
	added         []spatial.Vec // by element, attached bodies alone, kg m²
	base          Directors
	damper        damper
}

// New makes the rod r stress-free and at rest. It panics if a body is attached to
// the base or to no node, or in scheme Original.
func New(r *rod.Rod, opt Options) *State {
	n := r.Elements
	x := &State{
		Rod: r, opt: opt,
		motion: newMotion(n), behind: newMotion(n),
		force: make([]spatial.Vec, n+1), couple: make([]spatial.Vec, n),
		length: make([]float64, n), sigma: make([]spatial.Vec, n), spin: make([]spatial.Vec, n),
		kappa: make([]spatial.Vec, n-1),
	}
	x.marked.motion = newMotion(n)
	x.setConstants()
	x.Reset()
	return x
}

func (x *State) setConstants() {
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
			panic(fmt.Sprintf("staggered: body attached at node %d of %d in scheme %d", a.Node, n, x.opt.Scheme))
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
func (x *State) around(k int) (left, right int) {
	return k - 1, min(k, x.Elements-1)
}

// Reset makes the rod stress-free and at rest.
func (x *State) Reset() {
	n, l := x.Elements, x.ElementLength
	x.peeking, x.pending = false, pendingDrift{}
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
func (x *State) ClearLoads() {
	clear(x.force)
	clear(x.couple)
}

// Damping returns the damping of the rod.
func (x *State) Damping() Damping { return x.opt.Damping }

// Positions returns the node positions, world axes. They are to be read only,
// but at the start.
func (x *State) Positions() []spatial.Vec {
	x.peek()
	return x.pos
}

// Velocities returns the node velocities, world axes.
func (x *State) Velocities() []spatial.Vec { return x.vel }

// Directors returns the directors of the elements, likewise.
func (x *State) Directors() []Directors {
	x.peek()
	return x.dir
}

// AngularVelocities returns those of the elements, body axes.
func (x *State) AngularVelocities() []spatial.Vec { return x.omega }

// Forces returns the external forces on the nodes (N, world axes) for loads to
// be added to.
func (x *State) Forces() []spatial.Vec { return x.force }

// Couples returns the external couples on the elements (N m, body axes) for
// loads to be added to.
func (x *State) Couples() []spatial.Vec { return x.couple }
