package blocks

// Couplings returns the number of blocks beside the diagonal, fill-in included.
func (m *Matrix) Couplings() int { return len(m.values.coupling) }
