package mesh

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"sinew/pkg/sim/spatial"
)

// builder computes a field.
type builder struct {
	field *Field
	tree  *tree
	reach float64 // m

	progress func(share float64) // nil: nobody asks

	size      [3]int    // of the grid of corners of blocks, with two more on all sides
	distances []float64 // at these corners, m
	begin     []int32   // the nearest facets there

	pages  [][]float32 // distances at the grid points of a block, nil where none is needed
	needed [][]uint64  // bits of the points of a page that are needed
}

// build chooses the grid and fills it. The radius is that of the lumen, or the half thickness
// of a body.
func (b *builder) build(radius, area float64, sharp bool) error {
	f := b.field
	f.lo, f.hi = b.tree.nodes[0].lo, b.tree.nodes[0].hi
	f.spacing = radius / perLumen
	if sharp && b.reach > 0 {
		f.spacing = min(f.spacing, b.reach)
	}
	for ; ; f.spacing *= 1.2 {
		if f.spacing > radius/leastPer {
			return fmt.Errorf("mesh: it is too large for its fineness: a box of %.3g × %.3g × %.3g m with a lumen or thickness of about %.3g m needs a grid of more than %d cells; divide it or leave out what is not touched",
				f.hi.X-f.lo.X, f.hi.Y-f.lo.Y, f.hi.Z-f.lo.Z, 2*radius, mostCells)
		}
		if b.fits(area) && b.layOut() && b.classify() {
			break
		}
	}
	for _, c := range coefficients(b.distances, b.size) {
		f.coarse = append(f.coarse, float32(c))
	}
	b.mark()
	b.fillPages()
	b.inParallel(len(f.blocks), b.fillBlock)
	return nil
}

// fits reports whether the cells that the surface alone needs are few enough.
func (b *builder) fits(area float64) bool {
	s := b.field.spacing
	return area*(b.reach+(freeCells+wallCells)*s) <= mostCells*s*s*s
}

// layOut sets the box of the grid. It reports whether the blocks are few enough.
func (b *builder) layOut() bool {
	f := b.field
	side := blockCells * f.spacing
	margin := b.reach + marginBlocks*side
	size := f.hi.Sub(f.lo)
	total := 1.0
	for i, x := range [3]float64{size.X, size.Y, size.Z} {
		n := math.Ceil((x + 2*margin) / side)
		total *= n
		f.count[i] = int(min(n, mostBlocks))
	}
	spare := spatial.Vec{X: float64(f.count[0]), Y: float64(f.count[1]), Z: float64(f.count[2])}.Scale(side).Sub(size)
	f.origin = f.lo.AddScaled(-0.5, spare)
	return total <= mostBlocks
}

// node returns the place of a grid point.
func (b *builder) node(i, j, k int) spatial.Vec {
	f := b.field
	return f.origin.Add(spatial.Vec{X: float64(i), Y: float64(j), Z: float64(k)}.Scale(f.spacing))
}

// distance returns the distance of x, from a search that begins at a facet, and the nearest.
func (b *builder) distance(x spatial.Vec, begin int32) (float64, int32) {
	n := b.tree.nearest(x, begin)
	return b.tree.facets[n.triangle].distance(x, &n), n.triangle
}

// index returns the number of a block, and whether there is such a block.
func (f *Field) index(i, j, k int) (int, bool) {
	ok := i >= 0 && j >= 0 && k >= 0 && i < f.count[0] && j < f.count[1] && k < f.count[2]
	return (i*f.count[1]+j)*f.count[2] + k, ok
}

// position is the inverse of index.
func (f *Field) position(n int) (i, j, k int) {
	return n / (f.count[1] * f.count[2]), n / f.count[2] % f.count[1], n % f.count[2]
}

// layDistances computes the distances of the corners of blocks, with two more on all sides.
func (b *builder) layDistances() {
	f := b.field
	b.size = [3]int{f.count[0] + 5, f.count[1] + 5, f.count[2] + 5}
	n := b.size[0] * b.size[1] * b.size[2]
	b.distances, b.begin = make([]float64, n), make([]int32, n)
	var done atomic.Int64
	b.inParallel(b.size[0], func(i int) {
		last := int32(0)
		for j := range b.size[1] {
			for k := range b.size[2] {
				p := b.corner(i-2, j-2, k-2)
				b.distances[p], last = b.distance(b.node((i-2)*blockCells, (j-2)*blockCells, (k-2)*blockCells), last)
				b.begin[p] = last
			}
		}
		b.reportProgress(0, done.Add(1), b.size[0])
	})
}

// corner is the index of the first corner of a block among the distances.
func (b *builder) corner(i, j, k int) int { return ((i+2)*b.size[1]+j+2)*b.size[2] + k + 2 }

// classify decides which blocks are kept. It reports whether they are few enough.
func (b *builder) classify() bool {
	f := b.field
	b.layDistances()
	f.blocks = make([]int32, f.count[0]*f.count[1]*f.count[2])
	f.rooms = make([]float32, len(f.blocks))
	kept := int32(0)
	for n := range f.blocks {
		if f.blocks[n], f.rooms[n] = b.class(f.position(n)); f.blocks[n] == keep {
			f.blocks[n] = kept
			kept++
		}
	}
	if kept*page > mostCells {
		return false
	}
	f.fine = make([]float32, kept*blockSize)
	return true
}

// keep is the class of a block that is near the surface.
const keep = 0

