package strain

import (
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Options are the choices of one State.
type Options struct {
	// KelvinVoigt is the time constant of internal damping of each element, s: stress =
	// stiffness (strain + KelvinVoigt d(strain)/dt); nil: none.
	KelvinVoigt []float64
	// Branches are those of the material of each element; nil: none.
	Branches [][]Branch
	// Slips are the springs that slip in each element; nil: none.
	JenkinsElements [][]JenkinsElement
	// Drag is the coefficient of a linear drag on each node, N s/m; nil: none.
	Drag []float64
	// RotationalDrag is that of a drag on the rotation of each node, N m s; nil: none.
	RotationalDrag []float64
	// Quadratic is the coefficient c of a drag −c |v| v on each node, kg/m; nil: none.
	Quadratic []float64
	Gravity   spatial.Vec // world axes, m/s²
	// Attached are rigid bodies on the rod, whose inertia the rod carries.
	Attached      []rod.AttachedBody
	MidpointLoads MidpointLoads // nil: there are no loads in the middles of elements
}

// State is a rod in motion, with its scratch. Between Begin or BeginStatic and
// Accept, the strains are those of an iterate.
type State struct {
	rod *rod.Rod
	opt Options
	constants

	// Strain is l ε of every element and Base the pose of node 0: the
	// configuration. Pose follows from it by Recurse.
	Strain []spatial.Twist
	Base   spatial.Pose
	Pose   []spatial.Pose
	// Target is where the base will be at the end of the next step.
	Target    spatial.Pose
	slope     []spatial.Twist // of every element, m and rad; see shape
	vel       []spatial.Vec   // by node, world axes, m/s
	omega     []spatial.Vec   // by node, body axes, rad/s
	past      past
	eccentric eccentricMasses
	clamp     clamp
	maxwell   maxwellState
	jenkins   jenkinsElements

	// Loads acts during a step on every node.
	Loads []NodeLoad
	// weight multiplies gravity: 1 but while a search for equilibrium loads the rod
	// step by step.
	gravityScale float64

	start  start
	step   step
	frozen frozen

	// scratch of an iterate
	stepRotation     []spatial.Vec      // body rotation vector since frozen.rot, by node
	evenParts        []spatial.Even     // by element, at the last assembly
	relativePoses    []spatial.Pose     // by element, exp of the strain at the last Recurse
	condensed        []condensedElement // by element, where the strain is linear along it; see settle
	condensedValid   bool               // settled is that of the present strains and loads
	hasMidpointLoads bool               // some middle is
	placement        LoadPlacement      // of the present strains
	undoStrain       []spatial.Twist    // strains before the last Move
}

// constants follow from rod.Rod and Options.
type constants struct {
	elements   []element     // by element
	mass       []float64     // by node, kg
	drag       []float64     // by node, coefficient of linear drag, N s/m
	quadratic  []float64     // by node, coefficient of quadratic drag, kg/m
	inertia    []spatial.Vec // by node, body axes, kg m²
	minSpacing []float64     // by node, length of the shorter element beside it, m
	maxBending []float64     // by node, stiffness of the stiffer element beside it, N m²
	hasDamping bool          // some element is, or has branches
}

// NodeLoad is an external load on a node.
type NodeLoad struct {
	Force, Moment spatial.Vec    // dead: world axes, N and N m
	Follower      spatial.Wrench // body axes
}

// Levels is of how many levels of time, the present one included, strains are known to Extrapolate.
const HistoryLevels = 7

// past is the level before the present one, as the formulas of two steps need it, and the
// strains of the levels before that, the latest first.
type past struct {
	strain   []spatial.Twist
	older    [HistoryLevels - 2][]spatial.Twist
	slope    []spatial.Twist
	pos      []spatial.Vec
	vel      []spatial.Vec
	omega    []spatial.Vec
	rotation []spatial.Vec // body rotation vector from there to the present level
}

// clamp is what the base feels of the last step.
type clamp struct {
	rate           spatial.Twist    // rate of l times the mean strain of the first element, m/s and rad/s
	slope          [1]spatial.Twist // rate of its slope, m/s and rad/s
	inertialWrench spatial.Wrench   // what moved node 0 against inertia and drag: force in world axes, moment in body axes
}

// start is the configuration at the beginning of a step.
type start struct {
	strain []spatial.Twist
	pos    []spatial.Vec
	base   spatial.Pose
}

// step is the time discretisation of one step; beta = gamma = 0 in statics. The
// acceleration of a node is beta (p − p̃), its velocity gamma (p − p̂), and likewise
// for rotations D and strains x.
type step struct {
	beta, gamma        float64        // 1/s², 1/s
	posHat, posTilde   []spatial.Vec  // p̂, p̃
	turnHat, turnTilde []spatial.Vec  // D̂, D̃
	hat                []linearStrain // x̂, of the mean strains and their slopes; with branches, see Branch
	rate               []float64      // by element, γ c, with branches
	baseHat            linearStrain   // x̂ of the first element without branches
	gyroscopic         []spatial.Vec  // ω* × J ω*, with ω* the extrapolated angular velocity
}

// frozen are the loads without a potential, held as they were; see Freeze.
type frozen struct {
	active bool
	rot    []spatial.Mat3 // rotations of the nodes then
	moment []spatial.Vec  // body axes
	force  []spatial.Vec  // world axes
}

// New makes the rod r stress-free and at rest.
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
		minSpacing: make([]float64, n+1), maxBending: make([]float64, n+1),
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
		if a.Offset == (spatial.Vec{}) {
			c.mass[a.Node] += a.Mass
		}
		c.inertia[a.Node] = c.inertia[a.Node].Add(a.Inertia)
	}
	return c
}

