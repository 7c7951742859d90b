package strain

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Unexported names for the external tests.
var MaxAbs = maxAbs

// magnetic are dipoles at the midpoints of all elements but the third, in the field that is the
// gradient of a polynomial of third degree.
type magnetic []spatial.Vec

func (m magnetic) HasLoad(e int) bool { return e != 2 }

// field returns the field at p and its gradient.
func (m magnetic) field(p spatial.Vec) (b spatial.Vec, g spatial.Mat3) {
	g = spatial.Mat3{XX: 2 + 2*p.X, XY: 1 - 2*p.Y, XZ: -1, YX: 1 - 2*p.Y, YY: -3 - 2*p.X, YZ: 2, ZX: -1, ZY: 2, ZZ: 1}
	linear := spatial.Mat3{XX: 2, XY: 1, XZ: -1, YX: 1, YY: -3, YZ: 2, ZX: -1, ZY: 2, ZZ: 1}
	b = spatial.Vec{X: 0.5, Y: -1, Z: 0.8}.Add(linear.Apply(p)).Add(spatial.Vec{X: p.X*p.X - p.Y*p.Y, Y: -2 * p.X * p.Y})
	return b, g
}

func (m magnetic) IsCoupled() bool { return false }

func (m magnetic) Torque(e int, placed *LoadPlacement) (spatial.Vec, float64) {
	at := &placed.Midpoints[e]
	b, _ := m.field(at.P)
	b = at.R.ApplyT(b)
	return m[e].Cross(b), -m[e].Dot(b)
}

func (m magnetic) Load(e int, placed *LoadPlacement) (l MidpointLoad) {
	at, turn := &placed.Midpoints[e], placed.SlopeRotations[e]
	b, g := m.field(at.P)
	b, g = at.R.ApplyT(b), at.R.TMul(g.Mul(at.R))
	a := m[e].Add(turn.Cross(m[e]))
	w := at.R.Apply(a)
	slope := at.R.TMul(spatial.Mat3{XX: 2 * w.X, XY: -2 * w.Y, YX: -2 * w.Y, YY: -2 * w.X}.Mul(at.R))
	l.Wrench = spatial.Wrench{Force: g.Apply(a), Moment: a.Cross(b)}
	l.LinLin = lowerOf(&slope)
	l.LinLin = spatial.Lower3{XX: -l.LinLin.XX, YX: -l.LinLin.YX, YY: -l.LinLin.YY, ZX: -l.LinLin.ZX, ZY: -l.LinLin.ZY, ZZ: -l.LinLin.ZZ}
	l.RotLin = spatial.Skew(l.Wrench.Force.Scale(0.5)).Sub(spatial.Skew(a).Mul(g))
	turning := spatial.Diag3(spatial.Vec{X: a.Dot(b), Y: a.Dot(b), Z: a.Dot(b)})
	half, b2 := a.Scale(-0.5), b.Scale(-0.5)
	turning.AddOuter(&half, &b)
	turning.AddOuter(&b2, &a)
	l.RotRot = lowerOf(&turning)
	l.TorqueByDisplacement, l.TorqueByRotation = spatial.Skew(m[e]).Mul(g), spatial.Skew(m[e]).Mul(spatial.Skew(b))
	return l
}

// Magnetised returns options with midpoint loads as large as the other bending loads.
func Magnetised() Options {
	random := rand.New(rand.NewPCG(21, 0))
	moments := make(magnetic, 4)
	for e := range moments {
		moments[e] = some(random, 0.2)
	}
	o := Everything
	o.MidpointLoads = moments
	return o
}

// Total returns force and moment about the origin of wrenches in body axes.
func Total(pose []spatial.Pose, w []spatial.Wrench) (f, m spatial.Vec) {
	for i, g := range pose {
		force := g.R.Apply(w[i].Force)
		f, m = f.Add(force), m.Add(g.P.Cross(force)).Add(g.R.Apply(w[i].Moment))
	}
	return f, m
}

var Gravity = spatial.Vec{X: 1, Y: -3, Z: -9}

// tapered stands for elements of order 4 with several tapered parts.
const tapered = 40

// OfOrders runs a test with elements of every order, and ofUniform without tapered ones.
func OfOrders(t *testing.T, test func(t *testing.T, order int)) {
	OfUniform(t, test)
	t.Run("tapered", func(t *testing.T) { test(t, tapered) })
}

