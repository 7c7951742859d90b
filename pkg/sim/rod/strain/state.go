package strain

import (
	"math"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Options are the material, loads and attached bodies of a State.
type Options struct {
	// KelvinVoigt is the time constant of internal damping by element, s: stress = stiffness
	// (strain + KelvinVoigt d(strain)/dt). nil means none.
	KelvinVoigt []float64
	// Branches are the Maxwell branches by element; nil means none.
	Branches [][]Branch
	// JenkinsElements are the elements of internal friction by element; nil means none.
	JenkinsElements [][]JenkinsElement
	// Drag is the coefficient of linear drag by node, N s/m; nil means none.
	Drag []float64
	// RotationalDrag is the coefficient of linear rotational drag by node, N m s; nil means none.
	RotationalDrag []float64
	// Quadratic is the coefficient c of the drag −c |v| v by node, kg/m; nil means none.
	Quadratic []float64
	Gravity   spatial.Vec // world axes, m/s²
	// Attached are rigid bodies on nodes, whose weight and inertia add to those of the rod.
	Attached      []rod.AttachedBody
	MidpointLoads MidpointLoads // nil: none
	// FreeStart makes the pose of node 0 an unknown like those of the other nodes; see free_start.go.
	// Otherwise it is prescribed, and its equations are not assembled.
	FreeStart bool
}

// State is a rod in motion, with its scratch. Between Begin or BeginStatic and Commit, the strains
// are those of an iterate.
type State struct {
	rod *rod.Rod
	opt Options
	constants

	// Strain is l ε of every element (m and rad) and Base the pose of node 0: the configuration.
	// Pose are the poses of the nodes in the world, which UpdatePoses computes from both.
	Strain []spatial.Twist
	Base   spatial.Pose
	Pose   []spatial.Pose
	// Target is the pose of the base at the end of the next step.
	Target       spatial.Pose
	slope        []spatial.Twist // by element, m and rad; see linear_strain.go
	vel          []spatial.Vec   // by node, world axes, m/s
	omega        []spatial.Vec   // by node, body axes, rad/s
	past         past
	eccentric    eccentricMasses
	distributed  distributedMass
	baseReaction baseReaction
	maxwell      maxwellState
	jenkins      jenkinsElements

	// Loads are the external loads by node, constant during a step.
	Loads []NodeLoad
	// gravityScale multiplies gravity. It is below 1 only in load stepping of a search for
	// equilibrium.
	gravityScale float64
	stiffness    scaledStiffness

	start  start
	step   step
	frozen frozen

	// scratch of an iterate
	stepRotation     []spatial.Vec      // body rotation vector since frozen.rot, by node
	evenParts        []spatial.Even     // by element, at the last assembly
	relativePoses    []spatial.Pose     // by element, exp of the strain at the last UpdatePoses
	condensed        []condensedElement // by element of order 4; see condenseSlopes
	condensedValid   bool               // condensed is that of the present strains and loads
	hasMidpointLoads bool               // some element has a midpoint load
	placement        LoadPlacement      // at the present strains
	undoStrain       []spatial.Twist    // strains before the last AddStrainIncrement or MoveNodes
	undoBase         spatial.Pose       // pose of the base then
}

// constants follow from rod.Rod and Options.
type constants struct {
	elements   []element     // by element
	mass       []float64     // by node, kg
	drag       []float64     // by node, coefficient of linear drag, N s/m
	quadratic  []float64     // by node, coefficient of quadratic drag, kg/m
	inertia    []spatial.Vec // by node, body axes, kg m²
	minSpacing []float64     // by node, length of the shorter adjacent element, m
	maxBending []float64     // by node, bending stiffness of the stiffer adjacent element, N m²
	hasDamping bool          // some element has damping or Maxwell branches
	first      int           // first node whose pose is an unknown: 0 with a free start, otherwise 1
}

// NodeLoad is an external load on a node.
type NodeLoad struct {
	Force, Moment spatial.Vec    // dead load: world axes, N and N m
	Follower      spatial.Wrench // body axes
}

// HistoryLevels is the number of time levels, the present one included, whose strains are stored
// for Extrapolate.
const HistoryLevels = 7

// past is the level before the present one, which BDF2 needs, and the strains of the levels before
// that, the latest first.
type past struct {
	strain   []spatial.Twist
	older    [HistoryLevels - 2][]spatial.Twist
	slope    []spatial.Twist
	pos      []spatial.Vec
	vel      []spatial.Vec
	omega    []spatial.Vec
	rotation []spatial.Vec // body rotation vector from that level to the present one
}

// baseReaction is the part of the base reaction that depends on the last step.
type baseReaction struct {
	rate           spatial.Twist    // rate of l times the mean strain of the first element, m/s and rad/s
	slope          [1]spatial.Twist // rate of its slope, m/s and rad/s
	inertialWrench spatial.Wrench   // inertia and drag of node 0 in the last step: force in world axes, moment in body axes
}

// start is the configuration at the start of a step.
type start struct {
	strain []spatial.Twist
	pos    []spatial.Vec
	base   spatial.Pose
}

// step is the time discretisation of one step, with beta = gamma = 0 in statics. The acceleration
// of a node is beta (p − p̃) and its velocity gamma (p − p̂), and the same holds for rotation
// vectors D and strains x.
type step struct {
	beta, gamma        float64        // 1/s², 1/s
	posHat, posTilde   []spatial.Vec  // p̂, p̃
	turnHat, turnTilde []spatial.Vec  // D̂, D̃
	hat                []linearStrain // x̂ of damping and Maxwell branches, means and slopes; see Branch
	rate               []float64      // damping rate by element, Maxwell branches included
	baseHat            linearStrain   // x̂ of the first element without Maxwell branches
	gyroscopic         []spatial.Vec  // ω* × J ω*, with ω* the extrapolated angular velocity
}

// frozen are the loads without a potential; see FreezeLoads.
type frozen struct {
	active bool
	rot    []spatial.Mat3 // rotations of the nodes at FreezeLoads
	moment []spatial.Vec  // body axes
	force  []spatial.Vec  // world axes
}

// New returns the rod r, stress-free and at rest.
func New(r *rod.Rod, o Options) *State {
	n := r.Elements
	vecs := func() []spatial.Vec { return make([]spatial.Vec, n+1) }
	twists := func() []spatial.Twist { return make([]spatial.Twist, n) }
	s := &State{
		rod: r, opt: o, gravityScale: 1, constants: newConstants(r, &o),
		Strain: twists(), Pose: make([]spatial.Pose, n+1), Loads: make([]NodeLoad, n+1),
		vel: vecs(), omega: vecs(), stepRotation: vecs(), evenParts: make([]spatial.Even, n), undoStrain: twists(),
		relativePoses: make([]spatial.Pose, n), condensed: make([]condensedElement, n),
		slope:  twists(),
		past:   past{strain: twists(), slope: twists(), pos: vecs(), vel: vecs(), omega: vecs(), rotation: vecs()},
		start:  start{strain: twists(), pos: vecs()},
		frozen: frozen{rot: make([]spatial.Mat3, n+1), moment: vecs(), force: vecs()},
		step: step{
			posHat: vecs(), posTilde: vecs(), turnHat: vecs(), turnTilde: vecs(),
			hat: make([]linearStrain, n), rate: make([]float64, n), gyroscopic: vecs(),
		},
	}
	for k := range s.past.older {
		s.past.older[k] = twists()
	}
	var bodies []eccentricMass
	for _, a := range o.Attached {
		if a.Offset != (spatial.Vec{}) {
			bodies = append(bodies, eccentricMass{a.Node, a.Mass, a.Offset})
		}
	}
	s.eccentric = newEccentricMasses(bodies)
	s.placement.Nodes = s.Pose
	s.newMidpoints()
	s.distributed = newDistributedMass(r, s.mass)
	s.attachMasses()
	s.maxwell, s.jenkins = newMaxwellState(o.Branches), newJenkinsElements(o.JenkinsElements)
	s.Reset()
	return s
}

func newConstants(r *rod.Rod, o *Options) constants {
	n := r.Elements
	c := constants{
		elements: make([]element, n),
		mass:     r.NodeMasses(), inertia: r.NodeInertias(),
		drag: make([]float64, n+1), quadratic: make([]float64, n+1),
		minSpacing: make([]float64, n+1), maxBending: make([]float64, n+1), first: 1,
	}
	if o.FreeStart { // joints may weld it to other rods
		c.first, c.inertia = 0, r.ElementInertias()
	}
	damping := make([]float64, n)
	copy(damping, o.KelvinVoigt)
	c.minSpacing[0] = r.Length
	for e, l := range r.Lengths {
		c.elements[e] = newElement(r, e, damping[e])
		c.hasDamping = c.hasDamping || damping[e] != 0 || o.Branches != nil && len(o.Branches[e]) > 0
		b := r.Properties[e].Stiffness.Bend.X
		c.minSpacing[e], c.minSpacing[e+1] = min(c.minSpacing[e], l), l
		c.maxBending[e], c.maxBending[e+1] = max(c.maxBending[e], b), b
	}
	copy(c.drag, o.Drag)
	copy(c.quadratic, o.Quadratic)
	for _, a := range o.Attached {
		c.inertia[a.Node] = c.inertia[a.Node].Add(a.Inertia)
	}
	return c
}

// attachMasses adds the masses of the bodies whose centres of mass are at their nodes.
func (s *State) attachMasses() {
	for _, a := range s.opt.Attached {
		if a.Offset != (spatial.Vec{}) {
			continue
		}
		s.mass[a.Node] += a.Mass
		if s.distributed.elements != nil {
			s.distributed.diagonal[a.Node].linear += a.Mass
		}
	}
}

// ScaleGravity multiplies gravity by scale until the next call.
func (s *State) ScaleGravity(scale float64) { s.gravityScale, s.distributed.valid = scale, false }

// NodeMass returns the mass of node i, kg, on which its weight acts.
func (s *State) NodeMass(i int) float64 { return s.mass[i] }

// NodeFirstMoment returns the first moment of mass about node i along its tangent, kg m, on which its
// weight acts with elements of order 4; see distributed_mass.go.
func (s *State) NodeFirstMoment(i int) float64 {
	if s.distributed.elements == nil {
		return 0
	}
	return s.distributed.diagonal[i].moment
}

// lumpedMass returns the part of the mass of node i that is not distributed along the elements, kg.
func (s *State) lumpedMass(i int) float64 {
	if s.distributed.elements != nil {
		return 0
	}
	return s.mass[i]
}

// Reset makes the rod stress-free and at rest with its base at the initial pose, and clears the
// history of the material.
func (s *State) Reset() {
	s.Base, s.Target = s.rod.Base, s.rod.Base
	s.SetStressFree()
	s.relaxDashpots()
	s.resetJenkins()
}

// SetStressFree makes the rod stress-free and at rest at the present pose of the base.
func (s *State) SetStressFree() {
	for e := range s.Strain {
		s.Strain[e] = s.elements[e].rest
	}
	s.SetAtRest()
	// midpoint loads act from the first step on, like all loads
	clear(s.slope)
	clear(s.past.slope)
}

// RestStrain returns l ε of element e without stress, m and rad.
func (s *State) RestStrain(e int) spatial.Twist { return s.elements[e].rest }

// StressFreePosition is where node i of the stress-free rod is at the present pose of the base.
func (s *State) StressFreePosition(i int) spatial.Vec {
	g := s.Base
	for e := range i {
		d := spatial.Exp(s.elements[e].rest)
		g = spatial.Pose{R: g.R.Mul(d.R), P: g.P.Add(g.R.Apply(d.P))}
	}
	return g.P
}

// CommitEquilibrium makes the present configuration the state, at rest, with relaxed dashpots and
// updated Jenkins elements. It stores the strains of the equilibrium before for
// ExtrapolateEquilibrium.
func (s *State) CommitEquilibrium() {
	s.past.older[0], s.past.strain = s.past.strain, s.past.older[0]
	s.stopMotion()
	s.relaxDashpots()
	s.commitJenkins()
}

// ExtrapolateEquilibrium adds the change of the strains between the last two calls of
// CommitEquilibrium to the strains: linear extrapolation in a series of equilibria.
func (s *State) ExtrapolateEquilibrium() {
	for e := range s.Strain {
		x, older := &s.Strain[e], &s.past.older[0][e]
		x.Linear = x.Linear.Add(x.Linear.Sub(older.Linear))
		x.Angular = x.Angular.Add(x.Angular.Sub(older.Angular))
	}
	s.UpdateKinematics()
}

// SetAtRest sets all velocities to 0 at the present configuration and clears the history of
// strains.
func (s *State) SetAtRest() {
	s.stopMotion()
	copy(s.past.older[0], s.Strain)
}

// stopMotion is SetAtRest without the reset of the strains that ExtrapolateEquilibrium uses.
func (s *State) stopMotion() {
	s.UpdatePoses()
	s.step.gamma = 0
	clear(s.step.rate)
	s.updateSlopes()
	copy(s.past.strain, s.Strain)
	for _, older := range s.past.older[1:] {
		copy(older, s.Strain)
	}
	copy(s.past.slope, s.slope)
	for i := range s.Pose {
		s.past.pos[i] = s.Pose[i].P
	}
	for _, v := range [][]spatial.Vec{s.vel, s.past.vel, s.past.rotation, s.omega, s.past.omega} {
		clear(v)
	}
	s.stopEccentric()
	clear(s.distributed.rate)
	clear(s.distributed.pastRate)
	copy(s.maxwell.past, s.maxwell.now)
	s.baseReaction = baseReaction{}
}

// UpdatePoses computes the poses of the nodes from the pose of the base and the strains.
func (s *State) UpdatePoses() {
	g := s.Base
	s.Pose[0] = g
	s.condensedValid, s.distributed.valid = false, false
	for e := range s.Strain {
		d := &s.relativePoses[e]
		*d = spatial.Exp(s.Strain[e])
		g = spatial.Pose{R: g.R.Mul(d.R), P: g.P.Add(g.R.Apply(d.P))}
		s.Pose[e+1] = g
	}
}

// NodeTwist returns velocity (m/s) and angular velocity (rad/s) of node i, world axes.
func (s *State) NodeTwist(i int) spatial.Twist {
	return spatial.Twist{Linear: s.vel[i], Angular: s.Pose[i].R.Apply(s.omega[i])}
}

// MaxAngularSpeed returns the largest angular speed of a node, rad/s.
func (s *State) MaxAngularSpeed() float64 {
	most := 0.0
	for i := range s.omega {
		most = max(most, s.omega[i].Norm2())
	}
	return math.Sqrt(most)
}

// Energy returns the kinetic energy of the nodes whose poses are unknowns and the elastic energy, that of Maxwell branches
// and Jenkins elements included, J.
func (s *State) Energy() (kinetic, elastic float64) {
	for i := s.first; i < len(s.mass); i++ {
		w := s.omega[i]
		kinetic += 0.5 * w.Dot(s.inertia[i].Mul(w))
		if s.distributed.elements == nil {
			kinetic += 0.5 * s.mass[i] * s.vel[i].Norm2()
		}
	}
	kinetic += 0.5 * s.distributed.product(s.vel, s.distributed.rate)
	kinetic += s.eccentricEnergy()
	slopes := s.committedSlopes()
	for e := range s.Strain {
		y := newLinearStrain(&s.Strain[e], &slopes[e])
		elastic += s.elements[e].elasticEnergy(&y)
	}
	return kinetic, elastic + s.branchEnergy(slopes) + s.jenkinsEnergy()
}
