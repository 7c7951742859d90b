package rodmagnets_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/magnetics/rodmagnets"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// threeMagnets are on the nodes 0, 1, 2 and 4 of a chain at random poses; the dipoles on 1 and 4
// belong to one magnet.
func threeMagnets() (*rodmagnets.Magnets, []spatial.Pose) {
	random := rand.New(rand.NewPCG(1, 2))
	vec := func(s float64) spatial.Vec {
		return spatial.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()}.Scale(s)
	}
	pose := make([]spatial.Pose, 5)
	for i := range pose {
		pose[i] = spatial.Pose{R: spatial.ExpRot(vec(1)), P: vec(0.003).Add(spatial.Vec{Z: 0.01 * float64(i)})}
	}
	var dipoles []rodmagnets.RodDipole
	moments := make([]spatial.Vec, 5)
	for _, l := range []rodmagnets.RodDipole{
		{Magnet: 0, Name: "a", Node: 2, Moment: vec(0.01), Radius: 1e-3}, {Magnet: 1, Name: "b", Node: 4, Moment: vec(0.01), Radius: 1e-3},
		{Magnet: 1, Name: "b", Node: 1, Moment: vec(0.02), Radius: 1e-3}, {Magnet: 2, Name: "c", Node: 0, Moment: vec(0.02), Radius: 2e-3},
	} {
		dipoles = append(dipoles, l)
		moments[l.Node] = l.Moment
	}
	m := rodmagnets.New(moments, nil, reference.Instant{})
	m.CoupleDipoles(dipoles)
	return m, pose
}

// equations returns those of a chain; blocks couple the pairs of dipoles.
func equations(m *rodmagnets.Magnets) (q *strain.Equations, blocks []*spatial.Mat6) {
	q = &strain.Equations{Wrench: make([]spatial.Wrench, 5), Skew: make([]spatial.Wrench, 5), Diag: make([]*spatial.Mat6, 5), Next: make([]*spatial.Mat6, 5)}
	for i := range q.Diag {
		q.Diag[i] = new(spatial.Mat6)
	}
	for _, c := range m.Couplings() {
		if c[0] == 0 {
			blocks = append(blocks, nil)
			continue
		}
		blocks = append(blocks, new(spatial.Mat6))
	}
	return q, blocks
}

// The interaction of the magnets is the gradient of its potential, and the tangent is the
// derivative of the wrenches, between nodes too.
func TestMutualForcesAreDerivatives(t *testing.T) {
	m, pose := threeMagnets()
	if c := m.Couplings(); len(c) != 5 {
		t.Fatalf("couples %v, want five pairs of the magnets, none within one", c)
	}
	q, blocks := equations(m)
	m.Assemble(&strain.LoadPlacement{Nodes: pose}, q, blocks)
	copy(q.Skew, q.Wrench)
	force, stiff := 0.0, 0.0
	for i := range q.Wrench {
		force = max(force, q.Wrench[i].Force.Norm())
		stiff = max(stiff, math.Abs(q.Diag[i][0]), math.Abs(q.Diag[i][7]), math.Abs(q.Diag[i][14]))
	}
	const arm = 0.01
	unit := [6]float64{1, 1, 1, arm, arm, arm}
	for node := 1; node < 5; node++ {
		for j := range 6 {
			h := 1e-7 * arm / unit[j]
			p1, w1 := nudged(m, pose, node, j, h)
			p0, w0 := nudged(m, pose, node, j, -h)
			if got, want := component(&q.Wrench[node], j), (p0-p1)/(2*h); math.Abs(got-want) > 1e-5*force*unit[j] {
				t.Errorf("component %d at node %d is %g, minus the slope of the potential %g", j, node, got, want)
			}
			for other := 1; other < 5; other++ {
				for i := range 6 {
					want := (component(&w0[other], i) - component(&w1[other], i)) / (2 * h)
					if got := tangent(m, q, blocks, other, node, i, j); math.Abs(got-want) > 1e-5*stiff*unit[i]*unit[j] {
						t.Errorf("K %d,%d of nodes %d and %d is %g, differences give %g", i, j, other, node, got, want)
					}
				}
			}
		}
	}
}

// nudged returns potential and wrenches with component j of a node moved by h.
func nudged(m *rodmagnets.Magnets, pose []spatial.Pose, node, j int, h float64) (float64, []spatial.Wrench) {
	var d spatial.Vec6
	d[j] = h
	moved := append([]spatial.Pose(nil), pose...)
	g := &moved[node]
	g.P = g.P.Add(g.R.Apply(d.Linear()))
	g.R = g.R.Mul(spatial.ExpRot(d.Angular()))
	q, _ := equations(m)
	m.Assemble(&strain.LoadPlacement{Nodes: moved}, q, nil)
	return m.Potential(&strain.LoadPlacement{Nodes: moved}), q.Wrench
}

func component(w *spatial.Wrench, i int) float64 {
	v := spatial.Vec6Of(w.Force, w.Moment)
	return v[i]
}

// tangent returns −∂(component i at node a)/∂(component j of node b).
func tangent(m *rodmagnets.Magnets, q *strain.Equations, blocks []*spatial.Mat6, a, b, i, j int) float64 {
	if a == b {
		k := *q.Diag[a]
		k.Mirror()
		skew := q.SkewPart(a)
		return k[6*i+j] + skew[6*i+j]
	}
	sum := 0.0
	for n, c := range m.Couplings() {
		switch {
		case c == [2]int{a, b}:
			sum += blocks[n][6*i+j]
		case c == [2]int{b, a}:
			sum += blocks[n][6*j+i]
		}
	}
	return sum
}

// Forces and torques of all magnets on one another sum to zero, about any point.
func TestMutualForcesBalance(t *testing.T) {
	m, pose := threeMagnets()
	q, _ := equations(m)
	m.Assemble(&strain.LoadPlacement{Nodes: pose}, q, nil)
	q.Wrench[0] = m.BaseWrench(&strain.LoadPlacement{Nodes: pose})
	about := spatial.Vec{X: 0.02, Y: -0.01, Z: 0.03}
	var force, torque spatial.Vec
	largest := 0.0
	for i, w := range q.Wrench {
		f := pose[i].R.Apply(w.Force)
		force = force.Add(f)
		torque = torque.Add(pose[i].P.Sub(about).Cross(f)).Add(pose[i].R.Apply(w.Moment))
		largest = max(largest, f.Norm())
	}
	if force.Norm() > 1e-15*largest || torque.Norm() > 1e-15*0.04*largest || largest < 1e-4 {
		t.Errorf("forces of up to %g N add up to %g N, torques to %g N m", largest, force.Norm(), torque.Norm())
	}
}

// MinDistance returns the pair with the smallest ratio.
func TestMinDistance(t *testing.T) {
	m, pose := threeMagnets()
	pose[2].P = pose[4].P.Add(spatial.Vec{X: 0.0015})
	if n := m.MinDistance(&strain.LoadPlacement{Nodes: pose}); n.A.Name != "a" || n.B.Name != "b" || math.Abs(n.Distance-0.0015) > 1e-15 || n.Contact != 2e-3 {
		t.Errorf("nearest are %+v", n)
	}
	for i := range pose {
		pose[i].P.X = math.NaN()
	}
	if n := m.MinDistance(&strain.LoadPlacement{Nodes: pose}); n.Distance < n.Contact {
		t.Errorf("places that are no numbers are near: %+v", n)
	}
	m.CoupleDipoles(nil)
	if n := m.MinDistance(&strain.LoadPlacement{Nodes: pose}); n.Contact != 0 {
		t.Errorf("without pairs: %+v", n)
	}
}