func OfUniform(t *testing.T, test func(t *testing.T, order int)) {
	for _, order := range []int{2, 4} {
		t.Run(fmt.Sprintf("order %d", order), func(t *testing.T) { test(t, order) })
	}
}

// Tributary has the lengths of the rod of soft by node, m: by the trapezoidal and by Gregory's
// rule.
var Tributary = map[int][]float64{
	2: {0.05, 0.1, 0.1, 0.1, 0.05},
	4: {0.0375, 0.7 / 6, 0.55 / 6, 0.7 / 6, 0.0375},
}

// some returns a random vector of magnitude size.
func some(random *rand.Rand, size float64) spatial.Vec {
	return spatial.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()}.Scale(size)
}

func SomeWrench(random *rand.Rand, force, moment float64) spatial.Wrench {
	return spatial.Wrench{Force: some(random, force), Moment: some(random, moment)}
}

// soft is a thick curved rubber rod with elements of 0.1 m, in which elasticity, inertia and loads
// of 1 N have similar magnitudes.
func soft(t *testing.T, order int) *rod.Rod {
	t.Helper()
	p := rod.Params{
		Length: 0.4, Elements: 4, Order: order, Section: rod.Circle(0.02),
		Material:     rod.Material{YoungsModulus: 2e4, ShearModulus: 8e3, Density: 1000, ShearCorrection: rod.CircleShearCorrection},
		Precurvature: spatial.Vec{X: 0.5, Y: -1, Z: 2},
		Base:         spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 0.3, Y: -1, Z: 0.2}), P: spatial.Vec{X: 0.1, Y: 0.2, Z: -0.3}},
	}
	if order == tapered {
		other := p.Material
		other.YoungsModulus, other.Density = 1e4, 2000
		p.Order, p.Nodes = 4, []float64{0.3}
		p.Parts = []rod.Part{
			{Length: 0.3, Taper: &rod.Taper{Outer: [2]float64{0.03, 0.015}}, Material: p.Material, Precurvature: p.Precurvature},
			{Length: 0.1, Taper: &rod.Taper{Outer: [2]float64{0.02, 0.025}, Inner: [2]float64{0.01, 0.015}}, Material: other},
		}
	}
	r, err := rod.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Everything are options with all kinds of loads and drag.
var Everything = Options{
	KelvinVoigt: []float64{0.02, 0.03, 0.01, 0.04}, Drag: []float64{0.3, 0.1, 0.5, 0.2, 0.4},
	Quadratic: []float64{0.1, 0.3, 0.2, 0.15, 0.1}, Gravity: Gravity,
	Attached: []rod.AttachedBody{{Node: 2, Mass: 0.05, Inertia: spatial.Vec{X: 1e-4, Y: 2e-4, Z: 3e-4}}, {Node: 4, Mass: 0.1, Inertia: spatial.Vec{X: 4e-4, Y: 3e-4, Z: 1e-4}}},
}

// Moving returns a rod in motion with loads of every kind.
func Moving(t *testing.T, order int, o Options, seed uint64) (*State, *rand.Rand) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	s := New(soft(t, order), o)
	shake := func() {
		for e := range s.Strain {
			s.Strain[e].Linear = s.Strain[e].Linear.Add(some(random, 0.01))
			s.Strain[e].Angular = s.Strain[e].Angular.Add(some(random, 0.1))
		}
	}
	shake()
	s.SetAtRest()
	shake()
	s.UpdatePoses()
	for i := range s.Pose {
		s.vel[i], s.past.vel[i] = some(random, 0.5), some(random, 0.5)
		s.omega[i], s.past.omega[i] = some(random, 2), some(random, 2)
		s.past.rotation[i] = some(random, 0.02)
		if i < len(s.distributed.rate) {
			s.distributed.rate[i], s.distributed.pastRate[i] = some(random, 2), some(random, 2)
		}
		s.Loads[i] = NodeLoad{Force: some(random, 1), Moment: some(random, 0.1), Follower: SomeWrench(random, 1, 0.1)}
	}
	for k, older := range s.past.older { // levels of their own
		for e := range older {
			x := &older[e]
			x.Linear, x.Angular = x.Linear.Scale(1.01+0.01*float64(k)), x.Angular.Scale(0.9-0.1*float64(k))
		}
	}
	for k := range s.maxwell.now {
		for _, y := range []*linearStrain{&s.maxwell.now[k], &s.maxwell.past[k]} {
			y.mean.Angular, y.slope.Angular = y.mean.Angular.Add(some(random, 0.05)), some(random, 0.05)
			y.mean.Linear, y.slope.Linear = y.mean.Linear.Add(some(random, 0.005)), some(random, 0.005)
		}
	}
	for k := range s.eccentric.bodies {
		s.eccentric.vel[k], s.eccentric.pastVel[k] = some(random, 0.5), some(random, 0.5)
	}
	return s, random
}

