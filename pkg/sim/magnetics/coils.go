package magnetics

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Coils is a set of electromagnets whose fields are proportional to their currents
// and add up: the multipole expansion model that ETH's MPEM calibrations hold. Each
// coil is a few sources; the field of a source is −∇ψ per ampere with
//
//	ψ = Σ_n (A_n r^n + B_n r^−(n+1)) P_n(cos θ), n = 1, 2 …
//
// where r is the distance from the source and θ the angle to its direction. A source
// with B_1 alone is a dipole of moment 4π B_1/µ0 per ampere.
type Coils struct {
	names  []string
	coils  [][]multipole
	offset []multipole // the field without current

	// Workspace is the box in which the calibration was measured, m. Lower above
	// Upper is the limit if the file gives none.
	Lower, Upper spatial.Vec
}

// multipole is one source.
type multipole struct {
	position, direction spatial.Vec // m, unit vector
	terms               []term
}

// term is the part n of ψ: f(r) P_n(cos θ), f = c r^power, power n or −n−1.
type term struct {
	n     int
	power int
	c     float64
}

// Names are the names of the coils in the order of currents.
func (c *Coils) Names() []string { return c.names }

// At returns field and gradient at p under the currents (A), one per coil.
func (c *Coils) At(p spatial.Vec, currents []float64) (b spatial.Vec, g Gradient) {
	for i := range c.offset {
		c.offset[i].add(&b, &g, p, 1)
	}
	for i, current := range currents {
		if current == 0 {
			continue
		}
		for j := range c.coils[i] {
			c.coils[i][j].add(&b, &g, p, current)
		}
	}
	return b, g
}

// PerAmpere returns field (T/A) and gradient (T/m/A) of coil i at p.
func (c *Coils) PerAmpere(i int, p spatial.Vec) (b spatial.Vec, g Gradient) {
	for j := range c.coils[i] {
		c.coils[i][j].add(&b, &g, p, 1)
	}
	return b, g
}

// Inside reports whether p is in the workspace, or the file does not say what that is.
func (c *Coils) Inside(p spatial.Vec) bool {
	lo, hi := c.Lower, c.Upper
	if lo.X > hi.X {
		return true
	}
	return p.X >= lo.X && p.X <= hi.X && p.Y >= lo.Y && p.Y <= hi.Y && p.Z >= lo.Z && p.Z <= hi.Z
}

// add adds the source's field and gradient at p for the current.
func (s *multipole) add(b *spatial.Vec, g *Gradient, p spatial.Vec, current float64) {
	x := p.Sub(s.position)
	r := x.Norm()
	h := x.Scale(1 / r)
	cos := h.Dot(s.direction)
	e := s.direction.AddScaled(-cos, h).Scale(1 / r) // ∇ cos θ
	for _, t := range s.terms {
		t.add(b, g, h, e, r, cos, current)
	}
}

// add adds −∇ and −∇∇ of the term. With ψ = f(r) P(c), c = cos θ, h = x/r, e = ∇c:
//
//	∇ψ  = f′ P h + f P′ e
//	∇∇ψ = f″ P h hᵀ + (f′ P − f P′ c/r)/r (I − h hᵀ) + (f′ − f/r) P′ (h eᵀ + e hᵀ) + f P″ e eᵀ
func (t term) add(b *spatial.Vec, g *Gradient, h, e spatial.Vec, r, cos, current float64) {
	p0, p1, p2 := legendre(t.n, cos)
	k := float64(t.power)
	f := -t.c * current * math.Pow(r, k)
	f1 := k * f / r
	f2 := (k - 1) * f1 / r
	*b = b.AddScaled(f1*p0, h).AddScaled(f*p1, e)
	i := (f1*p0 - f*p1*cos/r) / r
	hh, he, ee := f2*p0-i, (f1-f/r)*p1, f*p2
	g.XX += i + hh*h.X*h.X + 2*he*h.X*e.X + ee*e.X*e.X
	g.XY += hh*h.X*h.Y + he*(h.X*e.Y+h.Y*e.X) + ee*e.X*e.Y
	g.XZ += hh*h.X*h.Z + he*(h.X*e.Z+h.Z*e.X) + ee*e.X*e.Z
	g.YY += i + hh*h.Y*h.Y + 2*he*h.Y*e.Y + ee*e.Y*e.Y
	g.YZ += hh*h.Y*h.Z + he*(h.Y*e.Z+h.Z*e.Y) + ee*e.Y*e.Z
}

// legendre returns P_n(x), n ≥ 1, and its first two derivatives, by the recurrences
// P_{k+1} = ((2k+1) x P_k − k P_{k−1})/(k+1), P′_{k+1} = P′_{k−1} + (2k+1) P_k and its
// derivative, which are good at x = ±1 too.
func legendre(n int, x float64) (p, d, dd float64) {
	q, qd, qdd := 1.0, 0.0, 0.0 // one degree below
	p, d, dd = x, 1, 0
	for k := 1; k < n; k++ {
		m := float64(2*k + 1)
		np := (m*x*p - float64(k)*q) / float64(k+1)
		nd, ndd := qd+m*p, qdd+m*d
		q, qd, qdd = p, d, dd
		p, d, dd = np, nd, ndd
	}
	return p, d, dd
}

// Lag returns the current (A) of a coil dt seconds after it was current, driven
// toward target with the time constant tau = L/R (s): exact for a constant target.
// tau 0 is an ideal source.
func Lag(current, target, dt, tau float64) float64 {
	if tau == 0 {
		return target
	}
	return target + (current-target)*math.Exp(-dt/tau)
}
