package mesh

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
)

// edgeOf is an edge of a triangle: the one from its corner k to the next.
type edgeOf struct{ triangle, k int32 }

// Values of neighbours where there is none.
const (
	open    = -1 // the surface ends
	crowded = -2 // more than two triangles meet, and are not paired
)

// halfEdge is an edge of a triangle by its points, the smaller number first.
type halfEdge struct {
	lo, hi int32
	edgeOf
	forward bool // the triangle runs from lo to hi
}

// halfEdges returns the edges of all triangles, those between the same points side by side, in the
// order of the triangles.
func (s *surface) halfEdges() []halfEdge {
	all := make([]halfEdge, 0, 3*len(s.triangles))
	for i := range s.triangles {
		for k := range 3 {
			a, b := s.triangles[i][k], s.triangles[i][next[k]]
			all = append(all, halfEdge{min(a, b), max(a, b), edgeOf{int32(i), int32(k)}, a < b})
		}
	}
	slices.SortStableFunc(all, func(x, y halfEdge) int {
		if c := cmp.Compare(x.lo, y.lo); c != 0 {
			return c
		}
		return cmp.Compare(x.hi, y.hi)
	})
	return all
}

// groups yields the half edges between the same points.
func groups(all []halfEdge) iter.Seq[[]halfEdge] {
	return func(yield func([]halfEdge) bool) {
		for from := 0; from < len(all); {
			to := from + 1
			for to < len(all) && all[to].lo == all[from].lo && all[to].hi == all[from].hi {
				to++
			}
			if !yield(all[from:to]) {
				return
			}
			from = to
		}
	}
}

// join makes two triangles neighbours across an edge.
func (s *surface) join(a, b *halfEdge) {
	s.neighbours[a.triangle][a.k] = b.triangle
	s.neighbours[b.triangle][b.k] = a.triangle
}

// connect sets the neighbours across edges of two triangles, and then across those of more, where
// it pairs the triangles that bound the same solid. It returns the edges of which a triangle is
// left.
func (s *surface) connect() (left [][]halfEdge) {
	s.neighbours = make([][3]int32, len(s.triangles))
	for i := range s.neighbours {
		s.neighbours[i] = [3]int32{open, open, open}
	}
	for g := range groups(s.halfEdges()) {
		switch {
		case len(g) == 1:
		case len(g) == 2 && g[0].forward != g[1].forward:
			s.join(&g[0], &g[1])
		case !s.pair(g):
			left = append(left, slices.Clone(g))
			for i := range g {
				s.neighbours[g[i].triangle][g[i].k] = crowded
			}
		}
	}
	return left
}

// pair joins triangles around one edge in pairs that bound the same solid: a normal points away
// from it, so that the solid is on the side of growing angles of a triangle that runs backward along
// the edge, and ends at the next triangle, which runs forward. It reports whether none is left.
func (s *surface) pair(g []halfEdge) bool {
	p, q := s.points[g[0].lo], s.points[g[0].hi]
	axis := q.Sub(p).Unit()
	opposite := func(h *halfEdge) spatial.Vec {
		v := s.points[s.triangles[h.triangle][next[next[h.k]]]].Sub(p)
		return v.AddScaled(-v.Dot(axis), axis)
	}
	u := opposite(&g[0]).Unit()
	v := axis.Cross(u)
	type spoke struct {
		*halfEdge
		angle float64
	}
	ring := make([]spoke, len(g))
	for i := range g {
		o := opposite(&g[i])
		ring[i] = spoke{&g[i], math.Atan2(o.Dot(v), o.Dot(u))}
	}
	slices.SortStableFunc(ring, func(a, b spoke) int { return cmp.Compare(a.angle, b.angle) })
	for len(ring) >= 2 {
		found := false
		for i := range ring {
			j := (i + 1) % len(ring)
			if !ring[i].forward && ring[j].forward {
				s.join(ring[i].halfEdge, ring[j].halfEdge)
				ring = slices.DeleteFunc(ring, func(r spoke) bool {
					return r.halfEdge == ring[i].halfEdge || r.halfEdge == ring[j].halfEdge
				})
				found = true
				break
			}
		}
		if !found {
			return false
		}
	}
	return len(ring) == 0
}

// loop is an open edge of the surface, in the direction of its triangles.
type loop struct {
	points []int32
	edges  []edgeOf    // edges[i] is from points[i] to the next
	center spatial.Vec // m
	axis   spatial.Vec // unit: the direction in which the wall runs out there
	runs   float64     // how much of the wall does: 1 at the end of a pipe, 0 at a hole in a plane
	radius float64     // mean distance of the points from the axis, m
	length float64     // m
	area   float64     // within it, as seen along the direction in which it is largest, m²
}

// openLoops returns the loops of open edges, of a surface whose sheets have corners of their own.
func (s *surface) openLoops() (loops []loop) {
	from := map[int32]edgeOf{}
	var order []int32
	for i := range s.triangles {
		for k := range 3 {
			if s.neighbours[i][k] != open {
				continue
			}
			p := s.triangles[i][k]
			from[p] = edgeOf{int32(i), int32(k)}
			order = append(order, p)
		}
	}
	for _, start := range order {
		if _, open := from[start]; !open {
			continue
		}
		var l loop
		p := start
		for e, ok := from[p]; ok; e, ok = from[p] {
			delete(from, p)
			l.points, l.edges = append(l.points, p), append(l.edges, e)
			p = s.triangles[e.triangle][next[e.k]]
		}
		if p != start {
			continue // the border of a fin, which ends at edges of more than two triangles
		}
		s.measure(&l)
		loops = append(loops, l)
	}
	return loops
}

