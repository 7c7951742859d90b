package spatial

// AddOuter adds a bᵀ to m.
func (m *Mat3) AddOuter(a, b *Vec) {
	m.XX += a.X * b.X
	m.XY += a.X * b.Y
	m.XZ += a.X * b.Z
	m.YX += a.Y * b.X
	m.YY += a.Y * b.Y
	m.YZ += a.Y * b.Z
	m.ZX += a.Z * b.X
	m.ZY += a.Z * b.Y
	m.ZZ += a.Z * b.Z
}

// AddQuadrant adds a to the 3×3 quadrant of m whose first entry has the index at:
// 0, 3, 18 or 21, row by row.
func (m *Mat6) AddQuadrant(at int, a *Mat3) {
	r := m[at : at+15 : at+15]
	r[0] += a.XX
	r[1] += a.XY
	r[2] += a.XZ
	r[6] += a.YX
	r[7] += a.YY
	r[8] += a.YZ
	r[12] += a.ZX
	r[13] += a.ZY
	r[14] += a.ZZ
}
