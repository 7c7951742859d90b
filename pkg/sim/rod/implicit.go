package rod

import "sinew/pkg/sim/spatial"

// ImplicitOptions of an Implicit rod.
type ImplicitOptions struct {
	// KelvinVoigt is the time constant of internal damping, s: stress = stiffness
	// (strain + KelvinVoigt d(strain)/dt).
	KelvinVoigt float64
	// Drag is the rate of a drag on nodes in proportion to their mass, 1/s.
	Drag float64
	// Quadratic is the coefficient c of a drag −c |v| v per length, kg/m².
	Quadratic float64
	Gravity   spatial.Vec // world axes, m/s²
	// Attached are rigid bodies on the rod, whose inertia the rod carries.
	Attached []Attached
}

// Implicit is the state of an implicitly stepped rod, with its scratch: elements
// of constant strain between nodes with poses, as in the geometrically exact rod
// of Sonneville, Cardona and Brüls, "Geometrically exact beam finite element
// formulated on the special Euclidean group SE(3)", CMAME 268 (2014) 451, but
// with the strains as coordinates, so that rotations cannot drift and a moving
// base is a prescribed pose. Mass is lumped at the nodes. The material law is
// Linear.
//
// Between Begin or BeginStatic and Accept, the strains are those of an iterate.
type Implicit struct {
	rod     *Rod
	opt     ImplicitOptions
	element element
	mass    []float64     // per node, kg
	inertia []spatial.Vec // per node, body axes, kg m²
	stretch []float64     // tributary length of a node, m

	// Strain is l ε of every element and Base the pose of node 0: the
	// configuration. Pose follows from it by Recurse.
	Strain []spatial.Twist
	Base   spatial.Pose
	Pose   []spatial.Pose
	// Target is where the base will be at the end of the next step.
	Target spatial.Pose

	history
	step

	// gravity multiplies the weight: 1 but while a search for equilibrium loads
	// the rod step by step.
	gravity float64

	// Loads acts during a step on every node.
	Loads []NodeLoad
}

// NodeLoad is an external load on a node.
type NodeLoad struct {
	Force, Moment spatial.Vec    // dead: world axes, N and N m
	Follower      spatial.Wrench // body axes
}

// history is what a step needs of the levels before, besides the configuration.
type history struct {
	lastStrain         []spatial.Twist
	lastPos            []spatial.Vec // p_{n−1}
	vel, lastVel       []spatial.Vec // world axes, m/s
	lastTurn           []spatial.Vec // body rotation vector of the last step
	omega, lastOmega   []spatial.Vec // body axes, rad/s
	startPos           []spatial.Vec // p_n, while an iteration moves Pose
	startRot           []spatial.Mat3
	startBase          spatial.Pose
	startStrain, saved []spatial.Twist

	// Of the last step, for what the base feels: the rate of the first strain, 1/s,
	// and what accelerated node 0, force in world axes and moment in body axes.
	rate    spatial.Twist
	carried spatial.Wrench
}

// step is what is constant during a step; Beta = Gamma = 0 in statics.
type step struct {
	Beta, Gamma float64
	hat, tilde  []spatial.Vec   // p̂, p̃
	turnHat     []spatial.Vec   // D̂
	turnTilde   []spatial.Vec   // D̃
	gyro        []spatial.Vec   // ω* × J ω*
	strainHat   []spatial.Twist // x̂
	turn        []spatial.Vec   // D of the iterate
	even        []spatial.Even  // of the assembled iterate
	moment      []spatial.Vec   // loads without potential, at the start, body axes
	push        []spatial.Vec   // the same, forces, world axes
	frozen      bool            // turn counts, from the last Freeze
}

// NewImplicit returns the rod r stress-free and at rest.
func NewImplicit(r *Rod, o ImplicitOptions) *Implicit {
	n := r.Elements
	vecs := func() []spatial.Vec { return make([]spatial.Vec, n+1) }
	twists := func() []spatial.Twist { return make([]spatial.Twist, n) }
	s := &Implicit{
		rod: r, opt: o, gravity: 1, element: newElement(r, o.KelvinVoigt),
		mass: make([]float64, n+1), inertia: vecs(), stretch: make([]float64, n+1),
		Strain: twists(), Pose: make([]spatial.Pose, n+1), Loads: make([]NodeLoad, n+1),
		history: history{
			lastStrain: twists(), lastPos: vecs(), vel: vecs(), lastVel: vecs(), lastTurn: vecs(),
			omega: vecs(), lastOmega: vecs(), startPos: vecs(), startRot: make([]spatial.Mat3, n+1),
			startStrain: twists(), saved: twists(),
		},
		step: step{
			hat: vecs(), tilde: vecs(), turnHat: vecs(), turnTilde: vecs(), gyro: vecs(),
			strainHat: twists(), turn: vecs(), even: make([]spatial.Even, n), moment: vecs(), push: vecs(),
		},
	}
	for e := range n {
		for _, i := range []int{e, e + 1} {
			s.stretch[i] += r.ElementLength / 2
			s.mass[i] += r.ElementMass / 2
			s.inertia[i] = s.inertia[i].AddScaled(r.ElementLength/2, r.LineInertia)
		}
	}
	for _, a := range o.Attached {
		s.mass[a.Node] += a.Mass
		s.inertia[a.Node] = s.inertia[a.Node].Add(a.Inertia)
	}
	s.Reset()
	return s
}

// Rod returns the constants.
func (s *Implicit) Rod() *Rod { return s.rod }

// SetGravity multiplies the weight by scale until it is set again.
func (s *Implicit) SetGravity(scale float64) { s.gravity = scale }

// Mass returns the lumped mass of node i, kg.
func (s *Implicit) Mass(i int) float64 { return s.mass[i] }

// Reset makes the rod stress-free and at rest.
func (s *Implicit) Reset() {
	s.Base, s.Target = s.rod.Base, s.rod.Base
	for e := range s.Strain {
		s.Strain[e] = s.element.rest
	}
	s.Rest()
}

// Rest stops the rod where it is.
func (s *Implicit) Rest() {
	s.Recurse()
	copy(s.lastStrain, s.Strain)
	for i := range s.Pose {
		s.lastPos[i] = s.Pose[i].P
	}
	for _, v := range [][]spatial.Vec{s.vel, s.lastVel, s.lastTurn, s.omega, s.lastOmega} {
		clear(v)
	}
	s.rate, s.carried = spatial.Twist{}, spatial.Wrench{}
}

// Recurse computes the poses from the base pose and the strains.
func (s *Implicit) Recurse() {
	g := s.Base
	s.Pose[0] = g
	for e := range s.Strain {
		d := spatial.Exp(s.Strain[e])
		g = spatial.Pose{R: g.R.Mul(d.R), P: g.P.Add(g.R.Apply(d.P))}
		s.Pose[e+1] = g
	}
}

// Twist returns the velocity of node i and its angular velocity, world axes.
func (s *Implicit) Twist(i int) spatial.Twist {
	return spatial.Twist{Linear: s.vel[i], Angular: s.Pose[i].R.Apply(s.omega[i])}
}

// Energy returns the kinetic energy of the nodes and the elastic energy, J.
func (s *Implicit) Energy() (kinetic, elastic float64) {
	for i, m := range s.mass[1:] {
		w := s.omega[i+1]
		kinetic += 0.5 * (m*s.vel[i+1].Norm2() + w.Dot(s.inertia[i+1].Mul(w)))
	}
	for e := range s.Strain {
		elastic += s.element.energy(&s.Strain[e])
	}
	return kinetic, elastic
}