// measure sets the centre, axis and radius of the loop.
func (s *surface) measure(l *loop) {
	var out spatial.Vec
	length := 0.0
	for i, e := range l.edges {
		a, b := s.points[l.points[i]], s.points[l.points[(i+1)%len(l.points)]]
		along := b.Sub(a)
		out = out.Add(along.Cross(s.normal(int(e.triangle))))
		length += along.Norm()
		l.center = l.center.AddScaled(along.Norm()/2, a.Add(b))
	}
	l.center = l.center.Scale(1 / length)
	var twice spatial.Vec
	for i, p := range l.points {
		q := l.points[(i+1)%len(l.points)]
		twice = twice.Add(s.points[p].Sub(l.center).Cross(s.points[q].Sub(l.center)))
	}
	l.length, l.area = length, twice.Norm()/2
	l.runs = out.Norm() / length
	if l.axis = out.Unit(); !l.axis.IsFinite() {
		l.axis = spatial.Vec{} // a hole in a plane
	}
	for _, i := range l.points {
		q := s.points[i].Sub(l.center)
		l.radius += q.AddScaled(-q.Dot(l.axis), l.axis).Norm() / float64(len(l.points))
	}
}

// leastRun is how much of a wall must run out to an open end.
const leastRun = 0.5

// checkLoops refuses holes.
func (s *surface) checkLoops(f *STL, loops []loop, inside bool) error {
	holes, edges, widest := flaw{}, 0, 0.0
	for i := range loops {
		l := &loops[i]
		if inside && l.runs >= leastRun {
			continue
		}
		if holes.add(int(s.source[l.edges[0].triangle]), l.center); 2*l.radius >= widest {
			widest, edges = 2*l.radius, len(l.edges)
		}
	}
	size := fmt.Sprintf("hole of %d edges, %.3g m wide", edges, widest)
	sizes := fmt.Sprintf("holes, the widest a hole of %d edges, %.3g m wide", edges, widest)
	cure := "it is within the wall and not at the end of a vessel: close it, for example by Fill Holes of Blender or Close Holes of MeshLab"
	if !inside {
		cure = "only with inside: true may a mesh be open, at the ends of vessels: set it for a vessel, or close the mesh, for example by Close Holes of MeshLab"
	}
	if _, area := s.volume(loops); slices.ContainsFunc(loops, func(l loop) bool { return l.isTooWide(loops, area) || l.slimness() > maxSlimness }) {
		cure = "an open surface and no lumen: " + openSurfaceCure
	}
	return holes.err(f, size, sizes, cure)
}

// maxOpening is the largest area of an only opening over that of the wall, which a hemisphere has.
const maxOpening = 0.5

// maxSlimness is the largest slimness of the end of a vessel, which is 1 for a circle. A pipe that is cut by a plane has it
// at 10 degrees to its axis; one that is slit along its length by 120 degrees or less has 3 or more.
const maxSlimness = 2.5

// slimness returns the square of the length of the loop over that of a circle of the same area.
func (l *loop) slimness() float64 { return l.length * l.length / (4 * math.Pi * l.area) }

// isTooWide reports whether the loop is the only one, and too wide for the opening of a lumen whose wall has the area (m²).
func (l *loop) isTooWide(all []loop, area float64) bool {
	return len(all) == 1 && l.area > maxOpening*area
}

// checkOpenings refuses a surface of some area (m²) that encloses no lumen, as of a vessel that was cut along its length: its only
// opening is larger than that of a hemisphere, or one is too slim for the end of a vessel.
func (s *surface) checkOpenings(f *STL, loops []loop, area float64) error {
	for i := range loops {
		l := &loops[i]
		var is string
		switch {
		case l.isTooWide(loops, area):
			is = fmt.Sprintf("%.2g of the area of the wall, allowed with inside: up to %g, as of a hemisphere", l.area/area, maxOpening)
		case l.slimness() > maxSlimness:
			is = fmt.Sprintf("%.3g m² within a length of %.3g m, whose square is %.2g times that around a circle of this area, allowed with inside: up to %g, as of a pipe that is cut at 10 degrees to its axis", l.area, l.length, l.slimness(), maxSlimness)
		default:
			continue
		}
		which := "its only opening"
		if len(loops) > 1 {
			which = fmt.Sprintf("one of its %d openings", len(loops))
		}
		return fmt.Errorf("mesh: an open surface and no lumen: %s, of %d edges beside %s, has %s; %s",
			which, len(l.edges), f.Location(int(s.source[l.edges[0].triangle])), is, openSurfaceCure)
	}
	return nil
}

// openSurfaceCure says what to do with a surface that encloses no lumen.
const openSurfaceCure = "a vessel that was cut along its length is closed again in the program that made it, a crack by Fill Holes of Blender or Close Holes of MeshLab, and an open channel needs a wall with thickness and no inside"

// volume returns the volume (m³) within the surface, with its loops closed, positive if
// normals point out of it, and the area (m²).
func (s *surface) volume(loops []loop) (volume, area float64) {
	o := s.points[0]
	add := func(a, b, c spatial.Vec) float64 { return a.Sub(o).Dot(b.Sub(o).Cross(c.Sub(o))) / 6 }
	for i := range s.triangles {
		a, b, c := s.corners(i)
		volume += add(a, b, c)
		area += b.Sub(a).Cross(c.Sub(a)).Norm() / 2
	}
	for i := range loops {
		l := &loops[i]
		for k, p := range l.points {
			volume += add(s.points[l.points[(k+1)%len(l.points)]], s.points[p], l.center)
		}
	}
	return volume, area
}
