package stokes

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// AddInteraction adds to dst the velocities that the load on each sphere induces in the others,
// without their velocities under their own loads: for bodies that are no spheres but interact as if
// they were. Only with the mobilities of the spheres themselves, as in Motions, is the whole matrix
// always positive definite.
//
// It computes one part of the given number of parts of all pairs: different parts may be computed
// concurrently, with different dst.
//
// It visits each pair once, for the mobility is symmetric: a sphere i with those of an earlier
// tile, whose numbers are in columns, four pairs at a time. The sums have the same bits with and
// without vector instructions.
func (s *Swarm) AddInteraction(dst []spatial.Twist, x []spatial.Vec, loads []spatial.Wrench, part, parts int) {
	s.mustMatch(len(dst), len(x), len(loads))
	var r row
	for first := 0; first < len(x); first += tileLen {
		n := min(tileLen, len(x)-first)
		var t tile
		t.set(x[first:first+n], loads[first:], s.radii[first:])
		for i := first + (part+parts-first%parts)%parts; i < len(x); i += parts {
			r.set(x[i], &loads[i], s.radii[i], s.scale)
			if overlaps := addRow(&r, &t, min(i-first, n)); overlaps {
				s.addOverlaps(dst, x, loads, i, first, first+min(i-first, n))
			}
			r.addTo(&dst[i])
		}
		t.addTo(dst[first : first+n])
	}
}

const (
	tileLen = 64 // spheres of a tile: its columns stay in the nearest cache
	lanes   = 4  // pairs that are worked on at once
)

// column is a number of each sphere of a tile.
type column [tileLen]float64

// tile is a piece of the swarm in columns: interaction_amd64.s depends on its layout.
type tile struct {
	x, f, m [3]column // centres, m; loads, N and N m
	radius  column    // m
	v, w    [3]column // motions so far
}

// row is a sphere that acts on those of tiles: interaction_amd64.s depends on its layout.
type row struct {
	x, f, m       [3]float64
	radius, scale float64           // scale of the mobility, 1/(8πη)
	v, w          [3][lanes]float64 // motion so far, by lanes: sphere j of a tile is in lane j mod lanes
}

// set fills the tile, which is zero, with the spheres at x.
func (t *tile) set(x []spatial.Vec, loads []spatial.Wrench, radii []float64) {
	loads, radii = loads[:len(x)], radii[:len(x)]
	for j := range min(len(x), tileLen) {
		f, m := &loads[j].Force, &loads[j].Moment
		t.x[0][j], t.x[1][j], t.x[2][j] = x[j].X, x[j].Y, x[j].Z
		t.f[0][j], t.f[1][j], t.f[2][j] = f.X, f.Y, f.Z
		t.m[0][j], t.m[1][j], t.m[2][j] = m.X, m.Y, m.Z
		t.radius[j] = radii[j]
	}
}

// addTo adds the motions of the tile to dst.
func (t *tile) addTo(dst []spatial.Twist) {
	for j := range dst {
		v, w := &dst[j].Linear, &dst[j].Angular
		*v = v.Add(spatial.Vec{X: t.v[0][j], Y: t.v[1][j], Z: t.v[2][j]})
		*w = w.Add(spatial.Vec{X: t.w[0][j], Y: t.w[1][j], Z: t.w[2][j]})
	}
}

// set makes the row that of a sphere of radius a at x, at rest.
func (r *row) set(x spatial.Vec, l *spatial.Wrench, a, scale float64) {
	r.x[0], r.x[1], r.x[2] = x.X, x.Y, x.Z
	r.f[0], r.f[1], r.f[2] = l.Force.X, l.Force.Y, l.Force.Z
	r.m[0], r.m[1], r.m[2] = l.Moment.X, l.Moment.Y, l.Moment.Z
	r.radius, r.scale = a, scale
	clear(r.v[:])
	clear(r.w[:])
}

// addTo adds the motion of the row to dst.
func (r *row) addTo(dst *spatial.Twist) {
	dst.Linear = dst.Linear.Add(spatial.Vec{X: total(&r.v[0]), Y: total(&r.v[1]), Z: total(&r.v[2])})
	dst.Angular = dst.Angular.Add(spatial.Vec{X: total(&r.w[0]), Y: total(&r.w[1]), Z: total(&r.w[2])})
}

// total returns the sum over the lanes.
func total(l *[lanes]float64) float64 { return (l[0] + l[1]) + (l[2] + l[3]) }

// addOverlaps adds the interaction of sphere i with those from first to last that
// overlap it.
func (s *Swarm) addOverlaps(dst []spatial.Twist, x []spatial.Vec, loads []spatial.Wrench, i, first, last int) {
	for j := first; j < last; j++ {
		r := x[i].Sub(x[j])
		r2 := r.Norm2()
		if sum := s.radii[i] + s.radii[j]; !(r2 < sum*sum) {
			continue
		}
		p := overlapping(math.Sqrt(r2), s.radii[i], s.radii[j]).times(s.scale)
		dst[i] = p.add(dst[i], r, &loads[j])
		p = p.flip()
		dst[j] = p.add(dst[j], r.Neg(), &loads[i])
	}
}
