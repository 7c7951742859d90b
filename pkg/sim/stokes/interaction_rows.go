package stokes

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// link is the interaction of two spheres apart, r from the second to the first: as
// pair, with tr = rt and rr = −tr/2.
type link struct {
	r, turn        spatial.Vec // turn = tr r
	tt, th, rr, rh float64
}

// addRowPlain adds the interaction of the row with the first n of the tile to both, but
// for spheres that overlap, which it reports. It is addRow on any processor: three
// passes, which keep the numbers of each pass in registers.
func addRowPlain(r *row, t *tile, n int) (overlaps bool) {
	var links [tileLen]link
	overlaps = r.connect(&links, t, n)
	for lane := range lanes {
		r.gather(&links, t, lane, n)
	}
	r.scatter(&links, t, n)
	return overlaps
}

// connect sets links to those of the row with the tile, and to nothing where the spheres
// overlap, which it reports.
func (r *row) connect(links *[tileLen]link, t *tile, n int) (overlaps bool) {
	a := r.radius
	for j := range min(n, tileLen) {
		c, b := &links[j], t.radius[j]
		x, y, z := r.x[0]-t.x[0][j], r.x[1]-t.x[1][j], r.x[2]-t.x[2][j]
		r2 := x*x + y*y + z*z
		if sum := a + b; r2 < sum*sum {
			*c = link{}
			overlaps = true
			continue
		}
		q := 1 / r2 // as apart
		g := r.scale * math.Sqrt(q)
		k, g3 := (a*a+b*b)*q, g*q
		c.r.X, c.r.Y, c.r.Z = x, y, z
		c.turn.X, c.turn.Y, c.turn.Z = x*g3, y*g3, z*g3
		c.tt, c.th, c.rr, c.rh = g+g*k*(1./3), g3-g3*k, -0.5*g3, 1.5*g3*q
	}
	return overlaps
}

// gather adds to the row what the loads of the tile do to it in one lane.
func (r *row) gather(links *[tileLen]link, t *tile, lane, n int) {
	var v, w spatial.Vec
	for j := lane; j < min(n, tileLen); j += lanes {
		c := &links[j&(tileLen-1)] // j is below tileLen: removes the bounds check
		j := j & (tileLen - 1)
		f := spatial.Vec{X: t.f[0][j], Y: t.f[1][j], Z: t.f[2][j]}
		m := spatial.Vec{X: t.m[0][j], Y: t.m[1][j], Z: t.m[2][j]}
		x, y, z, tt, rr := c.r.X, c.r.Y, c.r.Z, c.tt, c.rr
		a, b, d := c.turn.X, c.turn.Y, c.turn.Z
		kf, km := c.th*(x*f.X+y*f.Y+z*f.Z), c.rh*(x*m.X+y*m.Y+z*m.Z)
		v.X += tt*f.X + kf*x + (m.Y*d - m.Z*b)
		v.Y += tt*f.Y + kf*y + (m.Z*a - m.X*d)
		v.Z += tt*f.Z + kf*z + (m.X*b - m.Y*a)
		w.X += rr*m.X + km*x + (f.Y*d - f.Z*b)
		w.Y += rr*m.Y + km*y + (f.Z*a - f.X*d)
		w.Z += rr*m.Z + km*z + (f.X*b - f.Y*a)
	}
	r.v[0][lane], r.v[1][lane], r.v[2][lane] = v.X, v.Y, v.Z
	r.w[0][lane], r.w[1][lane], r.w[2][lane] = w.X, w.Y, w.Z
}

// scatter adds to the tile what the load of the row does to it, from which r points the
// other way.
func (r *row) scatter(links *[tileLen]link, t *tile, n int) {
	f, m := spatial.Vec{X: r.f[0], Y: r.f[1], Z: r.f[2]}, spatial.Vec{X: r.m[0], Y: r.m[1], Z: r.m[2]}
	for j := range min(n, tileLen) {
		c := &links[j]
		x, y, z, tt, rr := c.r.X, c.r.Y, c.r.Z, c.tt, c.rr
		a, b, d := c.turn.X, c.turn.Y, c.turn.Z
		kf, km := c.th*(x*f.X+y*f.Y+z*f.Z), c.rh*(x*m.X+y*m.Y+z*m.Z)
		t.v[0][j] += tt*f.X + kf*x - (m.Y*d - m.Z*b)
		t.v[1][j] += tt*f.Y + kf*y - (m.Z*a - m.X*d)
		t.v[2][j] += tt*f.Z + kf*z - (m.X*b - m.Y*a)
		t.w[0][j] += rr*m.X + km*x - (f.Y*d - f.Z*b)
		t.w[1][j] += rr*m.Y + km*y - (f.Z*a - f.X*d)
		t.w[2][j] += rr*m.Z + km*z - (f.X*b - f.Y*a)
	}
}
