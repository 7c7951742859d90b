package stokes

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// appendEnds appends to dst where the ellipsoid at x is nearest to the vessel that is wall i: the
// points of its outline, seen along the axis, that are farthest from the axis on either
// side of its shorter diameter. The second one is there only while it is as far as any
// point near it. It appends none for a body of round outline.
//
// With the semi-axes p > q of the outline and its centre at c, in the axes of the outline
// and counted from the axis of the vessel, these are (c1 + p cos, c2 + q sin) with
//
//	cos = p c1/(λ − p²),  sin = q c2/(λ − q²),  cos² + sin² = 1:
//
// the farthest for λ > p², the other one, if there is one, for the largest λ below p²
// (Martínez, SIAM J. Optim. 4 (1994) 159).
func (w *Walls) appendEnds(dst []contact, i int, x spatial.Vec, e *spatial.Mat3) []contact {
	const (
		round = 1e-9  // difference of the squared semi-axes, of their mean, of a circle
		off   = 1e-12 // distance of the centre (p) from the shorter diameter that distinguishes the ends
	)
	c := &w.cylinders[i-len(w.planes)]
	e1 := c.Axis.Perpendicular()
	e2 := c.Axis.Cross(e1)
	s1, s2 := e.Apply(e1), e.Apply(e2)
	mean, half, mixed := (e1.Dot(s1)+e2.Dot(s2))/2, (e1.Dot(s1)-e2.Dot(s2))/2, e1.Dot(s2)
	root := math.Hypot(half, mixed)
	if root <= round*mean {
		return dst
	}
	sin, cos := math.Sincos(math.Atan2(mixed, half) / 2)
	major := e1.Scale(cos).AddScaled(sin, e2)
	minor := c.Axis.Cross(major)
	pp, qq := mean+root, max(0, mean-root)
	p, q := math.Sqrt(pp), math.Sqrt(qq)
	d := x.Sub(c.Center)
	c1, c2 := d.Dot(major), d.Dot(minor)
	if c1 < 0 {
		c1, major = -c1, major.Neg()
	}
	if c2 < 0 {
		c2, minor = -c2, minor.Neg()
	}
	c1 = max(c1, off*p)

	above := max(p*c1, qq-pp+q*c2) // λ − p², from below
	above, _ = solveSecular(p*c1, q*c2, pp-qq, above)
	point := func(cos, sin float64) contact {
		y := major.Scale(c1+p*cos).AddScaled(c2+q*sin, minor)
		r := y.Norm()
		n := y.Scale(-1 / r)
		at := w.contact(i, n, 0, e)
		at.gap = c.Radius - r - w.roughness
		return at
	}
	dst = append(dst, point(p*c1/above, q*c2/(above+pp-qq)))
	below, ok := solveSecular(p*c1, q*c2, qq-pp, p*c1) // p² − λ
	if !ok {
		return dst
	}
	return append(dst, point(-p*c1/below, q*c2/(pp-qq-below)))
}

// solveSecular returns the least root above the start of (a/z)² + (b/(z + shift))² = 1,
// whose left side falls there from 1 or more and is convex, by Newton's method, which comes
// nearer from below. It reports whether there is a root before the left side grows.
func solveSecular(a, b, shift, start float64) (z float64, ok bool) {
	const (
		iterations = 100
		roundoff   = 1e-15
	)
	z = start
	for range iterations {
		y := z + shift
		if shift < 0 && y >= 0 {
			return z, false
		}
		u, v := a/z, 0.0
		if b != 0 {
			v = b / y
		}
		value, slope := u*u+v*v-1, -2*(u*u/z)
		if b != 0 {
			slope -= 2 * v * v / y
		}
		if value <= roundoff {
			return z, true
		}
		if !(slope < 0) {
			return z, false
		}
		step := -value / slope
		if z += step; step <= roundoff*z {
			return z, true
		}
	}
	return z, shift > 0
}
