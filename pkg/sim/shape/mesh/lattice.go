package mesh

import "math"

// lattice numbers points along three axes, the last one fastest.
type lattice [3]int

func (n lattice) count() int { return n[0] * n[1] * n[2] }

func (n lattice) index(p [3]int) int { return (p[0]*n[1]+p[1])*n[2] + p[2] }

func (n lattice) at(index int) [3]int {
	return [3]int{index / (n[1] * n[2]), index / n[2] % n[1], index % n[2]}
}

// isFar reports whether the distances at the corners of a cell have one sign and are all larger than least. There is no cell
// at the upper borders.
func (n lattice) isFar(values []float64, cell [3]int, least float64) bool {
	if cell[0]+1 >= n[0] || cell[1]+1 >= n[1] || cell[2]+1 >= n[2] {
		return false
	}
	first := values[n.index(cell)]
	for c := range 8 {
		v := values[n.index([3]int{cell[0] + c>>2, cell[1] + c>>1&1, cell[2] + c&1})]
		if math.Abs(v) < least || v*first < 0 {
			return false
		}
	}
	return true
}

// between interpolates the values at a point of the lattice of half the spacing.
func (n lattice) between(values []float64, at [3]int) float64 {
	sum := 0.0
	for c := range 8 {
		sum += values[n.index([3]int{(at[0] + c>>2) / 2, (at[1] + c>>1&1) / 2, (at[2] + c&1) / 2})]
	}
	return sum / 8
}
