package blocks

import (
	"fmt"
	"slices"

	"sinew/pkg/sim/spatial"
)

// Unknown is a block of at most six coordinates of the system.
type Unknown struct {
	Size       int  // 1 to 6
	Constraint bool // the diagonal block is negative semidefinite: the multipliers of a joint
}

// Matrix is a symmetric block matrix of fixed pattern with its factorisation.
type Matrix struct {
	unknowns []Unknown
	order    []int // unknowns in the order of elimination
	position []int // of every unknown in order
	pivots   []pivot

	values, factors blocksOf
	work            []spatial.Mat6 // L⁻¹ times the blocks of the present pivot
	negative        int
}

// blocksOf are the blocks of a matrix: the diagonal by position, lower triangles, and the blocks
// of all pivots one after another. A block of a pivot has the pivot's rows.
type blocksOf struct{ diagonal, coupling []spatial.Mat6 }

// pivot is one step of the elimination.
type pivot struct {
	first  int   // of its blocks in coupling
	later  []int // later positions to which it couples, ascending
	update []int // where the product of its blocks a < b is subtracted: blocks in coupling, in the order (0, 1), (0, 2), …, (1, 2), …
}

// Place is where the coupling of two unknowns is stored.
type Place struct {
	index      int
	transposed bool
}

// New returns the zero matrix in which the given pairs of unknowns are coupled, besides those that
// the elimination couples.
func New(unknowns []Unknown, pairs [][2]int) *Matrix {
	for i, u := range unknowns {
		if u.Size < 1 || u.Size > 6 {
			panic(fmt.Sprintf("blocks: unknown %d has %d coordinates; allowed are 1 to 6", i, u.Size))
		}
	}
	m := &Matrix{unknowns: slices.Clone(unknowns), position: make([]int, len(unknowns)), pivots: make([]pivot, len(unknowns))}
	var neighbours [][]int
	m.order, neighbours = eliminationOrder(unknowns, pairs)
	for p, i := range m.order {
		m.position[i] = p
	}
	count, most := 0, 0
	for p := range m.pivots {
		v := &m.pivots[p]
		v.first = count
		for _, i := range neighbours[p] {
			v.later = append(v.later, m.position[i])
		}
		slices.Sort(v.later)
		count, most = count+len(v.later), max(most, len(v.later))
	}
	m.work = make([]spatial.Mat6, most)
	for p := range m.pivots {
		v := &m.pivots[p]
		for a, i := range v.later {
			for _, j := range v.later[a+1:] {
				v.update = append(v.update, m.at(i, j))
			}
		}
	}
	for _, b := range [...]*blocksOf{&m.values, &m.factors} {
		b.diagonal, b.coupling = make([]spatial.Mat6, len(unknowns)), make([]spatial.Mat6, count)
	}
	return m
}

// at returns the block in coupling of the positions i < j, which are coupled.
func (m *Matrix) at(i, j int) int {
	v := &m.pivots[i]
	k, found := slices.BinarySearch(v.later, j)
	if !found {
		panic(fmt.Sprintf("blocks: unknowns %d and %d are not coupled", m.order[i], m.order[j]))
	}
	return v.first + k
}

// Zero sets all values to 0.
func (m *Matrix) Zero() {
	clear(m.values.diagonal)
	clear(m.values.coupling)
}

// Diagonal returns the diagonal block of unknown i, of which the lower triangle counts.
func (m *Matrix) Diagonal(i int) *spatial.Mat6 { return &m.values.diagonal[m.position[i]] }

// IsCoupled reports whether the unknowns i and j are coupled.
func (m *Matrix) IsCoupled(i, j int) bool {
	a, b := m.position[i], m.position[j]
	_, found := slices.BinarySearch(m.pivots[min(a, b)].later, max(a, b))
	return found
}

// Place returns where the block with the rows of unknown i and the columns of unknown j is stored.
// The two must be coupled.
func (m *Matrix) Place(i, j int) Place {
	a, b := m.position[i], m.position[j]
	if a > b {
		return Place{m.at(b, a), true}
	}
	return Place{m.at(a, b), false}
}

// Add adds b to the block at p.
func (m *Matrix) Add(p Place, b *spatial.Mat6) {
	to := &m.values.coupling[p.index]
	if !p.transposed {
		for k := range to {
			to[k] += b[k]
		}
		return
	}
	for r := range 6 {
		for c := range 6 {
			to[6*c+r] += b[6*r+c]
		}
	}
}

// Multiply sets y to the matrix times x, both by unknown.
func (m *Matrix) Multiply(x, y []spatial.Vec6) { m.MultiplyFirst(x, y, len(m.unknowns)) }

// MultiplyFirst sets y to the matrix of the first n unknowns times x, both by unknown.
func (m *Matrix) MultiplyFirst(x, y []spatial.Vec6, n int) {
	clear(y)
	for p := range m.pivots {
		i, v := m.order[p], &m.pivots[p]
		if i >= n {
			continue
		}
		d := m.values.diagonal[p]
		d.Mirror()
		addTo(&y[i], d.Apply(&x[i]))
		for k, q := range v.later {
			b, j := &m.values.coupling[v.first+k], m.order[q]
			if j >= n {
				continue
			}
			addTo(&y[i], b.Apply(&x[j]))
			for r := range 6 {
				for c := range 6 {
					y[j][c] += b[6*r+c] * x[i][r]
				}
			}
		}
	}
}

func addTo(y *spatial.Vec6, x spatial.Vec6) {
	for k := range y {
		y[k] += x[k]
	}
}
