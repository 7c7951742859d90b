package continuum

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/integrate"
)

// problem is a complementarity problem of n cables: the lengths that they are too long
// by, how the tensions shorten them, and the bounds of these.
type problem struct {
	n                         int
	g, excess, tension, limit []float64
	compliance                []float64
	initial                   []bound
}

// randomProblem draws one of the given rank: below n some cables say the same as others.
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
		p.limit = append(p.limit, 0.1+3*r.Float64())
		p.tension = append(p.tension, p.limit[len(p.limit)-1]*[]float64{0, r.Float64(), 1}[r.IntN(3)])
		p.compliance = append(p.compliance, []float64{0, 0, 1e-3, 1}[r.IntN(4)])
		p.initial = append(p.initial, bound(r.IntN(3)))
	}
	return p
}

// cables enters the problem as that of an iterate.
func (p *problem) cables() *cables {
	c := newCables(p.n, 0)
	c.list = c.list[:p.n]
	copy(c.g, p.g)
	for i := range c.list {
		c.list[i].excess, c.list[i].tension, c.list[i].limit = p.excess[i], p.tension[i], p.limit[i]
		c.list[i].compliance, c.list[i].bound = p.compliance[i], p.initial[i]
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
		worst = max(worst, -after, after-p.limit[i])
		switch {
		case after < near:
			worst = max(worst, v)
		case after > p.limit[i]-near:
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
			switch bound(c % 3) {
			case slack:
				change[i] = -p.tension[i]
			case yield:
				change[i] = p.limit[i] - p.tension[i]
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

// TestComplementAgainstEnumeration solves random problems from random starts: of
// definite ones there is one solution, of those with redundant cables one that holds,
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
		c := p.cables()
		ok := c.complement()
		got := make([]float64, n)
		for i := range got {
			got[i] = c.list[i].change
		}
		if definite && !ok {
			t.Fatalf("%d cables of rank %d: no solution found of %+v", n, rank, p)
		}
		if v := p.violation(got); ok && !(v < tolerance) {
			t.Fatalf("%d cables of rank %d, definite %t: called solved, off by %g", n, rank, definite, v)
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
				t.Fatalf("%d cables: changes %g, want %g", n, got, want)
			}
		}
	}
}

// A step that is called converged where a cable does not hold is refused, by name.
func TestUnsolvedConstraintsAreRefused(t *testing.T) {
	f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
	in := lengthControlled(f, math.Inf(1), 0.002)
	e := implicitOf(t, f)
	equilibrate(t, e, in)
	e.stepper.Report().Cause, in.Time = integrate.Converged, 1.5
	p := e.history.plan(1e-3)
	e.begin(&p, in)
	if err := e.check(&p, in); err != nil {
		t.Fatal(err)
	}
	allowed := mostViolation * f.Rod.Length
	in.Setpoints[2].Pull += 3 * allowed
	in.Setpoints[0].Pull += 5 * allowed
	var cable *TendonLengthError
	if err := e.check(&p, in); !errors.As(err, &cable) {
		t.Fatalf("%v, want *TendonLengthError", err)
	}
	if cable.Tendon != "a" || cable.Time != 1.5 || math.Abs(cable.Violation-5*allowed) > 1e-9 || cable.Allowed != allowed || cable.Tension != e.tendons.Multipliers()[0] {
		t.Errorf("%+v: %v", *cable, cable)
	}
}
