package contact

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// dense is a symmetric positive definite matrix.
type dense struct {
	n      int
	values []float64
}

func randomDense(random *rand.Rand, nodes int) *dense {
	d := &dense{n: 6 * nodes, values: make([]float64, 36*nodes*nodes)}
	const arm = 0.01 // m
	for range 2 * d.n {
		v := make([]float64, d.n)
		for i := range v {
			if v[i] = random.NormFloat64(); i%6 >= 3 {
				v[i] *= arm
			}
		}
		for i := range v {
			for j := range v {
				d.values[i*d.n+j] += 10 * v[i] * v[j]
			}
		}
	}
	return d
}

// SolveFrom replaces x by the solution of d x. It fails if x is not 0 before block row first.
func (d *dense) SolveFrom(first int, x []spatial.Vec6) bool {
	for i := range first {
		if x[i] != (spatial.Vec6{}) {
			return false
		}
	}
	b, m := make([]float64, 0, d.n), append([]float64(nil), d.values...)
	for i := range x {
		b = append(b, x[i][:]...)
	}
	ok := integrate.SolveDense(m, b)
	for i := range b {
		x[i/6][i%6] = b[i]
	}
	return ok
}

// times returns the product of d and x.
func (d *dense) times(x []spatial.Vec6) []spatial.Vec6 {
	y := make([]spatial.Vec6, len(x))
	for i := range d.n {
		for j := range d.n {
			y[i/6][i%6] += d.values[i*d.n+j] * x[j/6][j%6]
		}
	}
	return y
}

// rodAboveFloor is a straight rod along z beside a floor, with the given gap between their
// surfaces.
func rodAboveFloor(t *testing.T, elements int, gap float64) (*strain.State, *Contacts) {
	t.Helper()
	floor, err := shape.NewPlane(spatial.Vec{X: -testRadius - gap}, spatial.Vec{X: 1})
	if err != nil {
		t.Fatal(err)
	}
	return straightBeside(t, elements, floor)
}

