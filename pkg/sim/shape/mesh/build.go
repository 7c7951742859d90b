package mesh

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Options are what New needs besides the triangles.
type Options struct {
	Inside bool    // the free side is enclosed: the lumen of a vessel
	Scale  float64 // m per unit of the file
	Reach  float64 // of the distance on the free side, m: the largest radius of what will touch
}

// Numbers of the grid.
const (
	perLumen     = 8         // spacings in twice the volume over the area: the radius of a tube
	leastPer     = 3         // the fewest allowed
	freeCells    = 2         // cells beyond the reach where the field is kept
	wallCells    = 3         // cells within the wall
	mostCells    = 4_000_000 // in kept blocks
	mostBlocks   = 500_000   // kept or not
	farSpacings  = 2         // from the surface where distances are interpolated between points of this spacing
	marginBlocks = 4         // beyond the reach between the surface and the border of the grid: none at the border is kept
)

// farError is the most by which interpolated distances are too large, as a part of them. The second derivatives of a distance e to
// anything along three axes sum up to 2/e at most. So that over an interval of the spacing h ≤ e/farSpacings the error is h²/4e,
// and the distances at its ends have errors from twice the spacing in turn where they are twice as far away.
const farError = 1.0 / (4 * farSpacings * farSpacings) * (1 + 1.0/3)

// New returns the field of the mesh. Flaws whose meaning is certain are repaired, and Findings lists
// them. The error has all others, by kind, each with its number, places in the file and a cure.
func New(f *STL, o Options) (*Field, error) {
	if !(o.Scale > 0) || math.IsInf(o.Scale, 0) {
		return nil, fmt.Errorf("mesh: scale is %g; it must be finite and above 0", o.Scale)
	}
	if !(o.Reach >= 0) || math.IsInf(o.Reach, 0) {
		return nil, fmt.Errorf("mesh: reach is %g m; it must be finite and not below 0", o.Reach)
	}
	s, err := newSurface(f, o.Scale)
	if err != nil {
		return nil, err
	}
	loops, err := s.repair(f, o.Inside)
	if err != nil {
		return nil, err
	}
	volume, area := s.volume(loops)
	radius := 2 * math.Abs(volume) / area
	if !(radius > 0) {
		return nil, errors.New("mesh: the triangles enclose no volume: it is a sheet; give it a thickness, or use a plane")
	}
	if err := s.checkOpenings(f, loops, area); o.Inside && err != nil {
		return nil, err
	}
	if outward := volume > 0; outward == o.Inside {
		s.flip()
		loops = s.openLoops()
	}
	s.given = len(s.triangles)
	field := &Field{triangles: make([]Triangle, s.given), inside: o.Inside}
	for i := range field.triangles {
		a, b, c := s.corners(i)
		field.triangles[i] = Triangle{a, b, c}
	}
	if len(loops) > 0 {
		field.rims = s.addLips(loops)
		s.connect() // lips have points of their own
	}
	s.setNormals()
	facets := s.facets()
	field.depth = smoothDepth(facets[:s.given])
	b := &builder{field: field, tree: newTree(facets), reach: o.Reach}
	if f.Loading != nil {
		b.progress = f.Loading.Progress
	}
	if err := s.countIntersections(b.tree, f); err != nil {
		return nil, err
	}
	field.findings = s.findings
	if err := b.build(radius, area, sharpLength(facets) > maxSharpShare); err != nil {
		return nil, err
	}
	field.minRadius = max(field.spacing, s.convexRadius(facets))
	return field, nil
}

// flat is the cosine between the normals of triangles above which they are one face.
const flat = 1 - 1e-9

// maxSharpShare is the part of the length of all edges that may be sharp in a smooth surface.
const maxSharpShare = 0.02

// sharpLength returns the part of the length of edges that stay sharp.
func sharpLength(facets []facet) float64 {
	sharp, total := 0.0, 0.0
	for i := range facets {
		f := &facets[i]
		for k, length := range f.lengths() {
			total += length
			if f.sharpEdge[k] {
				sharp += length
			}
		}
	}
	return sharp / total
}

func (f *facet) lengths() [3]float64 {
	return [3]float64{f.Triangle[1].Sub(f.Triangle[0]).Norm(), f.Triangle[2].Sub(f.Triangle[1]).Norm(), f.Triangle[0].Sub(f.Triangle[2]).Norm()}
}

// convexRadius returns the radius of convex curvature that all but a small part of the length
// of edges between faces exceed, 0 if more are sharp.
func (s *surface) convexRadius(facets []facet) float64 {
	type edge struct{ radius, length float64 }
	var convex []edge
	total := 0.0
	for i := range s.given {
		f := &facets[i]
		for k, length := range f.lengths() {
			other := s.neighbours[i][k]
			if other < 0 || int(other) >= s.given {
				total += length
				continue
			}
			g := &facets[other]
			if f.normal.Dot(g.normal) > flat {
				continue // so that finer triangles of a face do not outvote its edges
			}
			total += length
			if g.Triangle[0].Add(g.Triangle[1]).Add(g.Triangle[2]).Sub(f.Triangle[0].Add(f.Triangle[1]).Add(f.Triangle[2])).Dot(f.normal) >= 0 {
				continue // concave or flat
			}
			e := edge{length: length}
			if !f.sharpEdge[k] {
				// the normal turns between the centres of the triangles
				between := (f.area() + g.area()) * 2 / (3 * length)
				e.radius = between / math.Acos(min(1, f.normal.Dot(g.normal)))
			}
			convex = append(convex, e)
		}
	}
	slices.SortFunc(convex, func(a, b edge) int {
		if a.radius < b.radius {
			return -1
		}
		if a.radius > b.radius {
			return 1
		}
		return 0
	})
	below := 0.0
	for _, e := range convex {
		if below += e.length; below > maxSharpShare*total {
			return e.radius
		}
	}
	return math.Inf(1)
}

func (f *facet) area() float64 {
	return f.Triangle[1].Sub(f.Triangle[0]).Cross(f.Triangle[2].Sub(f.Triangle[0])).Norm() / 2
}
