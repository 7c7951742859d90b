package mesh

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// crease is the cosine of the angle by which an edge of a smooth surface may turn.
var crease = math.Cos(40 * math.Pi / 180)

// facet is a triangle with what the distance to it needs.
type facet struct {
	Triangle                // m
	normal   spatial.Vec    // unit
	corner   [3]spatial.Vec // normals of the smooth surface at the corners, unit
	height   float64        // over the longest edge, m

	// pseudonormals of the edges from a to b, b to c, c to a, and of a, b, c: where the
	// nearest point is on one of them, the side on which they point is the free one
	edges, corners [3]spatial.Vec

	sharpEdge, sharpCorner [3]bool
}

// facets returns the triangles with normals of smooth surfaces.
func (s *surface) facets() []facet {
	all := make([]facet, len(s.triangles))
	groups := newUnionFind(3 * len(all)) // of corners of triangles that are of one smooth surface
	sharp := make([]bool, len(s.points))
	for i := range all {
		f := &all[i]
		f.Triangle[0], f.Triangle[1], f.Triangle[2] = s.corners(i)
		f.normal = s.normals[i]
		longest := f.lengths()
		f.height = 2 * f.area() / max(longest[0], longest[1], longest[2])
		for k := range 3 {
			other := s.neighbours[i][k]
			f.edges[k] = f.normal
			f.sharpEdge[k] = other < 0
			if other >= 0 {
				f.edges[k] = f.normal.Add(s.normals[other])
				f.sharpEdge[k] = f.normal.Dot(s.normals[other]) < crease
			}
			from, to := s.triangles[i][k], s.triangles[i][next[k]]
			if f.sharpEdge[k] {
				sharp[from], sharp[to] = true, true
				continue
			}
			for m, p := range s.triangles[other] {
				if p == from {
					groups.join(3*i+k, 3*int(other)+m)
				}
				if p == to {
					groups.join(3*i+next[k], 3*int(other)+m)
				}
			}
		}
	}
	around := make([]spatial.Vec, len(s.points)) // all normals about a corner
	smooth := make([]spatial.Vec, 3*len(all))    // those of one surface
	for i := range all {
		for k := range 3 {
			angle := s.angle(i, k)
			p := s.triangles[i][k]
			around[p] = around[p].AddScaled(angle, s.normals[i])
			// The area counts too, so that a narrow rounding does not bend a large face.
			g := groups.root(3*i + k)
			smooth[g] = smooth[g].AddScaled(angle*all[i].area(), s.normals[i])
		}
	}
	for i := range all {
		for k := range 3 {
			p := s.triangles[i][k]
			all[i].corners[k] = around[p]
			all[i].sharpCorner[k] = sharp[p]
			all[i].corner[k] = smooth[groups.root(3*i+k)].Unit()
		}
	}
	return all
}

// angle returns the angle of triangle i at its corner k.
func (s *surface) angle(i, k int) float64 {
	t := &s.triangles[i]
	p := s.points[t[k]]
	u, v := s.points[t[next[k]]].Sub(p), s.points[t[next[next[k]]]].Sub(p)
	return math.Atan2(u.Cross(v).Norm(), u.Dot(v))
}

// unionFind are disjoint sets of numbers.
type unionFind []int32

func newUnionFind(n int) unionFind {
	g := make(unionFind, n)
	for i := range g {
		g[i] = int32(i)
	}
	return g
}

func (g unionFind) root(i int) int {
	for int(g[i]) != i {
		g[i] = g[g[i]]
		i = int(g[i])
	}
	return i
}

func (g unionFind) join(i, j int) {
	i, j = g.root(i), g.root(j)
	g[max(i, j)] = int32(min(i, j))
}
