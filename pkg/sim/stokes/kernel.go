package stokes

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// pair holds the mobility of two spheres whose centres are x_i = x_j + r apart,
// after Rotne and Prager (1969) and Yamakawa (1970); rotation and overlap after
// Zuk, Wajnryb, Mizerski and Szymczak, "Rotne-Prager-Yamakawa approximation for
// different-sized particles in application to macromolecular bead models",
// J. Fluid Mech. 741 (2014) R5. With F_j and T_j on sphere j, sphere i gets
//
//	v_i = tt F_j + th (r·F_j) r + tr T_j × r
//	w_i = rt F_j × r + rr T_j + rh (r·T_j) r,
//
// and sphere j the same with −r, and tr and rt exchanged. The matrix of all pairs
// and of each sphere alone is positive definite at any positions. Without
// lubrication: near contact, squeezing resists too little.
type pair struct{ tt, th, tr, rt, rr, rh float64 }

// times returns the coefficients times s.
func (p pair) times(s float64) pair {
	return pair{s * p.tt, s * p.th, s * p.tr, s * p.rt, s * p.rr, s * p.rh}
}

// flip returns the coefficients for the other sphere.
func (p pair) flip() pair {
	p.tr, p.rt = p.rt, p.tr
	return p
}

// add returns t and the motion of sphere i under the load l on sphere j.
func (p *pair) add(t spatial.Twist, r spatial.Vec, l *spatial.Wrench) spatial.Twist {
	return spatial.Twist{
		Linear:  t.Linear.AddScaled(p.tt, l.Force).AddScaled(p.th*r.Dot(l.Force), r).AddScaled(p.tr, l.Moment.Cross(r)),
		Angular: t.Angular.AddScaled(p.rr, l.Moment).AddScaled(p.rh*r.Dot(l.Moment), r).AddScaled(p.rt, l.Force.Cross(r)),
	}
}

// newPair returns the coefficients at the squared distance r2 (m²) of spheres of
// radii a and b (m), i and j, times 8πη.
func newPair(r2, a, b float64) pair {
	if s := a + b; r2 >= s*s {
		return apart(r2, a*a+b*b)
	}
	return overlapping(math.Sqrt(r2), a, b)
}

// apart is newPair for spheres that do not overlap, with s the sum of the squared
// radii.
func apart(r2, s float64) pair {
	q := 1 / r2
	g := math.Sqrt(q) // 1/r
	g3 := g * q
	return pair{
		tt: g * (1 + s*q*(1./3)),
		th: g3 * (1 - s*q),
		tr: g3,
		rt: g3,
		rr: -0.5 * g3,
		rh: 1.5 * g3 * q,
	}
}

// overlapping is newPair for spheres that overlap, or one of which is inside the other.
func overlapping(r, a, b float64) pair {
	big := max(a, b)
	d := a - b
	if r <= math.Abs(d) {
		// the smaller one moves with the interior of the larger
		p := pair{tt: 4. / (3 * big), rr: 1 / (big * big * big)}
		if a > b {
			p.rt = 1 / (a * a * a)
		} else if b > a {
			p.tr = 1 / (b * b * b)
		}
		return p
	}
	if r == 0 { // equal spheres at one place
		return pair{tt: 4. / (3 * big), rr: 1 / (big * big * big)}
	}
	r2, r3 := r*r, r*r*r
	a3, b3 := a*a*a, b*b*b
	d2 := d * d
	tt := 4. / (3 * a * b) / (32 * r3)
	rr := 1 / (a3 * b3) / (64 * r3)
	c := d2 - r2
	m := a*a + 4*a*b + b*b
	return pair{
		tt: tt * (16*r3*(a+b) - (d2+3*r2)*(d2+3*r2)),
		th: tt * 3 * c * c / r2,
		tr: overlapTurn(r, b, a),
		rt: overlapTurn(r, a, b),
		rr: rr * (5*r3*r3 - 27*r2*r2*(a*a+b*b) + 32*r3*(a3+b3) - 9*r2*(a+b)*(a+b)*d2 - d2*d2*m),
		rh: rr * 3 * c * c * (m - r2) / r2,
	}
}

// overlapTurn is rt of overlapping spheres: the spin of the sphere of radius a
// from the force on that of radius b.
func overlapTurn(r, a, b float64) float64 {
	s := a - b + r
	return s * s * (b*b + 2*b*(a+r) - 3*(a-r)*(a-r)) / (16 * r * r * r * a * a * a * b)
}
