package mesh

import "sinew/pkg/sim/spatial"

// Sizes of a block: a cube of cells, with the spline coefficients of all its cells.
const (
	blockCells = 8
	blockSide  = blockCells + 3
	blockSize  = blockSide * blockSide * blockSide
)

// Values of Field.blocks of blocks that are not kept.
const (
	free = -1 // nothing is near
	wall = -2 // deep in the wall
)

// Field is the signed distance to a surface. It is immutable.
type Field struct {
	origin  spatial.Vec // of the grid, m
	spacing float64     // m
	count   [3]int      // blocks along the axes
	blocks  []int32     // what is at a block: the number of kept ones, or free or wall
	rooms   []float32   // by block: no wall is nearer to any point of a free one, m
	fine    []float32   // coefficients of the kept blocks
	coarse  []float32   // coefficients of the grid of the corners of blocks

	lo, hi    spatial.Vec // box of the surface, m
	minRadius float64
	triangles []Triangle
	rims      []Rim
	findings  []Finding
	depth     float64 // m; see FacetDepth
	inside    bool    // the free side is enclosed
}

// Lengths of gradients, which should be 1.
const (
	leastGradient = 0.05 // below, the wall has no direction: in the middle of a lumen
	mostGradient  = 1.5  // above, the sign changes with no wall between: outside, beside a lip
)

// At sets distance (m), gradient and Hessian (1/m) of the field at p (m). It returns false
// where no contact is possible: where nothing is near, in the middle of a lumen and
// outside of the grid.
func (f *Field) At(p spatial.Vec, distance *float64, gradient *spatial.Vec, hessian *spatial.Mat3) bool {
	perLength := 1 / f.spacing
	q := p.Sub(f.origin).Scale(perLength)
	if !(q.X >= 0 && q.Y >= 0 && q.Z >= 0) {
		return false
	}
	const cells = blockCells
	nx, ny, nz := f.count[0], f.count[1], f.count[2]
	if !(q.X < float64(nx*cells) && q.Y < float64(ny*cells) && q.Z < float64(nz*cells)) {
		return false
	}
	i, j, k := int(q.X), int(q.Y), int(q.Z)
	var at jet
	switch block := int(f.blocks[((i/cells)*ny+j/cells)*nz+k/cells]); block {
	case free:
		return false
	case wall:
		perLength /= cells
		q = q.Scale(1.0 / cells)
		i, j, k = i/cells, j/cells, k/cells
		x, y, z := newBasis(q.X-float64(i)), newBasis(q.Y-float64(j)), newBasis(q.Z-float64(k))
		sy := nz + 3
		sx := (ny + 3) * sy
		at.evaluate(f.coarse[i*sx+j*sy+k:], sx, sy, &x, &y, &z)
	default:
		x, y, z := newBasis(q.X-float64(i)), newBasis(q.Y-float64(j)), newBasis(q.Z-float64(k))
		in := ((i%cells)*blockSide+j%cells)*blockSide + k%cells
		at.evaluate(f.fine[block*blockSize+in:], blockSide*blockSide, blockSide, &x, &y, &z)
	}
	*distance = at.value
	*gradient = at.gradient(perLength)
	*hessian = at.hessian(perLength)
	length := gradient.Norm2()
	return (at.value < 0 || length >= leastGradient*leastGradient) && length <= mostGradient*mostGradient
}

// coarsePage sets the values of the coarse grid at the points of a block that are needed.
func (f *Field) coarsePage(x, y, z int, needed *points, values []float32) {
	var splines [blockCells]basis
	for i := range splines {
		splines[i] = newBasis(float64(i) / blockCells)
	}
	sy := f.count[2] + 3
	sx := (f.count[1] + 3) * sy
	for p := range values {
		i, j, k := p/(blockCells*blockCells), p/blockCells%blockCells, p%blockCells
		if needed[i]>>(blockCells*j+k)&1 != 0 {
			var at jet
			at.evaluate(f.coarse[x*sx+y*sy+z:], sx, sy, &splines[i], &splines[j], &splines[k])
			values[p] = float32(at.value)
		}
	}
}

// Clearance returns a distance (m), 0 if none is known, within which of p there is no wall where At
// returns false.
func (f *Field) Clearance(p spatial.Vec) float64 {
	lo, hi := f.Bounds()
	out := most(most(lo.Sub(p), p.Sub(hi)), spatial.Vec{})
	if out != (spatial.Vec{}) {
		return out.Norm() // beyond the grid there is none
	}
	q := p.Sub(f.origin).Scale(1 / (blockCells * f.spacing))
	n, ok := f.index(int(q.X), int(q.Y), int(q.Z))
	if ok && f.blocks[n] == free {
		return float64(f.rooms[n])
	}
	var distance float64
	var gradient spatial.Vec
	var hessian spatial.Mat3
	if f.At(p, &distance, &gradient, &hessian); gradient.Norm2() < leastGradient*leastGradient {
		return max(0, distance-f.spacing) // the spline rounds the distance off by less
	}
	return 0
}

// Spacing returns the spacing of the grid (m).
func (f *Field) Spacing() float64 { return f.spacing }

// MinRadius returns the radius (m) that 98 % of the length of the edges of the surface exceed
// where it is convex, at least the spacing of the grid.
func (f *Field) MinRadius() float64 { return f.minRadius }

// Bounds returns the box (m) of the grid: outside of it At returns false.
func (f *Field) Bounds() (lo, hi spatial.Vec) {
	size := spatial.Vec{X: float64(f.count[0]), Y: float64(f.count[1]), Z: float64(f.count[2])}
	return f.origin, f.origin.AddScaled(blockCells*f.spacing, size)
}

// Triangles returns the triangles of the file in m, turned so that their normals point to
// the free side. They are shared and not to be changed.
func (f *Field) Triangles() []Triangle { return f.triangles }

// Findings lists the flaws of the file that are repaired or left. They are shared and not to be
// changed.
func (f *Field) Findings() []Finding { return f.findings }

// FacetDepth returns the largest distance (m) between the facets and the smooth surface through
// their corners, on which contact acts.
func (f *Field) FacetDepth() float64 { return f.depth }