// class returns free, wall or keep, and of a free block how near (m) the wall may be to its
// points. No point of a block is farther than half its diagonal from its nearest corner and
// from its centre.
func (b *builder) class(x, y, z int) (class int32, room float32) {
	s := b.field.spacing
	half := blockCells * s / 2 * math.Sqrt(3)
	above, below := half+b.reach+freeCells*s, -half-wallCells*s
	least, most, nearest := math.Inf(1), math.Inf(-1), math.Inf(1)
	for c := range 8 {
		d := b.distances[b.corner(x+c>>2, y+c>>1&1, z+c&1)]
		least, most, nearest = min(least, d), max(most, d), min(nearest, math.Abs(d))
	}
	if least < 0 && most > 0 && nearest > max(above, -below) {
		return free, 0 // outside, beside a lip, the sign changes with no wall between
	}
	if least <= above && most >= below {
		const mid = blockCells / 2
		d, _ := b.distance(b.node(x*blockCells+mid, y*blockCells+mid, z*blockCells+mid), b.begin[b.corner(x, y, z)])
		least, most = d, d
	}
	switch {
	case least > above:
		return free, float32(least - half)
	case most < below:
		return wall, 0
	}
	return keep, 0
}

// page is the number of grid points of a block that are its own.
const page = blockCells * blockCells * blockCells

// around are the points of a neighbour of a block that the block needs, by the position of
// the neighbour, −1 to 1.
var around = [3][2]int{{blockCells - 2, blockCells}, {0, blockCells}, {0, 3}}

// mark finds the grid points that the kept blocks need. Beyond the outermost blocks there are
// none: those are not kept.
func (b *builder) mark() {
	f := b.field
	b.pages, b.needed = make([][]float32, len(f.blocks)), make([][]uint64, len(f.blocks))
	for n, block := range f.blocks {
		if block < 0 {
			continue
		}
		x, y, z := f.position(n)
		for o := range 27 {
			dx, dy, dz := o/9, o/3%3, o%3
			m, ok := f.index(x+dx-1, y+dy-1, z+dz-1)
			if !ok {
				continue
			}
			if b.needed[m] == nil {
				b.needed[m] = make([]uint64, page/64)
			}
			for i := around[dx][0]; i < around[dx][1]; i++ {
				for j := around[dy][0]; j < around[dy][1]; j++ {
					for k := around[dz][0]; k < around[dz][1]; k++ {
						p := (i*blockCells+j)*blockCells + k
						b.needed[m][p/64] |= 1 << (p % 64)
					}
				}
			}
		}
	}
}

// fillPages computes the distances of all pages, which takes most of the time.
func (b *builder) fillPages() {
	var done atomic.Int64
	b.inParallel(len(b.pages), func(n int) {
		b.fillPage(n)
		b.reportProgress(0.5, done.Add(1), len(b.pages))
	})
}

// reportProgress reports that so many of all parts of one half of the work are done, not after each one.
func (b *builder) reportProgress(from float64, done int64, all int) {
	const reports = 50
	if b.progress != nil && done%max(1, int64(all)/reports) == 0 {
		b.progress(from + float64(done)/float64(2*all))
	}
}

// fillPage computes the distances at the points of block n that are needed, by cubes of points
// for which the same triangles may be the nearest.
func (b *builder) fillPage(n int) {
	if b.needed[n] == nil {
		return
	}
	const half = (cubeSide - 1) / 2.0 // of a cube, cells
	s := b.field.spacing
	x, y, z := b.field.position(n)
	values := make([]float32, page)
	near := cluster{tree: b.tree, last: b.begin[b.corner(x, y, z)]}
	for cube := range 8 {
		i0, j0, k0 := cube>>2*cubeSide, cube>>1&1*cubeSide, cube&1*cubeSide
		gathered := false
		for p := range cubeSide * cubeSide * cubeSide {
			i, j, k := i0+p/(cubeSide*cubeSide), j0+p/cubeSide%cubeSide, k0+p%cubeSide
			at := (i*blockCells+j)*blockCells + k
			if b.needed[n][at/64]>>(at%64)&1 == 0 {
				continue
			}
			if !gathered {
				corner := b.node(x*blockCells+i0, y*blockCells+j0, z*blockCells+k0)
				near.gather(corner.Add(spatial.Vec{X: half, Y: half, Z: half}.Scale(s)), half*math.Sqrt(3)*s)
				gathered = true
			}
			g := b.node(x*blockCells+i, y*blockCells+j, z*blockCells+k)
			found := near.nearest(g)
			values[at] = float32(b.tree.facets[found.triangle].distance(g, &found))
		}
	}
	b.pages[n] = values
}

// fillBlock computes the coefficients of block n if it is kept.
func (b *builder) fillBlock(n int) {
	f := b.field
	block := f.blocks[n]
	if block < 0 {
		return
	}
	const side = blockSide + 2
	v := make([]float64, 0, side*side*side)
	x, y, z := f.position(n)
	for i := -2; i < side-2; i++ {
		for j := -2; j < side-2; j++ {
			for k := -2; k < side-2; k++ {
				const c = blockCells // added to be divided without a sign
				v = append(v, float64(b.value(x+(i+c)/c-1, y+(j+c)/c-1, z+(k+c)/c-1, (i+c)%c, (j+c)%c, (k+c)%c)))
			}
		}
	}
	to := f.fine[int(block)*blockSize:]
	for i, c := range coefficients(v, [3]int{side, side, side}) {
		to[i] = float32(c)
	}
}

// value returns the distance at point i, j, k of the block x, y, z.
func (b *builder) value(x, y, z, i, j, k int) float32 {
	n, ok := b.field.index(x, y, z)
	if !ok {
		panic("mesh: a block at the border of the grid is kept")
	}
	return b.pages[n][(i*blockCells+j)*blockCells+k]
}

// inParallel calls do with 0 to n − 1 on all processors.
func (b *builder) inParallel(n int, do func(i int)) {
	var wait sync.WaitGroup
	var taken atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := int(taken.Add(1)) - 1; i < n; i = int(taken.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wait.Wait()
}
