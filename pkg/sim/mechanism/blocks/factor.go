package blocks

import "sinew/pkg/sim/spatial"

// Factor factorises the present values, which stay. It reports whether all pivots are finite and
// not 0; if not, the matrix is singular or its values are not finite.
func (m *Matrix) Factor() bool {
	copy(m.factors.diagonal, m.values.diagonal)
	copy(m.factors.coupling, m.values.coupling)
	m.negative = 0
	diagonal, coupling := m.factors.diagonal, m.factors.coupling
	for p := range m.pivots {
		v, d := &m.pivots[p], &diagonal[p]
		size := m.unknowns[m.order[p]].Size
		for k := size; k < 6; k++ {
			d[7*k] = 1
		}
		negative, _ := d.FactorLDL()
		m.negative += negative
		for k := range size {
			if inverse := d[7*k]; !spatial.IsFinite(inverse) || inverse == 0 {
				return false
			}
		}
		at := 0
		for a := range v.later {
			y := &coupling[v.first+a]
			m.work[a] = *y
			d.SolveL(&m.work[a], y)
		}
		for a, i := range v.later {
			y := &coupling[v.first+a]
			diagonal[i].SubTMulLower(y, &m.work[a])
			for b := a + 1; b < len(v.later); b++ {
				coupling[v.update[at]].SubTMul(y, &m.work[b])
				at++
			}
		}
	}
	return true
}

// Negative returns the number of negative eigenvalues of the matrix that Factor factorised.
func (m *Matrix) Negative() int { return m.negative }

// Solve replaces the right-hand side x, by unknown, by the solution with the factors of Factor.
// Entries beyond the size of an unknown must be 0.
func (m *Matrix) Solve(x []spatial.Vec6) {
	for p := range m.pivots {
		v, xp := &m.pivots[p], &x[m.order[p]]
		m.factors.diagonal[p].SolveLVec(xp)
		for k, q := range v.later {
			m.factors.coupling[v.first+k].SubTMulVec(&x[m.order[q]], xp)
		}
	}
	for p := len(m.pivots) - 1; p >= 0; p-- {
		v, d, xp := &m.pivots[p], &m.factors.diagonal[p], &x[m.order[p]]
		d.SolveDVec(xp)
		for k, q := range v.later {
			m.factors.coupling[v.first+k].SubMulVec(xp, &x[m.order[q]])
		}
		d.SolveLTVec(xp)
	}
}
