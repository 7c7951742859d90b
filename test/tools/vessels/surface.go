package vessels

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Surface returns the wall of the lumen from the plane x = from to x = to (m), where its ends
// are open, as triangles whose normals point into the wall. They are the dual of a grid of
// cells: a corner in every cell that the wall passes, moved onto the wall, and two triangles
// about every edge of the grid that pierces it. Where the wall passes a cell twice an edge
// has four triangles, and where corners meet triangles are needles; then the grid is moved. ok is false if that never helps.
func (l *Lumen) Surface(from, to float64, cell spatial.Vec) (triangles [][3]spatial.Vec, ok bool) {
	const tries = 20
	low, high := l.bounds(math.Max(cell.Y, cell.Z))
	g := grid{lumen: l, cells: [3]int{
		int(math.Round((to - from) / cell.X)),
		int(math.Ceil((high.Y-low.Y)/cell.Y)) + 1,
		int(math.Ceil((high.Z-low.Z)/cell.Z)) + 1,
	}}
	g.cell = spatial.Vec{X: (to - from) / float64(g.cells[0]), Y: cell.Y, Z: cell.Z}
	for try := range tries {
		const golden, silver = 0.6180339887, 0.4142135624
		_, y := math.Modf(float64(try) * golden)
		_, z := math.Modf(float64(try) * silver)
		g.low = spatial.Vec{X: from, Y: low.Y - y*cell.Y, Z: low.Z - z*cell.Z}
		g.measure()
		if quads := g.quads(); twoSided(quads) {
			g.place()
			if triangles = g.divide(quads); g.wide(triangles) {
				return triangles, true
			}
		}
	}
	return nil, false
}

// grid is the cells in which a surface is looked for.
type grid struct {
	lumen   *Lumen
	low     spatial.Vec // of its first corner, m
	cell    spatial.Vec // edges, m
	cells   [3]int
	excess  []float64     // at the corners of cells
	corners []spatial.Vec // of triangles, one for each cell
}

// steps are the three neighbours of a cell.
var steps = [3][3]int{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}

func (g *grid) node(i, j, k int) int { return (i*(g.cells[1]+1)+j)*(g.cells[2]+1) + k }

func (g *grid) at(i, j, k int) spatial.Vec {
	return g.low.Add(spatial.Vec{X: float64(i) * g.cell.X, Y: float64(j) * g.cell.Y, Z: float64(k) * g.cell.Z})
}

// measure computes the excess at all corners of cells.
func (g *grid) measure() {
	g.excess = g.excess[:0]
	for i := range g.cells[0] + 1 {
		for j := range g.cells[1] + 1 {
			for k := range g.cells[2] + 1 {
				g.excess = append(g.excess, g.lumen.Excess(g.at(i, j, k)))
			}
		}
	}
}

// place finds the corner of each cell: the mean of where its edges pierce the wall, moved
// onto it. At the open ends it stays in the plane of the end.
func (g *grid) place() {
	g.corners = make([]spatial.Vec, len(g.excess))
	for i := range g.cells[0] {
		for j := range g.cells[1] {
			for k := range g.cells[2] {
				if p, ok := g.mean(i, j, k); ok {
					atEnd := i == 0 || i == g.cells[0]-1
					if i == 0 {
						p.X = g.low.X
					} else if atEnd {
						p.X = g.at(g.cells[0], 0, 0).X
					}
					g.corners[g.node(i, j, k)] = g.onto(p, atEnd)
				}
			}
		}
	}
}

// mean is the mean of the points where the wall pierces the edges of a cell.
func (g *grid) mean(i, j, k int) (mean spatial.Vec, ok bool) {
	count := 0.0
	for c := range 8 {
		a := [3]int{i + c&1, j + c>>1&1, k + c>>2&1}
		for d, s := range steps {
			if c>>d&1 == 1 {
				continue
			}
			b := [3]int{a[0] + s[0], a[1] + s[1], a[2] + s[2]}
			ea, eb := g.excess[g.node(a[0], a[1], a[2])], g.excess[g.node(b[0], b[1], b[2])]
			if (ea < 0) == (eb < 0) {
				continue
			}
			pa, pb := g.at(a[0], a[1], a[2]), g.at(b[0], b[1], b[2])
			mean = mean.Add(pa.AddScaled(ea/(ea-eb), pb.Sub(pa)))
			count++
		}
	}
	return mean.Scale(1 / math.Max(count, 1)), count > 0
}

// onto moves a point to the wall by Newton's method, in its plane x if flat.
func (g *grid) onto(p spatial.Vec, flat bool) spatial.Vec {
	const iterations = 8
	for range iterations {
		d := g.lumen.gradient(p, 1e-4*g.cell.Y)
		if flat {
			d.X = 0
		}
		p = p.AddScaled(-g.lumen.Excess(p)/d.Dot(d), d)
	}
	return p
}

// quads are the four cells about every edge that pierces the wall, in order.
func (g *grid) quads() (all [][4]int) {
	for i := range g.cells[0] {
		for j := range g.cells[1] {
			for k := range g.cells[2] {
				for d, s := range steps {
					u, v := steps[(d+1)%3], steps[(d+2)%3]
					if i < u[0]+v[0] || j < u[1]+v[1] || k < u[2]+v[2] {
						continue // the edge is at the border of the grid
					}
					a, b := g.excess[g.node(i, j, k)], g.excess[g.node(i+s[0], j+s[1], k+s[2])]
					if (a < 0) == (b < 0) {
						continue
					}
					cell := func(p, q int) int { return g.node(i-p*u[0]-q*v[0], j-p*u[1]-q*v[1], k-p*u[2]-q*v[2]) }
					quad := [4]int{cell(0, 0), cell(1, 0), cell(1, 1), cell(0, 1)}
					if a >= 0 {
						quad[1], quad[3] = quad[3], quad[1]
					}
					all = append(all, quad)
				}
			}
		}
	}
	return all
}

// twoSided reports whether no edge is in more than two quads.
func twoSided(quads [][4]int) bool {
	count := map[[2]int]int{}
	for _, q := range quads {
		for i, a := range q {
			b := q[(i+1)%4]
			edge := [2]int{min(a, b), max(a, b)}
			if count[edge]++; count[edge] > 2 {
				return false
			}
		}
	}
	return true
}

// divide cuts quads along their shorter diagonals.
func (g *grid) divide(quads [][4]int) (all [][3]spatial.Vec) {
	for _, q := range quads {
		a, b, c, d := g.corners[q[0]], g.corners[q[1]], g.corners[q[2]], g.corners[q[3]]
		if a.Sub(c).Norm() < b.Sub(d).Norm() {
			all = append(all, [3]spatial.Vec{a, b, c}, [3]spatial.Vec{a, c, d})
		} else {
			all = append(all, [3]spatial.Vec{a, b, d}, [3]spatial.Vec{b, c, d})
		}
	}
	return all
}

// wide reports whether no edge is much shorter than those of cells.
func (g *grid) wide(triangles [][3]spatial.Vec) bool {
	const shortest = 1e-3
	for _, t := range triangles {
		for i, p := range t {
			if p.Sub(t[(i+1)%3]).Norm() < shortest*g.cell.Y {
				return false
			}
		}
	}
	return true
}