// straightBeside is a straight rod along z beside a wall.
func straightBeside(t *testing.T, elements int, wall shape.Shape) (*strain.State, *Contacts) {
	t.Helper()
	r, err := rod.New(rod.Params{
		Length: 0.01 * float64(elements), Elements: elements, Order: 2, Section: rod.Circle(testRadius), Base: spatial.IdentityPose(),
		Material: rod.Material{YoungsModulus: 1e8, ShearModulus: 3e7, Density: 1000, ShearCorrection: 0.9},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := strain.New(r, strain.Options{})
	s.SetAtRest()
	c := New(r, Options{Walls: []Wall{{"wall", wall, 0}}, Radius: func(float64) float64 { return testRadius }})
	c.Reset(s)
	c.Begin(1e-3)
	c.UpdateKinematics(s)
	return s, c
}

// correctIncrement replaces x, which solves the linearised equations with the matrix k, by the solution
// with the nonlinear forces of the active contacts: with b the gradients of their gaps, A = k⁻¹ b and
// G = bᵀ A, the residual forces e minimise ½ eᵀ G e plus the contact energy beyond its linearisation.
func correctIncrement(t *testing.T, c *Contacts, s *strain.State, x []spatial.Vec6, k *dense) {
	t.Helper()
	c.BeginCorrection(s, x)
	var responses [][]spatial.Vec6
	var free, force, change []float64
	for {
		active := c.SelectActive(s, x)
		n, known := len(active), len(responses)
		if n == known {
			return
		}
		for i := known; i < n; i++ {
			column := make([]spatial.Vec6, len(x))
			if !k.SolveFrom(active[i].AddUnitWrench(column), column) {
				t.Fatal("the matrix is singular, or a unit force begins before its first node")
			}
			free = append(free, active[i].GapChange(x))
			for j := range known {
				free[i] -= active[i].GapChange(responses[j]) * force[j]
			}
			responses = append(responses, column)
		}
		g := make([][]float64, n)
		for i := range g {
			for j := range n {
				g[i] = append(g[i], active[i].GapChange(responses[j]))
			}
		}
		times := func(f []float64) []float64 { // y₀ + G f
			y := slices.Clone(free)
			for i := range y {
				for j := range f {
					y[i] += g[i][j] * f[j]
				}
			}
			return y
		}
		energy := func(y, f []float64) (sum float64) {
			for i := range active {
				stored, taken := active[i].Energy(y[i])
				sum += 0.5*f[i]*(y[i]-free[i]) + stored + taken
			}
			return sum
		}
		force = append(force, make([]float64, n-known)...)
		change = times(force)
		for iteration := 0; ; iteration++ {
			if iteration == 40 {
				t.Fatal("the correction does not converge")
			}
			residual, matrix := make([]float64, n), make([]float64, n*n)
			for i := range active {
				residual[i] = active[i].ResidualForce(change[i])
			}
			step := times(residual)
			largest := 0.0
			for i := range active {
				step[i] -= change[i]
				for j := range active {
					matrix[i*n+j] = -g[i][j] * active[j].ResidualStiffness(change[j])
				}
				matrix[i*n+i]++
			}
			if !integrate.SolveDense(matrix, step) {
				t.Fatal("the reduced system is singular")
			}
			for i := range active {
				residual[i] += active[i].ResidualStiffness(change[i])*step[i] - force[i]
				largest = max(largest, math.Abs(step[i])/active[i].GapScale())
			}
			before := energy(change, force)
			for share := 1.0; ; share /= 2 {
				y, f := slices.Clone(change), slices.Clone(force)
				for i := range active {
					y[i] += share * step[i]
					f[i] += share * residual[i]
				}
				if largest < 1e-6 || share < 1e-9 || energy(y, f) <= before {
					change, force = y, f
					break
				}
			}
			if largest < 1e-6 {
				break
			}
		}
		for i := range active {
			f := active[i].ResidualForce(change[i])
			added := f - active[i].CorrectionForce()
			active[i].SetCorrectionForce(f)
			force[i] = f
			for node := range x {
				for j := range 6 {
					x[node][j] += added * responses[i][node][j]
				}
			}
		}
	}
}

// TestCorrectedIncrementsFulfilTheLaw presses rods into a floor with random forces and matrices,
// from a distance and from contact. The corrected increment x has to solve K x = r + Σ b e, with e
// the residual force of each active contact at x, and no other contact may have a linearisation
// error.
func TestCorrectedIncrementsFulfilTheLaw(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	corrected, deepest := 0, 0.0
	for trial := range 200 {
		gap := []float64{5e-4, 2e-5, -2e-6}[trial%3]
		s, c := rodAboveFloor(t, 6, gap)
		q := equationsOf(6)
		c.Assemble(s, q) // the slopes of what touches already
		k := randomDense(random, 6)
		for i := range c.wallContacts { // the tangent has its derivative along x
			k.values[6*i*k.n+6*i] += c.wallContacts[i].tangentStiffness
		}
		right := make([]spatial.Vec6, 6)
		for i := range right {
			right[i] = spatial.Vec6Of(spatial.Vec{X: -0.3 * random.Float64(), Y: 0.1 * random.NormFloat64()}, randomVec(random, 1e-4))
		}
		x := make([]spatial.Vec6, 6)
		copy(x, right)
		if !k.SolveFrom(0, x) {
			t.Fatal("the matrix is singular")
		}
		for i := range c.Points {
			if change := c.wallContacts[i].normal.Dot(pointDisplacement(s, c.Points[i].Element, c.Points[i].from, c.Points[i].to, x)); change < -gap {
				deepest = max(deepest, -gap-change)
			}
		}
		correctIncrement(t, c, s, x, k)
		corrected += len(c.active)
		left := k.times(x)
		largest, forces := 0.0, make([]spatial.Vec6, 6)
		for i := range c.Points {
			point, p := &c.Points[i], &c.wallContacts[i]
			change := p.normal.Dot(pointDisplacement(s, point.Element, p.from, p.to, x))
			before, _ := p.ForceAt(&point.NormalLaw, p.gap)
			then, _ := p.ForceAt(&point.NormalLaw, p.gap+change)
			largest = max(largest, then)
			e := then - before + p.tangentStiffness*change
			push := s.Pose[point.Element+1].R.ApplyT(p.normal.Scale(e)) // all are at nodes
			forces[point.Element] = spatial.Vec6Of(push, spatial.Vec{})
		}
		for i := range left {
			for j := range 6 {
				if off := left[i][j] - right[i][j] - forces[i][j]; math.Abs(off) > 2e-3*largest+1e-8 {
					t.Errorf("trial %d: node %d, axis %d is %.3g N or N m out of balance, with forces up to %.3g N", trial, i+1, j, off, largest)
				}
			}
		}
		if c.HasLinearisationError(s, x) {
			t.Errorf("trial %d: a force has a linearisation error", trial)
		}
	}
	if corrected < 300 || deepest < testRadius {
		t.Errorf("%d contacts were corrected, up to %.3g m deep by the tangent: too few to prove anything", corrected, deepest)
	}
}

// TestCorrectionSelectsTheLargestErrors checks that, with more contacts in error than a correction
// has room for, those with the largest errors are in it.
func TestCorrectionSelectsTheLargestErrors(t *testing.T) {
	const elements = 40
	s, c := rodAboveFloor(t, elements, 5e-7)
	x := make([]spatial.Vec6, elements)
	for i := range x { // deeper toward the tip
		x[i] = spatial.Vec6Of(spatial.Vec{X: -1e-9 * float64(i+600)}, spatial.Vec{})
	}
	if allowed := c.updateLinearisationErrors(s, x); math.Abs(c.wallContacts[0].linearisationError) <= allowed {
		t.Fatalf("the error at the base is %.3g N, allowed %.3g N: none has a linearisation error", c.wallContacts[0].linearisationError, allowed)
	}
	c.discardCorrection()
	c.selectAll(0)
	if n := len(c.active); n != maxActiveContacts {
		t.Fatalf("%d active contacts, want %d", n, maxActiveContacts)
	}
	active := map[int]bool{}
	for _, m := range c.active {
		active[m.point] = true
	}
	c.updateLinearisationErrors(s, x)
	least, most := math.Inf(1), 0.0
	for k := range c.wallContacts {
		if m := math.Abs(c.wallContacts[k].linearisationError); active[k] {
			least = min(least, m)
		} else {
			most = max(most, m)
		}
	}
	if len(active) != maxActiveContacts || most > least || most == 0 {
		t.Errorf("%d contact points are active, with errors of %.3g N and more, others by up to %.3g N", len(active), least, most)
	}
}

// TestUnitForceWrenchesBeginAtFirst checks that the wrenches of a unit force are 0 before the block
// row where the solution starts. Beside a ball, rods touch between nodes.
func TestUnitForceWrenchesBeginAtFirst(t *testing.T) {
	const elements, radius = 8, 0.02
	ball, err := shape.NewSphere(spatial.Vec{X: -radius - testRadius, Z: 0.043}, radius)
	if err != nil {
		t.Fatal(err)
	}
	s, c := straightBeside(t, elements, ball)
	c.BeginCorrection(s, make([]spatial.Vec6, elements))
	between := 0
	for k := range c.wallContacts {
		column := make([]spatial.Vec6, elements)
		m := ActiveContact{NormalContact: &c.wallContacts[k].NormalContact, contacts: c, point: k}
		first := m.AddUnitWrench(column)
		for i, x := range column[:first] {
			if x != (spatial.Vec6{}) {
				t.Errorf("contact point %d: %v on node %d, before that from which it is solved for, %d", k, x, i+1, first+1)
			}
		}
		if e := c.Points[k].Element; e > 0 && column[e-1] != (spatial.Vec6{}) {
			between++
		}
	}
	if between < 3 {
		t.Errorf("%d contact points push on two nodes: too few to prove anything", between)
	}
}
