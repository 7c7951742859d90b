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

	size      lattice   // of the grid of corners of blocks, with two more on all sides
	distances []float64 // at these corners, m
	begin     []int32   // the nearest facets there

	pages  [][]float32 // distances at the grid points of a block, nil where none is needed
	needed []*points   // those of a page that are needed, nil if none is
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
	b.size = lattice{f.count[0] + 5, f.count[1] + 5, f.count[2] + 5}
	b.distances, b.begin = b.layLattice(b.size, b.node(-2*blockCells, -2*blockCells, -2*blockCells), blockCells*f.spacing)
}

// layLattice computes the distances at points of a lattice, and the numbers of the nearest facets. Far from the surface it
// interpolates between every other point along each axis, and the number is 0.
func (b *builder) layLattice(n lattice, origin spatial.Vec, spacing float64) (distances []float64, facets []int32) {
	distances, facets = make([]float64, n.count()), make([]int32, n.count())
	other := lattice{n[0]/2 + 1, n[1]/2 + 1, n[2]/2 + 1}
	isFar := make([]bool, other.count())
	var around []float64
	if max(n[0], n[1], n[2]) > blockCells {
		around, _ = b.layLattice(other, origin, 2*spacing)
		for p := range isFar {
			isFar[p] = other.isFar(around, other.at(p), (farSpacings+1)*2*spacing) // no point of a cell is nearer by more than 0.87 spacings
		}
	}
	d := descent{
		tree: b.tree, origin: origin, spacing: spacing,
		wanted: func(lo, hi [3]int) bool {
			for i := lo[0] / 2; 2*i < hi[0]; i++ {
				for j := lo[1] / 2; 2*j < hi[1]; j++ {
					for k := lo[2] / 2; 2*k < hi[2]; k++ {
						if !isFar[other.index([3]int{i, j, k})] {
							return true
						}
					}
				}
			}
			return false
		},
		set: func(at [3]int, x spatial.Vec, found *nearest) {
			p := n.index(at)
			distances[p], facets[p] = b.tree.facets[found.triangle].distance(x, found), found.triangle
		},
	}
	b.inCubes(n, func(lo, hi [3]int) {
		if d := d; d.wanted(lo, hi) {
			d.search(lo, hi, 0)
		}
		for i := lo[0]; i < hi[0]; i++ {
			for j := lo[1]; j < hi[1]; j++ {
				for k := lo[2]; k < hi[2]; k++ {
					if isFar[other.index([3]int{i / 2, j / 2, k / 2})] {
						distances[n.index([3]int{i, j, k})] = other.between(around, [3]int{i, j, k})
					}
				}
			}
		}
	})
	return distances, facets
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
		return free, float32(least*(1-farError) - half)
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

// points is a set of points of a block: bit 8 j + k of element i is that of the point i, j, k.
type points [blockCells]uint64

// layer returns the bits of the points of a layer from lo to before hi.
func layer(lo, hi [3]int) (bits uint64) {
	row := uint64(1)<<hi[2] - uint64(1)<<lo[2]
	for j := lo[1]; j < hi[1]; j++ {
		bits |= row << (blockCells * j)
	}
	return bits
}

// add adds the points from lo to before hi.
func (s *points) add(lo, hi [3]int) {
	bits := layer(lo, hi)
	for i := lo[0]; i < hi[0]; i++ {
		s[i] |= bits
	}
}

// any reports whether one of the points from lo to before hi is in the set.
func (s *points) any(lo, hi [3]int) bool {
	bits, found := layer(lo, hi), uint64(0)
	for i := lo[0]; i < hi[0]; i++ {
		found |= s[i]
	}
	return found&bits != 0
}

// mark finds the grid points that the kept blocks need. Beyond the outermost blocks there are
// none: those are not kept.
func (b *builder) mark() {
	f := b.field
	b.pages, b.needed = make([][]float32, len(f.blocks)), make([]*points, len(f.blocks))
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
				b.needed[m] = &points{}
			}
			b.needed[m].add([3]int{around[dx][0], around[dy][0], around[dz][0]}, [3]int{around[dx][1], around[dy][1], around[dz][1]})
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

// fillPage computes the distances at the points of block n that are needed.
func (b *builder) fillPage(n int) {
	if b.needed[n] == nil {
		return
	}
	x, y, z := b.field.position(n)
	values := make([]float32, page)
	if b.field.blocks[n] == wall { // as At has it there
		b.field.coarsePage(x, y, z, b.needed[n], values)
		b.pages[n] = values
		return
	}
	first := [3]int{x * blockCells, y * blockCells, z * blockCells}
	in := func(p [3]int) [3]int { return [3]int{p[0] - first[0], p[1] - first[1], p[2] - first[2]} }
	d := descent{
		tree: b.tree, origin: b.field.origin, spacing: b.field.spacing,
		wanted: func(lo, hi [3]int) bool {
			return b.needed[n].any(in(lo), in(hi))
		},
		set: func(at [3]int, x spatial.Vec, found *nearest) {
			p := in(at)
			values[(p[0]*blockCells+p[1])*blockCells+p[2]] = float32(b.tree.facets[found.triangle].distance(x, found))
		},
	}
	d.search(first, [3]int{first[0] + blockCells, first[1] + blockCells, first[2] + blockCells}, b.begin[b.corner(x, y, z)])
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

// inCubes calls do with the ranges of cubes of points of a lattice, on all processors. It reports progress of the corners.
func (b *builder) inCubes(n lattice, do func(lo, hi [3]int)) {
	var cubes lattice
	for k := range cubes {
		cubes[k] = (n[k] + blockCells - 1) / blockCells
	}
	var done atomic.Int64
	b.inParallel(cubes.count(), func(i int) {
		lo := cubes.at(i)
		var hi [3]int
		for k := range lo {
			lo[k] *= blockCells
			hi[k] = min(lo[k]+blockCells, n[k])
		}
		do(lo, hi)
		if n == b.size {
			b.reportProgress(0, done.Add(1), cubes.count())
		}
	})
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
