package spatial

// Mat3 is a 3×3 matrix. As a rotation it maps body to world coordinates and its
// columns are the body axes.
type Mat3 struct{ XX, XY, XZ, YX, YY, YZ, ZX, ZY, ZZ float64 }

// Identity3 returns the identity matrix.
func Identity3() Mat3 { return Mat3{XX: 1, YY: 1, ZZ: 1} }

// Diag3 returns diag(d).
func Diag3(d Vec) Mat3 { return Mat3{XX: d.X, YY: d.Y, ZZ: d.Z} }

// Skew returns [u]×, the matrix with [u]× a = u × a.
func Skew(u Vec) Mat3 {
	return Mat3{XY: -u.Z, XZ: u.Y, YX: u.Z, YZ: -u.X, ZX: -u.Y, ZY: u.X}
}

// Outer returns a bᵀ.
func Outer(a, b Vec) Mat3 {
	return Mat3{
		a.X * b.X, a.X * b.Y, a.X * b.Z,
		a.Y * b.X, a.Y * b.Y, a.Y * b.Z,
		a.Z * b.X, a.Z * b.Y, a.Z * b.Z,
	}
}

// FromColumns returns the matrix with columns a, b, c.
func FromColumns(a, b, c Vec) Mat3 {
	return Mat3{a.X, b.X, c.X, a.Y, b.Y, c.Y, a.Z, b.Z, c.Z}
}

// FromRows returns the matrix with rows a, b, c.
func FromRows(a, b, c Vec) Mat3 {
	return Mat3{a.X, a.Y, a.Z, b.X, b.Y, b.Z, c.X, c.Y, c.Z}
}

// Col1 returns the first column. The columns of a rotation are the body axes.
func (m Mat3) Col1() Vec { return Vec{m.XX, m.YX, m.ZX} }

// Col2 returns the second column.
func (m Mat3) Col2() Vec { return Vec{m.XY, m.YY, m.ZY} }

// Col3 returns the third column.
func (m Mat3) Col3() Vec { return Vec{m.XZ, m.YZ, m.ZZ} }

// Apply returns m v.
func (m Mat3) Apply(v Vec) Vec {
	return Vec{
		m.XX*v.X + m.XY*v.Y + m.XZ*v.Z,
		m.YX*v.X + m.YY*v.Y + m.YZ*v.Z,
		m.ZX*v.X + m.ZY*v.Y + m.ZZ*v.Z,
	}
}

// ApplyT returns mᵀ v; for a rotation, world coordinates in the body frame.
func (m Mat3) ApplyT(v Vec) Vec {
	return Vec{
		m.XX*v.X + m.YX*v.Y + m.ZX*v.Z,
		m.XY*v.X + m.YY*v.Y + m.ZY*v.Z,
		m.XZ*v.X + m.YZ*v.Y + m.ZZ*v.Z,
	}
}

// Mul returns m a.
func (m Mat3) Mul(a Mat3) Mat3 {
	return Mat3{
		m.XX*a.XX + m.XY*a.YX + m.XZ*a.ZX, m.XX*a.XY + m.XY*a.YY + m.XZ*a.ZY, m.XX*a.XZ + m.XY*a.YZ + m.XZ*a.ZZ,
		m.YX*a.XX + m.YY*a.YX + m.YZ*a.ZX, m.YX*a.XY + m.YY*a.YY + m.YZ*a.ZY, m.YX*a.XZ + m.YY*a.YZ + m.YZ*a.ZZ,
		m.ZX*a.XX + m.ZY*a.YX + m.ZZ*a.ZX, m.ZX*a.XY + m.ZY*a.YY + m.ZZ*a.ZY, m.ZX*a.XZ + m.ZY*a.YZ + m.ZZ*a.ZZ,
	}
}

// MulT returns m aᵀ.
func (m Mat3) MulT(a Mat3) Mat3 {
	return Mat3{
		m.XX*a.XX + m.XY*a.XY + m.XZ*a.XZ, m.XX*a.YX + m.XY*a.YY + m.XZ*a.YZ, m.XX*a.ZX + m.XY*a.ZY + m.XZ*a.ZZ,
		m.YX*a.XX + m.YY*a.XY + m.YZ*a.XZ, m.YX*a.YX + m.YY*a.YY + m.YZ*a.YZ, m.YX*a.ZX + m.YY*a.ZY + m.YZ*a.ZZ,
		m.ZX*a.XX + m.ZY*a.XY + m.ZZ*a.XZ, m.ZX*a.YX + m.ZY*a.YY + m.ZZ*a.YZ, m.ZX*a.ZX + m.ZY*a.ZY + m.ZZ*a.ZZ,
	}
}

// TMul returns mᵀ a; for two rotations, the second seen from the first.
func (m Mat3) TMul(a Mat3) Mat3 {
	return Mat3{
		m.XX*a.XX + m.YX*a.YX + m.ZX*a.ZX, m.XX*a.XY + m.YX*a.YY + m.ZX*a.ZY, m.XX*a.XZ + m.YX*a.YZ + m.ZX*a.ZZ,
		m.XY*a.XX + m.YY*a.YX + m.ZY*a.ZX, m.XY*a.XY + m.YY*a.YY + m.ZY*a.ZY, m.XY*a.XZ + m.YY*a.YZ + m.ZY*a.ZZ,
		m.XZ*a.XX + m.YZ*a.YX + m.ZZ*a.ZX, m.XZ*a.XY + m.YZ*a.YY + m.ZZ*a.ZY, m.XZ*a.XZ + m.YZ*a.YZ + m.ZZ*a.ZZ,
	}
}

// T returns mᵀ.
func (m Mat3) T() Mat3 {
	return Mat3{m.XX, m.YX, m.ZX, m.XY, m.YY, m.ZY, m.XZ, m.YZ, m.ZZ}
}

// Add returns m + a.
func (m Mat3) Add(a Mat3) Mat3 {
	return Mat3{
		m.XX + a.XX, m.XY + a.XY, m.XZ + a.XZ,
		m.YX + a.YX, m.YY + a.YY, m.YZ + a.YZ,
		m.ZX + a.ZX, m.ZY + a.ZY, m.ZZ + a.ZZ,
	}
}

// Sub returns m − a.
func (m Mat3) Sub(a Mat3) Mat3 { return m.Add(a.Scale(-1)) }

// Scale returns s m.
func (m Mat3) Scale(s float64) Mat3 {
	return Mat3{
		s * m.XX, s * m.XY, s * m.XZ,
		s * m.YX, s * m.YY, s * m.YZ,
		s * m.ZX, s * m.ZY, s * m.ZZ,
	}
}

// Inv returns the inverse of m, or entries that are not finite if m is singular.
func (m Mat3) Inv() Mat3 {
	a, b, c := m.Col1(), m.Col2(), m.Col3()
	bc, ca, ab := b.Cross(c), c.Cross(a), a.Cross(b)
	return FromRows(bc, ca, ab).Scale(1 / a.Dot(bc))
}

// Trace returns the sum of the diagonal.
func (m Mat3) Trace() float64 { return m.XX + m.YY + m.ZZ }

// Det returns the determinant.
func (m Mat3) Det() float64 { return m.Col1().Dot(m.Col2().Cross(m.Col3())) }

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
