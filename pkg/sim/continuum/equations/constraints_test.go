package equations_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
)

// problem is a complementarity problem of n tendons: the lengths that they are too long
// by, how the tensions shorten them, and the bounds of these.
type problem struct {
	n                               int
	g, excess, tension, least, most []float64
	compliance                      []float64
}

// randomProblem draws one of the given rank: below n some tendons say the same as others.
func randomProblem(r *rand.Rand, n, rank int, definite bool) problem {
	p := problem{n: n, g: make([]float64, n*n)}
	for k := range rank {
		sign := 1.0
		if !definite && k == 0 {
			sign = -1
		}
		a, b := make([]float64, n), 0.0
		for i := range a {
			a[i] = r.NormFloat64()
		}
		for i := range n {
			for j := range n {
				b = sign * a[i] * a[j]
				p.g[i*n+j] += b
			}
		}
	}
	for range n {
		p.excess = append(p.excess, r.NormFloat64())
		least, most := -3*r.Float64()*float64(r.IntN(2)), 0.1+3*r.Float64()
		p.least, p.most = append(p.least, least), append(p.most, most)
		p.tension = append(p.tension, least+(most-least)*[]float64{0, r.Float64(), 1}[r.IntN(3)])
		p.compliance = append(p.compliance, []float64{0, 0, 1e-3, 1}[r.IntN(4)])
	}
	return p
}

// constraints enters the problem as that of an iterate.
func (p *problem) constraints() *equations.Constraints {
	c := equations.NewComplementarity(p.n)
	for i := range p.n {
		r := c.Next(i)
		r.Gap, r.Multiplier, r.Min, r.Max, r.Compliance = p.excess[i], p.tension[i], p.least[i], p.most[i], p.compliance[i]
	}
	for i, m := range p.g {
		c.AddCompliance(i/p.n, i%p.n, m)
	}
	return c
}

// violation is by how much changes of the tensions fall short of a solution: of the
// bounds, and of the constraints that hold between and at them.
func (p *problem) violation(change []float64) (worst float64) {
	for i := range p.n {
		after, v := p.tension[i]+change[i], p.excess[i]-p.compliance[i]*change[i]
		for j := range p.n {
			v -= p.g[i*p.n+j] * change[j]
		}
		const near = 1e-9
		worst = max(worst, p.least[i]-after, after-p.most[i])
		switch {
		case after < p.least[i]+near:
			worst = max(worst, v)
		case after > p.most[i]-near:
			worst = max(worst, -v)
		default:
			worst = max(worst, math.Abs(v))
		}
	}
	return worst
}

// enumerate tries every choice of bounds and returns the changes of a solution.
func (p *problem) enumerate() (change []float64, ok bool) {
	choices := 1
	for range p.n {
		choices *= 3
	}
	change = make([]float64, p.n)
	for c := range choices {
		var at []int
		for i := range p.n {
			switch c % 3 { // at its lower bound, at its upper one, or between
			case 0:
				change[i] = p.least[i] - p.tension[i]
			case 1:
				change[i] = p.most[i] - p.tension[i]
			default:
				change[i] = 0
				at = append(at, i)
			}
			c /= 3
		}
		m := len(at)
		a, b := make([]float64, m*m), make([]float64, m)
		for r, i := range at {
			b[r] = p.excess[i]
			for j := range p.n {
				b[r] -= p.g[i*p.n+j] * change[j]
			}
			for s, j := range at {
				a[r*m+s] = p.g[i*p.n+j]
			}
			a[r*m+r] += p.compliance[i]
		}
		if !integrate.SolveDense(a, b) {
			continue
		}
		for r, i := range at {
			change[i] = b[r]
		}
		if p.violation(change) < 1e-9 {
			return change, true
		}
	}
	return nil, false
}

// TestComplementAgainstEnumeration solves random problems from random tensions: of
// definite ones there is one solution, of those with redundant tendons one that holds,
// and of indefinite ones, those of a rod that is unstable, a solution or the word that
// none was found.
func TestComplementAgainstEnumeration(t *testing.T) {
	const tolerance = 1e-6 // conditions of up to 1e6 occur
	r := rand.New(rand.NewPCG(2, 9))
	for range 5000 {
		n := 1 + r.IntN(12)
		rank, definite := n, r.IntN(5) > 0
		if r.IntN(3) == 0 {
			rank = 1 + r.IntN(n)
		}
		p := randomProblem(r, n, rank, definite)
		c := p.constraints()
		ok := !math.IsInf(c.Complement(), 1)
		got := make([]float64, n)
		for i := range got {
			got[i] = c.Rows()[i].Increment
		}
		if definite && !ok {
			t.Fatalf("%d tendons of rank %d: no solution found of %+v", n, rank, p)
		}
		if v := p.violation(got); ok && !(v < tolerance) {
			t.Fatalf("%d tendons of rank %d, definite %t: called solved, off by %g", n, rank, definite, v)
		}
		if !definite || rank < n || n > 6 {
			continue
		}
		want, ok := p.enumerate()
		if !ok {
			continue // too badly conditioned to tell
		}
		for i := range want {
			if !(math.Abs(got[i]-want[i]) < tolerance*(1+math.Abs(want[i]))) && p.compliance[i] > 0 {
				t.Fatalf("%d tendons: changes %g, want %g", n, got, want)
			}
		}
	}
}