// ScaleWeight multiplies gravity by scale until it is set again.
func (s *State) ScaleGravity(scale float64) { s.gravityScale = scale }

// Mass returns the lumped mass of node i, kg.
func (s *State) NodeMass(i int) float64 { return s.mass[i] }

// Reset makes the rod stress-free and at rest, its base where it was made, and remember nothing.
func (s *State) Reset() {
	s.Base, s.Target = s.rod.Base, s.rod.Base
	s.SetStressFree()
	s.relaxDashpots()
	s.resetJenkins()
}

// Straighten makes the rod stress-free and at rest where its base is.
func (s *State) SetStressFree() {
	for e := range s.Strain {
		s.Strain[e] = s.elements[e].rest
	}
	s.SetAtRest()
	// loads in the middles of elements bend them from the first step on, as all loads do
	clear(s.slope)
	clear(s.past.slope)
}

// StressFree returns l ε of an element without stress.
func (s *State) RestStrain(e int) spatial.Twist { return s.elements[e].rest }

// Settle ends an equilibrium: the rod is at rest where it is, the dashpots have followed and the
// springs have slipped.
func (s *State) CommitEquilibrium() {
	s.past.older[0], s.past.strain = s.past.strain, s.past.older[0]
	s.stopMotion()
	s.relaxDashpots()
	s.commitJenkins()
}

// GoOn moves the rod, which Settle has set at rest in an equilibrium, as far again as from the rest before.
func (s *State) ExtrapolateEquilibrium() {
	for e := range s.Strain {
		x, older := &s.Strain[e], &s.past.older[0][e]
		x.Linear = x.Linear.Add(x.Linear.Sub(older.Linear))
		x.Angular = x.Angular.Add(x.Angular.Sub(older.Angular))
	}
	s.UpdateKinematics()
}

// Rest stops the rod where it is.
func (s *State) SetAtRest() {
	s.stopMotion()
	copy(s.past.older[0], s.Strain)
}

// rest is Rest but for what GoOn is told.
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
	copy(s.maxwell.past, s.maxwell.now)
	s.clamp = clamp{}
}

// Recurse computes the poses from the base pose and the strains.
func (s *State) UpdatePoses() {
	g := s.Base
	s.Pose[0] = g
	s.condensedValid = false
	for e := range s.Strain {
		d := &s.relativePoses[e]
		*d = spatial.Exp(s.Strain[e])
		g = spatial.Pose{R: g.R.Mul(d.R), P: g.P.Add(g.R.Apply(d.P))}
		s.Pose[e+1] = g
	}
}

// Twist returns the velocity of node i and its angular velocity, world axes.
func (s *State) NodeTwist(i int) spatial.Twist {
	return spatial.Twist{Linear: s.vel[i], Angular: s.Pose[i].R.Apply(s.omega[i])}
}

// Energy returns the kinetic energy of the nodes and the elastic energy, that of branches and of
// springs that slip included, J.
func (s *State) Energy() (kinetic, elastic float64) {
	for i, m := range s.mass[1:] {
		w := s.omega[i+1]
		kinetic += 0.5 * (m*s.vel[i+1].Norm2() + w.Dot(s.inertia[i+1].Mul(w)))
	}
	kinetic += s.eccentricEnergy()
	slopes := s.committedSlopes()
	for e := range s.Strain {
		y := newLinearStrain(&s.Strain[e], &slopes[e])
		elastic += s.elements[e].elasticEnergy(&y)
	}
	return kinetic, elastic + s.branchEnergy(slopes) + s.jenkinsEnergy()
}
