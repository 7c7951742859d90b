package integrate

import (
	"fmt"

	"sinew/pkg/sim/spatial"
)

// Skyline is a symmetric matrix of 6×6 blocks that is stored, in each block column, from the first
// non-zero block down to the diagonal, and its exact factorisation L D Lᵀ. A chain of nodes coupled
// to their neighbours is a block-tridiagonal matrix. A coupling that skips nodes widens only the
// columns between its nodes. Factor and Solve cost O(n) for couplings of bounded length and do not
// allocate.
//
// Elimination in the order of the nodes costs as much as a prior condensation of the nodes between
// coupled ones: a node k inside a gap (a, b) couples to k+1 and b either way.
type Skyline struct {
	diag       []spatial.Mat6 // lower triangles
	blocks     []spatial.Mat6 // column j has the rows first[j] … j−1, from offset[j] on
	first      []int
	offset     []int
	rowColumns [][]int        // for each row, the columns to its right that include it
	work       []spatial.Mat6 // L⁻¹ K of the present row, by position in rowColumns
}

// NewSkyline returns a matrix of n×n blocks, with couplings of neighbours and of the given pairs of
// block indices. It returns an error for a pair that is out of range or of equal indices.
func NewSkyline(n int, couplings [][2]int) (*Skyline, error) {
	s := &Skyline{
		diag: make([]spatial.Mat6, n), first: make([]int, n), offset: make([]int, n),
		rowColumns: make([][]int, n),
	}
	for j := range s.first {
		s.first[j] = max(j-1, 0)
	}
	for _, c := range couplings {
		i, j := min(c[0], c[1]), max(c[0], c[1])
		if i < 0 || j >= n || i == j {
			return nil, fmt.Errorf("integrate: coupling of blocks %d and %d, want two different ones in 0..%d", c[0], c[1], n-1)
		}
		s.first[j] = min(s.first[j], i)
	}
	total, widest := 0, 0
	for j, f := range s.first {
		s.offset[j] = total
		total += j - f
		for i := f; i < j; i++ {
			s.rowColumns[i] = append(s.rowColumns[i], j)
			widest = max(widest, len(s.rowColumns[i]))
		}
	}
	s.blocks = make([]spatial.Mat6, total)
	s.work = make([]spatial.Mat6, widest)
	return s, nil
}

// Diag returns diagonal block i. Only its lower triangle counts.
func (s *Skyline) Diag(i int) *spatial.Mat6 { return &s.diag[i] }

// Block returns the block in row i and column j > i, which must be stored. The block at (j, i) is
// its transpose.
func (s *Skyline) Block(i, j int) *spatial.Mat6 {
	return &s.blocks[s.offset[j]+i-s.first[j]]
}

// Stored reports whether the block in row i and column j > i is stored.
func (s *Skyline) Stored(i, j int) bool { return i >= s.first[j] }

// Len returns the number of block rows.
func (s *Skyline) Len() int { return len(s.diag) }

// ClearOffBand sets every block to zero but the diagonal ones and those of neighbours.
func (s *Skyline) ClearOffBand() {
	for j, f := range s.first {
		if n := j - 1 - f; n > 0 {
			clear(s.blocks[s.offset[j] : s.offset[j]+n])
		}
	}
}

// Factor replaces the matrix by its factors. It returns the number of negative pivots, which equals
// that of negative eigenvalues, and the block row of the first singular pivot, or −1. After a
// singular pivot, whose sign counts, the factors are invalid.
func (s *Skyline) Factor() (negative, singular int) {
	for k := range s.diag {
		f := &s.diag[k]
		neg, ok := f.FactorLDL()
		negative += neg
		if !ok {
			return negative, k
		}
		cols := s.rowColumns[k]
		for p, j := range cols {
			y, x := s.Block(k, j), &s.work[p]
			*x = *y
			f.SolveL(x, y)
			for _, i := range cols[:p] {
				s.Block(i, j).SubTMul(s.Block(k, i), x)
			}
			s.diag[j].SubTMulLower(y, x)
		}
	}
	return negative, -1
}

// Solve replaces the right-hand side x by the solution with the factors of Factor.
func (s *Skyline) Solve(x []spatial.Vec6) { s.SolveFrom(0, x) }

// SolveFrom is Solve for an x that is 0 before block row first.
func (s *Skyline) SolveFrom(first int, x []spatial.Vec6) {
	x = x[:len(s.diag)]
	for k := first; k < len(x); k++ {
		xk := &x[k]
		s.diag[k].SolveLVec(xk)
		for _, j := range s.rowColumns[k] {
			s.Block(k, j).SubTMulVec(&x[j], xk)
		}
	}
	for k := len(x) - 1; k >= 0; k-- {
		xk := &x[k]
		s.diag[k].SolveDVec(xk)
		for _, j := range s.rowColumns[k] {
			s.Block(k, j).SubMulVec(xk, &x[j])
		}
		s.diag[k].SolveLTVec(xk)
	}
}
