package integrate

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/spatial"
)

// Tests of what has no exported name.

// tree is an ordered rooted tree of the order theory of Crouch-Grossman methods (Owren and
// Marthinsen 1999): the children of a node, in order.
type tree []tree

// orderedTrees returns all ordered rooted trees of n nodes.
func orderedTrees(n int) []tree {
	if n == 1 {
		return []tree{nil}
	}
	var all []tree
	for first := 1; first < n; first++ { // nodes of the first child
		for _, child := range orderedTrees(first) {
			for _, rest := range orderedTrees(n - first) {
				all = append(all, append(tree{child}, rest...))
			}
		}
	}
	return all
}

func (t tree) nodes() int {
	n := 1
	for _, c := range t {
		n += c.nodes()
	}
	return n
}

// exact returns the weight of t in the exact flow: the time-ordered integral over 0 < s_1 < … < s_k
// < 1 of the weights of the children.
func (t tree) exact() float64 {
	w, n := 1.0, 0
	for _, c := range t {
		n += c.nodes()
		w *= c.exact() / float64(n)
	}
	return w
}

// weight returns that of t in a product of exponentials with the coefficients row.
func (m *CrouchGrossman) weight(row []float64, t tree) float64 {
	// over j_1 ≤ … ≤ j_k, with 1/(run length)! for runs of equal j
	var sum func(k, from int) float64
	sum = func(k, from int) float64 {
		if k == len(t) {
			return 1
		}
		total := 0.0
		for j := from; j < len(row); j++ {
			run := 1.0
			for n := 1; k+n <= len(t); n++ {
				run *= row[j] * m.weight(m.A[j][:j], t[k+n-1]) / float64(n)
				total += run * sum(k+n, j+1)
			}
		}
		return total
	}
	return sum(0, 0)
}

// residual returns the largest violation of the order conditions of trees of n nodes besides the
// root.
func (m *CrouchGrossman) residual(n int) float64 {
	worst := 0.0
	for _, t := range orderedTrees(n + 1) {
		worst = math.Max(worst, math.Abs(m.weight(m.B[:], t)-t.exact()))
	}
	return worst
}

// All 22 conditions hold to round-off; the rational coefficients miss those of
// orders 1 to 4 by 6.5e-7, 6.5e-7, 4.1e-7 and 3.9e-7 (exact rational arithmetic),
// and the classical tableau of Runge and Kutta is of order 2 only here: its
// residual at order 3 is 0.0139 (1/72).
func TestOrderConditions(t *testing.T) {
	count := 0
	for n := 0; n <= 4; n++ {
		count += len(orderedTrees(n + 1))
		if r := CG4.residual(n); r > 4e-16 {
			t.Errorf("CG4 misses a condition of order %d by %.2g", n, r)
		}
	}
	if count-1 != 22 {
		t.Errorf("%d conditions, want 22", count-1)
	}
	if r := CG4.residual(5); r < 1e-3 {
		t.Errorf("CG4 would be of order 5 (residual %.2g): the conditions test nothing", r)
	}
	for i, want := range []float64{6.5e-7, 6.5e-7, 4.1e-7, 3.9e-7} {
		if r := CG4Rational.residual(i + 1); math.Abs(r-want) > 0.1e-7 {
			t.Errorf("CG4Rational misses order %d by %.3g, want %.2g", i+1, r, want)
		}
	}
	classical := CrouchGrossman{
		A: [5][5]float64{1: {0.5}, 2: {0, 0.5}, 3: {0, 0, 1}},
		B: [5]float64{1. / 6, 1. / 3, 1. / 3, 1. / 6, 0},
	}
	if r := classical.residual(3); math.Abs(r-1./72) > 1e-12 {
		t.Errorf("classical tableau misses order 3 by %.6g, want 1/72", r)
	}
}

// screws are motions of all magnitudes, with independent directions.
func screws() (all []spatial.Twist) {
	u, v := spatial.Vec{X: 0.6, Y: -0.64, Z: 0.48}, spatial.Vec{X: -0.3, Y: 1.1, Z: 0.7}
	for _, a := range []float64{0, 1e-200, 1e-9, 0.01, 0.1, 0.1414, 0.1415, 0.3, 1, 3} {
		all = append(all, spatial.Twist{Linear: v, Angular: u.Scale(a)})
	}
	return all
}

