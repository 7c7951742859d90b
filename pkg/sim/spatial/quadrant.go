package spatial

// Lower3 is the lower triangle of a symmetric 3×3 matrix.
type Lower3 struct{ XX, YX, YY, ZX, ZY, ZZ float64 }

// Full returns the matrix with both triangles.
func (l *Lower3) Full() Mat3 {
	return Mat3{l.XX, l.YX, l.ZX, l.YX, l.YY, l.ZY, l.ZX, l.ZY, l.ZZ}
}

// Scaled returns s times the matrix with both triangles.
func (l *Lower3) Scaled(s float64) Mat3 {
	xx, yx, yy, zx, zy, zz := s*l.XX, s*l.YX, s*l.YY, s*l.ZX, s*l.ZY, s*l.ZZ
	return Mat3{xx, yx, zx, yx, yy, zy, zx, zy, zz}
}

// Apply returns the matrix times v.
func (l *Lower3) Apply(v Vec) Vec {
	return Vec{
		l.XX*v.X + l.YX*v.Y + l.ZX*v.Z,
		l.YX*v.X + l.YY*v.Y + l.ZY*v.Z,
		l.ZX*v.X + l.ZY*v.Y + l.ZZ*v.Z,
	}
}

// Add adds a.
func (l *Lower3) Add(a *Lower3) {
	l.XX += a.XX
	l.YX += a.YX
	l.YY += a.YY
	l.ZX += a.ZX
	l.ZY += a.ZY
	l.ZZ += a.ZZ
}

// Invert makes the matrix its inverse, or entries that are not finite if it is singular.
func (l *Lower3) Invert() {
	a, b, c := l.YY*l.ZZ-l.ZY*l.ZY, l.ZX*l.ZY-l.YX*l.ZZ, l.YX*l.ZY-l.ZX*l.YY
	s := 1 / (l.XX*a + l.YX*b + l.ZX*c)
	*l = Lower3{
		XX: s * a,
		YX: s * b, YY: s * (l.XX*l.ZZ - l.ZX*l.ZX),
		ZX: s * c, ZY: s * (l.ZX*l.YX - l.XX*l.ZY), ZZ: s * (l.XX*l.YY - l.YX*l.YX),
	}
}

// AddOuter adds a bᵀ, which must be symmetric.
func (l *Lower3) AddOuter(a, b *Vec) {
	l.XX += a.X * b.X
	l.YX += a.Y * b.X
	l.YY += a.Y * b.Y
	l.ZX += a.Z * b.X
	l.ZY += a.Z * b.Y
	l.ZZ += a.Z * b.Z
}

// Quadrant is a 3×3 quadrant of a Mat6, as a view of its numbers: the rows are six
// numbers apart.
type Quadrant [15]float64

// LinLin returns the quadrant of linear rows and columns.
func (m *Mat6) LinLin() *Quadrant { return (*Quadrant)(m[0:15]) }

// LinRot returns the quadrant of linear rows and angular columns.
func (m *Mat6) LinRot() *Quadrant { return (*Quadrant)(m[3:18]) }

// RotLin returns the quadrant of angular rows and linear columns.
func (m *Mat6) RotLin() *Quadrant { return (*Quadrant)(m[18:33]) }

// RotRot returns the quadrant of angular rows and columns.
func (m *Mat6) RotRot() *Quadrant { return (*Quadrant)(m[21:36]) }

// Set makes q equal to a.
func (q *Quadrant) Set(a Mat3) {
	q[0], q[1], q[2] = a.XX, a.XY, a.XZ
	q[6], q[7], q[8] = a.YX, a.YY, a.YZ
	q[12], q[13], q[14] = a.ZX, a.ZY, a.ZZ
}

// SetNeg makes q equal to −a.
func (q *Quadrant) SetNeg(a Mat3) {
	q[0], q[1], q[2] = -a.XX, -a.XY, -a.XZ
	q[6], q[7], q[8] = -a.YX, -a.YY, -a.YZ
	q[12], q[13], q[14] = -a.ZX, -a.ZY, -a.ZZ
}

// SetLower makes the lower triangle of q equal to a.
func (q *Quadrant) SetLower(a Lower3) {
	q[0] = a.XX
	q[6], q[7] = a.YX, a.YY
	q[12], q[13], q[14] = a.ZX, a.ZY, a.ZZ
}

// Add adds a to q.
func (q *Quadrant) Add(a Mat3) {
	q[0] += a.XX
	q[1] += a.XY
	q[2] += a.XZ
	q[6] += a.YX
	q[7] += a.YY
	q[8] += a.YZ
	q[12] += a.ZX
	q[13] += a.ZY
	q[14] += a.ZZ
}

// Sub subtracts a from q.
func (q *Quadrant) Sub(a Mat3) {
	q[0] -= a.XX
	q[1] -= a.XY
	q[2] -= a.XZ
	q[6] -= a.YX
	q[7] -= a.YY
	q[8] -= a.YZ
	q[12] -= a.ZX
	q[13] -= a.ZY
	q[14] -= a.ZZ
}

// AddLower adds a to the lower triangle of q.
func (q *Quadrant) AddLower(a Lower3) {
	q[0] += a.XX
	q[6] += a.YX
	q[7] += a.YY
	q[12] += a.ZX
	q[13] += a.ZY
	q[14] += a.ZZ
}

// AddDiag adds d to the diagonal of q.
func (q *Quadrant) AddDiag(d float64) {
	q[0] += d
	q[7] += d
	q[14] += d
}

// AddSkew adds [u]×, the matrix with [u]× a = u × a, to q.
func (q *Quadrant) AddSkew(u Vec) {
	q[1] -= u.Z
	q[2] += u.Y
	q[6] += u.Z
	q[8] -= u.X
	q[12] -= u.Y
	q[13] += u.X
}
