package magnetics

import (
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
)

// Coils is a set of electromagnets whose fields are proportional to their currents
// and add up: the multipole expansion model that ETH's MPEM calibrations hold, or maps of their fields on
// a grid. In the first each
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
	grid   *fieldMap   // instead of sources; nil: none

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
	if c.grid != nil {
		c.grid.addAll(&b, &g, p, currents)
		return b, g
	}
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
	if c.grid != nil {
		s := c.grid.at(p)
		c.grid.add(&b, &g, &s, c.grid.values[i], 1)
	}
	for j := range c.coils[i] {
		c.coils[i][j].add(&b, &g, p, 1)
	}
	return b, g
}

// InfiniteAt returns the name of a coil whose field is not finite at p: one with a source there. It
// returns false if there is none.
func (c *Coils) InfiniteAt(p spatial.Vec) (name string, found bool) {
	for i, name := range c.names {
		if b, g := c.PerAmpere(i, p); !b.IsFinite() || !spatial.IsFinite(g.Norm()) {
			return name, true
		}
	}
	return "", false
}

// HasWorkspace reports whether the file says in which box the calibration was measured.
func (c *Coils) HasWorkspace() bool { return c.Lower.X <= c.Upper.X }

// Outside returns how far p is from the workspace, m: 0 in it, and where the file does not say what that is.
func (c *Coils) Outside(p spatial.Vec) float64 {
	if !c.HasWorkspace() {
		return 0
	}
	beyond := func(x, lo, hi float64) float64 { return max(lo-x, x-hi, 0) }
	return spatial.Vec{
		X: beyond(p.X, c.Lower.X, c.Upper.X), Y: beyond(p.Y, c.Lower.Y, c.Upper.Y), Z: beyond(p.Z, c.Lower.Z, c.Upper.Z),
	}.Norm()
}

// MaxCurrent returns the current (A) at which coil i alone makes a field of MaxField in the middle of the
// workspace, or at the origin where the file does not say what that is; +Inf for a coil without a field
// there.
func (c *Coils) MaxCurrent(i int) float64 {
	var middle spatial.Vec
	if c.HasWorkspace() {
		middle = c.Lower.Add(c.Upper).Scale(0.5)
	}
	b, _ := c.PerAmpere(i, middle)
	if most := MaxField / b.Norm(); most > 0 {
		return most
	}
	return math.Inf(1)
}

// add adds the source's field and gradient at p for the current.
func (s *multipole) add(b *spatial.Vec, g *Gradient, p spatial.Vec, current float64) {
	x := p.Sub(s.position)
	r := x.Norm()
	h := x.Scale(1 / r)
	cos := h.Dot(s.direction)
	e := s.direction.AddScaled(-cos, h).Scale(1 / r) // ∇ cos θ
	for i := range s.terms {
		t := &s.terms[i]
		if t.isRegular() {
			t.addRegular(b, g, x, s.direction, current)
		} else {
			t.add(b, g, h, e, r, cos, current)
		}
	}
}

// isRegular reports whether all terms of the source are finite at its place.
func (s *multipole) isRegular() bool {
	return !slices.ContainsFunc(s.terms, func(t term) bool { return !t.isRegular() })
}

// isRegular reports whether the term is finite at the source: r^n P_n is a polynomial in the position.
func (t *term) isRegular() bool { return t.power > 0 }

// addRegular adds −∇ and −∇∇ of the term ψ = c R, R = r^n P_n(cos θ), at x from a source with direction
// d. With z = d·x and s = r², R is a polynomial in z and s by (k+1) R_{k+1} = (2k+1) z R_k − k s R_{k−1},
// and
//
//	∇R  = R_z d + 2 R_s x
//	∇∇R = R_zz d dᵀ + 2 R_zs (d xᵀ + x dᵀ) + 4 R_ss x xᵀ + 2 R_s I
func (t *term) addRegular(b *spatial.Vec, g *Gradient, x, d spatial.Vec, current float64) {
	type polynomial struct{ value, z, s, zz, zs, ss float64 } // with its derivatives
	z, s := d.Dot(x), x.Norm2()
	q, p := polynomial{value: 1}, polynomial{value: z, z: 1}
	for k := 1; k < t.n; k++ {
		a, c := float64(2*k+1)/float64(k+1), float64(k)/float64(k+1)
		q, p = p, polynomial{
			value: a*z*p.value - c*s*q.value,
			z:     a*(p.value+z*p.z) - c*s*q.z,
			s:     a*z*p.s - c*(q.value+s*q.s),
			zz:    a*(2*p.z+z*p.zz) - c*s*q.zz,
			zs:    a*(p.s+z*p.zs) - c*(q.z+s*q.zs),
			ss:    a*z*p.ss - c*(2*q.s+s*q.ss),
		}
	}
	f := -t.c * current
	*b = b.AddScaled(f*p.z, d).AddScaled(2*f*p.s, x)
	dd, dx, xx, one := f*p.zz, 2*f*p.zs, 4*f*p.ss, 2*f*p.s
	g.XX += one + dd*d.X*d.X + 2*dx*d.X*x.X + xx*x.X*x.X
	g.XY += dd*d.X*d.Y + dx*(d.X*x.Y+x.X*d.Y) + xx*x.X*x.Y
	g.XZ += dd*d.X*d.Z + dx*(d.X*x.Z+x.X*d.Z) + xx*x.X*x.Z
	g.YY += one + dd*d.Y*d.Y + 2*dx*d.Y*x.Y + xx*x.Y*x.Y
	g.YZ += dd*d.Y*d.Z + dx*(d.Y*x.Z+x.Y*d.Z) + xx*x.Y*x.Z
}

// add adds −∇ and −∇∇ of a term that is infinite at the source. With ψ = f(r) P(c), c = cos θ, h = x/r, e = ∇c:
//
//	∇ψ  = f′ P h + f P′ e
//	∇∇ψ = f″ P h hᵀ + (f′ P − f P′ c/r)/r (I − h hᵀ) + (f′ − f/r) P′ (h eᵀ + e hᵀ) + f P″ e eᵀ
func (t *term) add(b *spatial.Vec, g *Gradient, h, e spatial.Vec, r, cos, current float64) {
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
