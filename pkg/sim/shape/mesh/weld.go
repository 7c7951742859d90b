package mesh

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// welder numbers points and gives those within the tolerance of one another the same number.
type welder struct {
	points []spatial.Vec
	exact  map[spatial.Vec]int32
	cells  map[[3]int64]int32 // the last point in a cell
	cell   float64            // twice the tolerance, m
}

func newWelder(tolerance float64) *welder {
	return &welder{
		exact: map[spatial.Vec]int32{},
		cells: map[[3]int64]int32{},
		cell:  max(2*tolerance, math.SmallestNonzeroFloat64),
	}
}

// index returns the number of the point p.
func (w *welder) index(p spatial.Vec) int32 {
	if i, ok := w.exact[p]; ok {
		return i
	}
	i, ok := w.near(p)
	if !ok {
		i = int32(len(w.points))
		w.points = append(w.points, p)
		w.cells[w.key(p, 0, 0, 0)] = i
	}
	w.exact[p] = i
	return i
}

// near looks for a point within the tolerance, which is in one of the eight cells around the
// corner of cells that is nearest to p.
func (w *welder) near(p spatial.Vec) (int32, bool) {
	for k := range 8 {
		shift := func(bit int) float64 { return float64(k>>bit&1) - 0.5 }
		i, ok := w.cells[w.key(p, shift(0), shift(1), shift(2))]
		if ok && w.points[i].Sub(p).Norm() <= w.cell/2 {
			return i, true
		}
	}
	return 0, false
}

func (w *welder) key(p spatial.Vec, x, y, z float64) [3]int64 {
	cell := func(x, shift float64) int64 { return int64(math.Floor(x/w.cell + shift)) }
	return [3]int64{cell(p.X, x), cell(p.Y, y), cell(p.Z, z)}
}
