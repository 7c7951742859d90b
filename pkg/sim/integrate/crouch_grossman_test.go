package integrate

import (
	"math"
	"testing"
)

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

func TestRowSums(t *testing.T) {
	for _, m := range []struct {
		name string
		t    CrouchGrossman
		tol  float64
	}{{"CG4", CG4, 2e-16}, {"CG4Rational", CG4Rational, 2e-6}} {
		for i, row := range m.t.A {
			sum := 0.0
			for _, a := range row {
				sum += a
			}
			if d := math.Abs(sum - m.t.C[i]); d > m.tol {
				t.Errorf("%s row %d: sum %.17g, c %.17g", m.name, i, sum, m.t.C[i])
			}
		}
	}
}