// Between returns a rod within a step with a moving base, at an iterate.
func Between(t *testing.T, order int, o Options, seed uint64) *State {
	t.Helper()
	return during(t, order, o, seed, integrate.NewBDF(2, 0.01, 0.008))
}

func during(t *testing.T, order int, o Options, seed uint64, f integrate.BDF) *State {
	t.Helper()
	s, random := Moving(t, order, o, seed)
	s.Target = spatial.Pose{R: s.Base.R.Mul(spatial.ExpRot(some(random, 0.02))), P: s.Base.P.Add(some(random, 0.005))}
	s.Begin(f, 0.7, make([]spatial.Wrench, len(s.Pose)))
	s.MoveNodes(Increments(random, len(s.Strain), 0.02), 1)
	return s
}

// Increments returns random body increments of nodes.
func Increments(random *rand.Rand, n int, size float64) []spatial.Vec6 {
	eta := make([]spatial.Vec6, n)
	for i := range eta {
		eta[i] = spatial.Vec6Of(some(random, 0.1*size), some(random, size))
	}
	return eta
}

// Assembled returns the equations of the nodes.
func Assembled(s *State) *Equations {
	n := len(s.Pose)
	q := &Equations{Wrench: make([]spatial.Wrench, n), Skew: make([]spatial.Wrench, n), Diag: make([]*spatial.Mat6, n), Next: make([]*spatial.Mat6, n)}
	for i := 1; i < n; i++ {
		q.Diag[i], q.Next[i] = new(spatial.Mat6), new(spatial.Mat6)
	}
	s.AssembleElements(q)
	s.AssembleNodes(q)
	return q
}

// resistance returns K η, the decrease of the wrenches with body increments of the nodes.
func (q *Equations) resistance(eta []spatial.Vec6) [][]float64 {
	n := len(eta)
	all := make([][]float64, n)
	for i := range n {
		var row spatial.Vec6
		var block spatial.Mat6
		copy(block[:], complete(*q.Diag[i+1], q.Skew[i+1]))
		add := func(y spatial.Vec6) {
			for k := range row {
				row[k] += y[k]
			}
		}
		add(block.Apply(&eta[i]))
		if i+1 < n {
			add(q.Next[i+1].Apply(&eta[i+1]))
		}
		if i > 0 {
			var y spatial.Vec6
			q.Next[i].SubTMulVec(&y, &eta[i-1])
			for k := range row {
				row[k] -= y[k]
			}
		}
		all[i] = row[:]
	}
	return all
}

// HistoryDependent returns everything plus rotational drag, Maxwell branches and Jenkins elements,
// some of which stick in the states of these tests.
func HistoryDependent() Options {
	o := Everything
	o.RotationalDrag = []float64{0.001, 0.002, 0.0005, 0.003, 0.001}
	o.Branches = [][]Branch{{{Ratio: 0.3, Time: 0.02}, {Ratio: 0.5, Time: 1}}, nil, {{Ratio: 0.2, Time: 0.005}}, {{Ratio: 2, Time: 0.1}}}
	stick, slip := JenkinsElement{Stiffness: 1e-3, Limit: 1}, JenkinsElement{Stiffness: 2e-3, Limit: 1e-4}
	o.JenkinsElements = [][]JenkinsElement{{stick, slip}, {slip}, nil, {slip, {Stiffness: 1e-2, Limit: 2e-4}}}
	return o
}

// EccentricOptions returns everything plus bodies whose centres of mass are not at their nodes.
func EccentricOptions() Options {
	o := Everything
	o.Attached = append(slices.Clone(o.Attached),
		rod.AttachedBody{Node: 1, Mass: 0.2, Offset: spatial.Vec{X: 0.03, Y: -0.05, Z: 0.02}},
		rod.AttachedBody{Node: 4, Mass: 0.3, Inertia: spatial.Vec{X: 2e-4, Y: 1e-4, Z: 3e-4}, Offset: spatial.Vec{X: -0.02, Z: 0.1}})
	return o
}
