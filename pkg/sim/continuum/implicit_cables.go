package continuum

import (
	"math"

	"sinew/pkg/sim/drive"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// cables are the tendons under length control in the linear equations of an
// iterate: unilateral constraints with compliance. With s the length of a tendon
// less the one at which it goes slack, c the inverse of its stiffness and λ its
// tension at the base,
//
//	0 ≤ λ ≤ λmax,  s = c λ between the bounds,  s ≤ 0 at λ = 0,  s ≥ c λ at λmax.
//
// Where tendons give way to one another, c is a matrix (package drive), whose part without their own
// springs adds to G below. The tensions are unknowns of the border, and each increment solves the
// linear complementarity problem of the constraints exactly, so that c may be 0.
type cables struct {
	list []cable
	g    []float64 // Aᵀ K⁻¹ B, row-major
	work []float64 // matrix of the free cables, row-major
	rhs  []float64
}

// cable is one tendon under length control at an iterate.
type cable struct {
	tendon     int
	compliance float64 // m/N
	tension    float64 // λ, N
	limit      float64 // λmax, N
	gap        float64 // s − c λ at the iterate, m

	b, a, y []spatial.Vec6 // wrenches of a unit tension, derivative of s, K⁻¹ b
	excess  float64        // s − c λ after the increment at constant tensions, m
	bound   bound
	change  float64 // of λ in the increment, N
	rise    float64 // of λmax in a derivative, N; else 0
}

// bound says where the tension of a cable is.
type bound int8

const (
	free  bound = iota // between the bounds, the constraint holds
	slack              // at 0
	yield              // at the limit
)

// newCables makes room for all tendons under length control at once.
func newCables(tendons, rows int) *cables {
	c := &cables{
		list: make([]cable, 0, tendons),
		g:    make([]float64, tendons*tendons), work: make([]float64, tendons*tendons), rhs: make([]float64, tendons),
	}
	for i := range tendons {
		column := func() []spatial.Vec6 { return make([]spatial.Vec6, rows) }
		c.list = append(c.list, cable{tendon: i, b: column(), a: column(), y: column()})
	}
	c.list = c.list[:0]
	return c
}

// fill enters the tendons under length control at the iterate, once the border w of the factored
// matrix m is prepared. Transverse forces and sliding turn wrenches from the derivative of the length.
func (c *cables) fill(t *tendonSystem, w *border, m *integrate.Skyline, pose []spatial.Pose, transverse, sliding bool) {
	c.list = c.list[:0]
	for k, d := range t.setpoints {
		if d.Mode != lengthControl {
			continue
		}
		c.list = c.list[:len(c.list)+1] // with the columns that newCables made
		x := &c.list[len(c.list)-1]
		x.tendon = k
		clear(x.b)
		t.bundle.Push(k, pose, transverse, x.b)
		if copy(x.a, x.b); sliding || transverse {
			clear(x.a)
			t.bundle.LengthSlope(k, pose, x.a)
		}
		copy(x.y, x.b)
		w.solve(m, x.y)
	}
	c.take(t)
	n := len(c.list)
	for p := range n {
		for r := range n {
			c.g[p*n+r] = inner(c.list[p].a, c.list[r].y)
		}
	}
	c.couple(t.coupling)
}

// take enters what may change without the tangent: of tendons t, which may be of a robot beside.
func (c *cables) take(t *tendonSystem) {
	for p := range c.list {
		x := &c.list[p]
		k := x.tendon
		x.tension, x.limit, x.compliance = t.tensions[k], t.actuators[k].limits.MaxTension, 1/t.actuators[k].stiffness
		x.gap = t.stretch(k, t.setpoints[k]) - x.compliance*x.tension - t.lent(k)
	}
}

// couple adds to G by how much tendons give way to one another.
func (c *cables) couple(by *drive.Coupling) {
	if by == nil {
		return
	}
	n := len(c.list)
	for p := range n {
		for r := range n {
			c.g[p*n+r] += by.At(c.list[p].tendon, c.list[r].tendon)
		}
	}
}

// correct makes x, the increment at constant tensions, the one with which the
// constraints hold. It reports whether there is one: not where the rod is unstable,
// so that no tension holds it.
func (c *cables) correct(x []spatial.Vec6) (ok bool) {
	if len(c.list) == 0 {
		return true
	}
	for p := range c.list {
		k := &c.list[p]
		k.excess = k.gap + inner(k.a, x)
		switch {
		case k.tension <= 0 && k.excess <= 0:
			k.bound = slack
		case k.tension >= k.limit && k.excess >= 0:
			k.bound = yield
		default:
			k.bound = free
		}
	}
	ok = c.complement()
	for p := range c.list {
		if k := &c.list[p]; k.change != 0 {
			addScaled(x, -k.change, k.y)
		}
	}
	return ok
}

// complement solves the complementarity problem by pivoting: as long as a free
// tension is beyond a bound or a bound one would leave it, the worst one changes
// sides. The cables of a robot are few and mostly stay where they are. That may go
// round in circles; then the first one changes sides instead of the worst, which
// finds the solution of every problem of which all principal minors are positive
// (Murty 1974), in many more exchanges. It reports whether it has found a solution.
func (c *cables) complement() (ok bool) {
	n := len(c.list)
	for i := range 4*(n+1) + mostExchanges {
		if !c.balance() {
			return false
		}
		p, to := c.wrong(i >= 4*(n+1))
		if p < 0 {
			return true
		}
		c.list[p].bound = to
	}
	return false
}

// mostExchanges bounds the search by Murty's rule. Of 40,000 random problems of up to a
// dozen cables, many of them redundant, the worst took 270.
const mostExchanges = 1000

// balance finds the changes of the tensions with which the free constraints hold. It
// reports whether there are such.
func (c *cables) balance() (ok bool) {
	n, m := len(c.list), 0
	for p := range c.list {
		switch k := &c.list[p]; k.bound {
		case slack:
			k.change = -k.tension
		case yield:
			k.change = k.limit - k.tension + k.rise
		default:
			m++
		}
	}
	// regular is what makes inextensible tendons that say the same twice share.
	const regular = 1e-12
	i := 0
	for p := range c.list {
		k := &c.list[p]
		if k.bound != free {
			continue
		}
		c.rhs[i] = k.excess
		j := 0
		for r := range c.list {
			g := c.g[p*n+r]
			if other := &c.list[r]; other.bound != free {
				c.rhs[i] -= g * other.change
				continue
			}
			if p == r {
				g += k.compliance + regular*math.Abs(g)
			}
			c.work[i*m+j] = g
			j++
		}
		i++
	}
	if ok = integrate.SolveDense(c.work[:m*m], c.rhs[:m]); !ok {
		clear(c.rhs[:m])
	}
	i = 0
	for p := range c.list {
		if k := &c.list[p]; k.bound == free {
			k.change = c.rhs[i]
			i++
		}
	}
	return ok
}

// wrong returns the cable that is most on the wrong side, or the first that is, and
// where it belongs; −1 if there is none.
func (c *cables) wrong(first bool) (at int, to bound) {
	const roundoff = 1e-12 // of the tension
	n, most := len(c.list), roundoff
	at = -1
	for p := range c.list {
		if first && at >= 0 {
			break
		}
		k := &c.list[p]
		size := max(k.tension, math.Abs(k.change), 1e-9)
		if k.bound == free {
			after := k.tension + k.change
			if v := -after / size; v > most {
				most, at, to = v, p, slack
			}
			if v := (after - k.limit) / size; v > most {
				most, at, to = v, p, yield
			}
			continue
		}
		v := k.excess - k.compliance*k.change
		for r := range c.list {
			v -= c.g[p*n+r] * c.list[r].change
		}
		if v /= (k.compliance + math.Abs(c.g[p*n+p])) * size; k.bound == yield {
			v = -v
		}
		if v > most {
			most, at, to = v, p, free
		}
	}
	return at, to
}

// store hands the changes of the tensions in the increment to the tendons.
func (c *cables) store(t *tendonSystem) {
	clear(t.change)
	for p := range c.list {
		k := &c.list[p]
		t.change[k.tendon] = k.change
		t.merit[k.tendon] = min(k.limit, 2*max(k.tension, k.tension+k.change))
	}
}

// negative is how many negative eigenvalues of K the constraints take away: those of
// the flexibility c + G of the free cables. (The inertia of the bordered matrix is
// that of K and of its Schur complement.)
func (c *cables) negative() (count int) {
	n, m := len(c.list), 0
	rows := 0
	for p := range c.list {
		if c.list[p].bound == free {
			rows++
		}
	}
	for p := range c.list {
		if c.list[p].bound != free {
			continue
		}
		j := 0
		for r := range c.list {
			if c.list[r].bound == free {
				c.work[m*rows+j] = 0.5 * (c.g[p*n+r] + c.g[r*n+p])
				j++
			}
		}
		c.work[m*rows+m] += c.list[p].compliance
		m++
	}
	return negativePivots(c.work[:rows*rows], rows)
}

// stretchEnergy is the energy of a tendon of compliance c stretched by s > 0 that
// yields at tension f, J: an exact penalty of the constraint of a cable where f is
// more than its tension, whatever the compliance.
func stretchEnergy(s, c, f float64) float64 {
	if s < c*f {
		return s * s / (2 * c)
	}
	return f * (s - c*f/2)
}

// coupledEnergy is the energy of the tendons under length control where they give way to one
// another, J: the greatest of sᵀλ − ½ λᵀcλ over the tensions λ from 0 to those up to which
// stretch counts as elastic. Without coupling that is the sum of stretchEnergy.
func (t *tendonSystem) coupledEnergy() (sum float64) {
	const least = 1e-15 // m/N, so that inextensible tendons have a greatest, too
	c := t.together
	c.list = c.list[:0]
	for k, d := range t.setpoints {
		if d.Mode != lengthControl {
			continue
		}
		c.list = c.list[:len(c.list)+1]
		x := &c.list[len(c.list)-1]
		x.tendon, x.compliance, x.tension, x.limit = k, max(least, 1/t.actuators[k].stiffness), 0, t.merit[k]
		x.excess, x.bound = t.stretch(k, d), slack
		for l, other := range t.setpoints {
			if other.Mode == tensionControl {
				x.excess -= t.coupling.At(k, l) * t.share * other.Tension
			}
		}
		if x.excess > 0 {
			x.bound = free
		}
	}
	n := len(c.list)
	clear(c.g[:n*n])
	c.couple(t.coupling)
	if !c.complement() {
		return math.Inf(1) // unknown: this place is not accepted
	}
	for p := range c.list {
		x := &c.list[p]
		give := x.compliance * x.change
		for r := range c.list {
			give += c.g[p*n+r] * c.list[r].change
		}
		sum += x.change * (x.excess - give/2)
	}
	return sum
}