// screwMotion equals the exponential map of package spatial.
func TestScrewMotion(t *testing.T) {
	x := Placement{Q: spatial.ExpQuat(spatial.Vec{X: 0.3, Y: 0.1, Z: -0.2}), P: spatial.Vec{X: 1, Y: 2, Z: 3}}
	for _, xi := range screws() {
		want := spatial.Pose{R: x.Q.Rot(), P: x.P}.Mul(spatial.Exp(xi))
		got := x.screwMotion(xi.Linear, xi.Angular)
		if d := Distance(got, Placement{Q: want.R.Quat(), P: want.P}); !(d <= 2e-15) {
			t.Errorf("%v: off by %.2g", xi, d)
		}
	}
}

// A constant body twist is a screw motion, exact in one step of any length.
type steady struct{}

func (steady) Acceleration(float64, Motion) (a spatial.Twist) { return a }

func TestConstantTwistIsExact(t *testing.T) {
	for _, h := range []float64{1e-3, 0.2, 1.3} {
		x := Motion{Placement: Placement{Q: spatial.ExpQuat(spatial.Vec{X: 0.3, Y: 0.1, Z: -0.2})}, V: screws()[7]}
		want := x.screwMotion(x.V.Linear.Scale(h), x.V.Angular.Scale(h))
		for name, s := range map[string]Stepper{
			"CG4": NewCG4(&CG4, steady{}), "LieEuler": NewLieEuler(steady{}),
		} {
			got := x
			if _, err := s.Step(0, h, &got); err != nil {
				t.Fatal(err)
			}
			if d := Distance(got.Placement, want); d > 3e-15 || got.V != x.V {
				t.Errorf("%s, h = %g: off by %.2g", name, h, d)
			}
		}
	}
}

// The initial accelerations are those of the equations of motion, zero, or those with the drag at
// the end of the step.
func TestStartOfNewmark(t *testing.T) {
	// at rest but for a velocity along x: ẍ = −drag v/m
	const h, v = 0.1, 0.5
	for _, c := range []struct {
		start Start
		want  float64 // m/s²
	}{{ConsistentStart, -BobDrag * v / BobMass}, {ZeroStart, 0}, {DampedStart, -BobDrag * v / (BobMass + h*BobDrag)}} {
		s := Alpha(t, 0.8)
		s.Start = c.start
		if err := s.begin(0, h, Swinging(0, v)); err != nil {
			t.Fatal(err)
		}
		if p := s.Point(); !(math.Abs(p.A[0]-c.want) < 1e-12) {
			t.Errorf("start %d: %g m/s², want %g", c.start, p.A[0], c.want)
		}
	}
	s := Alpha(t, 0.8)
	if err := s.Begin(0, Swinging(0, v)); err != nil {
		t.Fatal(err)
	}
	if p, want := s.Point(), BobMass*(v*v+BobG)/2; !(math.Abs(p.Lambda[0]-want) < 1e-12) || !(math.Abs(p.A[1]-v*v) < 1e-12) {
		t.Errorf("the rod pulls with %g, upward acceleration %g; want %g and %g", p.Lambda[0], p.A[1], want, v*v)
	}
}

func BenchmarkSkyline(b *testing.B) {
	s, _ := NewSkyline(20, [][2]int{{1, 3}, {3, 5}, {5, 7}, {7, 9}, {9, 11}, {11, 13}, {13, 15}, {15, 17}, {17, 19}})
	Fill(s, rand.New(rand.NewPCG(1, 1)), 1)
	diag, blocks := append([]spatial.Mat6(nil), s.diag...), append([]spatial.Mat6(nil), s.blocks...)
	x := make([]spatial.Vec6, 20)
	for b.Loop() {
		copy(s.diag, diag)
		copy(s.blocks, blocks)
		s.Factor()
		s.Solve(x)
	}
}
