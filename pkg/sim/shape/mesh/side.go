package mesh

import "sinew/pkg/sim/spatial"

// Side is where a point is to the triangles of a closed mesh.
type Side uint8

const (
	UnknownSide Side = iota // a vessel with open ends
	Enclosed                // the surface encloses it: in a solid or in a lumen
	Surrounded              // it is outside, with the surface on both sides, as in the bore of a shell with thickness
	Beyond                  // it is outside, and not between
)

// IsInside reports whether the mesh was made with inside: true.
func (f *Field) IsInside() bool { return f.inside }

// SideOf returns the side on which p (m) is, by counting the triangles that it sees in 26 directions:
// an odd number in a direction means that p is enclosed. In a vessel with open ends only the bore of a shell
// with thickness is certain, which shows two walls or more on both sides.
func (f *Field) SideOf(p spatial.Vec) Side {
	const tilt = 0.0137 // so that no direction is along the edges of a box
	odd, both, double, directions := 0, 0, 0, 0
	for i := range 27 {
		if i == 13 {
			continue
		}
		d := spatial.Vec{X: float64(i/9-1) + tilt, Y: float64(i/3%3-1) - 2*tilt, Z: float64(i%3-1) + 3*tilt}
		ahead, behind := 0, 0
		for k := range f.triangles {
			switch t := f.triangles[k].along(p, d); {
			case t > 0:
				ahead++
			case t < 0:
				behind++
			}
		}
		directions++
		odd += ahead % 2
		if ahead > 0 && behind > 0 {
			both++
		}
		if min(ahead, behind) >= 2 && ahead%2 == 0 && behind%2 == 0 {
			double++
		}
	}
	const share = 4 // of the directions in which a bore has walls on both sides: it is open along its axis, and beyond its mouth
	switch {
	case len(f.rims) > 0 && share*double < directions:
		return UnknownSide
	case len(f.rims) > 0:
		return Surrounded
	case 2*odd > directions:
		return Enclosed
	case share*both >= directions:
		return Surrounded
	}
	return Beyond
}

// along returns at which multiple of d from p the line meets the triangle, 0 for none.
func (t *Triangle) along(p, d spatial.Vec) float64 {
	ab, ac := t[1].Sub(t[0]), t[2].Sub(t[0])
	normal := ab.Cross(ac)
	down := -d.Dot(normal)
	if down == 0 {
		return 0
	}
	ap := p.Sub(t[0])
	e := ap.Cross(d)
	v, w := ac.Dot(e)/down, -ab.Dot(e)/down
	if v < 0 || w < 0 || v+w > 1 {
		return 0
	}
	return ap.Dot(normal) / down
}
