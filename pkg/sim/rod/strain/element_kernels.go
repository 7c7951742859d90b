package strain

import "sinew/pkg/sim/spatial"

// The 3×3 products of the element tangent, written out with operands by pointer and results in
// registers.

// plusSkew returns m + [u]×.
func plusSkew(m *spatial.Mat3, u *spatial.Vec) spatial.Mat3 {
	return spatial.Mat3{
		XX: m.XX, XY: m.XY - u.Z, XZ: m.XZ + u.Y,
		YX: m.YX + u.Z, YY: m.YY, YZ: m.YZ - u.X,
		ZX: m.ZX - u.Y, ZY: m.ZY + u.X, ZZ: m.ZZ,
	}
}

// minusSkew returns m − [u]×.
func minusSkew(m *spatial.Mat3, u *spatial.Vec) spatial.Mat3 {
	return spatial.Mat3{
		XX: m.XX, XY: m.XY + u.Z, XZ: m.XZ - u.Y,
		YX: m.YX - u.Z, YY: m.YY, YZ: m.YZ + u.X,
		ZX: m.ZX + u.Y, ZY: m.ZY - u.X, ZZ: m.ZZ,
	}
}

// withHalfSkew returns m + ½ [u]×.
func withHalfSkew(m spatial.Mat3, u *spatial.Vec) spatial.Mat3 {
	addHalfSkew(&m, u)
	return m
}

// addHalfSkew adds ½ [u]× to m.
func addHalfSkew(m *spatial.Mat3, u *spatial.Vec) {
	m.XY -= 0.5 * u.Z
	m.XZ += 0.5 * u.Y
	m.YX += 0.5 * u.Z
	m.YZ -= 0.5 * u.X
	m.ZX -= 0.5 * u.Y
	m.ZY += 0.5 * u.X
}

// withHalfMoment returns the lower triangle of m + ½ [u]×.
func withHalfMoment(m spatial.Lower3, u *spatial.Vec) spatial.Lower3 {
	m.YX += 0.5 * u.Z
	m.ZX -= 0.5 * u.Y
	m.ZY += 0.5 * u.X
	return m
}

// diagTimes returns diag(k) m.
func diagTimes(k *spatial.Vec, m *spatial.Mat3) spatial.Mat3 {
	return spatial.Mat3{
		XX: k.X * m.XX, XY: k.X * m.XY, XZ: k.X * m.XZ,
		YX: k.Y * m.YX, YY: k.Y * m.YY, YZ: k.Y * m.YZ,
		ZX: k.Z * m.ZX, ZY: k.Z * m.ZY, ZZ: k.Z * m.ZZ,
	}
}

// addTimesDiag adds m diag(k) to o.
func addTimesDiag(o, m *spatial.Mat3, k *spatial.Vec) {
	o.XX += m.XX * k.X
	o.XY += m.XY * k.Y
	o.XZ += m.XZ * k.Z
	o.YX += m.YX * k.X
	o.YY += m.YY * k.Y
	o.YZ += m.YZ * k.Z
	o.ZX += m.ZX * k.X
	o.ZY += m.ZY * k.Y
	o.ZZ += m.ZZ * k.Z
}

// addTransposedTimesDiag adds mᵀ diag(k) to o.
func addTransposedTimesDiag(o, m *spatial.Mat3, k *spatial.Vec) {
	o.XX += m.XX * k.X
	o.XY += m.YX * k.Y
	o.XZ += m.ZX * k.Z
	o.YX += m.XY * k.X
	o.YY += m.YY * k.Y
	o.YZ += m.ZY * k.Z
	o.ZX += m.XZ * k.X
	o.ZY += m.YZ * k.Y
	o.ZZ += m.ZZ * k.Z
}

// addTProd adds aᵀ b to o.
func addTProd(o, a, b *spatial.Mat3) {
	o.XX += a.XX*b.XX + a.YX*b.YX + a.ZX*b.ZX
	o.XY += a.XX*b.XY + a.YX*b.YY + a.ZX*b.ZY
	o.XZ += a.XX*b.XZ + a.YX*b.YZ + a.ZX*b.ZZ
	o.YX += a.XY*b.XX + a.YY*b.YX + a.ZY*b.ZX
	o.YY += a.XY*b.XY + a.YY*b.YY + a.ZY*b.ZY
	o.YZ += a.XY*b.XZ + a.YY*b.YZ + a.ZY*b.ZZ
	o.ZX += a.XZ*b.XX + a.YZ*b.YX + a.ZZ*b.ZX
	o.ZY += a.XZ*b.XY + a.YZ*b.YY + a.ZZ*b.ZY
	o.ZZ += a.XZ*b.XZ + a.YZ*b.YZ + a.ZZ*b.ZZ
}

// addTProd2 adds aᵀ b + cᵀ d to o.
func addTProd2(o, a, b, c, d *spatial.Mat3) {
	o.XX += a.XX*b.XX + a.YX*b.YX + a.ZX*b.ZX + c.XX*d.XX + c.YX*d.YX + c.ZX*d.ZX
	o.XY += a.XX*b.XY + a.YX*b.YY + a.ZX*b.ZY + c.XX*d.XY + c.YX*d.YY + c.ZX*d.ZY
	o.XZ += a.XX*b.XZ + a.YX*b.YZ + a.ZX*b.ZZ + c.XX*d.XZ + c.YX*d.YZ + c.ZX*d.ZZ
	o.YX += a.XY*b.XX + a.YY*b.YX + a.ZY*b.ZX + c.XY*d.XX + c.YY*d.YX + c.ZY*d.ZX
	o.YY += a.XY*b.XY + a.YY*b.YY + a.ZY*b.ZY + c.XY*d.XY + c.YY*d.YY + c.ZY*d.ZY
	o.YZ += a.XY*b.XZ + a.YY*b.YZ + a.ZY*b.ZZ + c.XY*d.XZ + c.YY*d.YZ + c.ZY*d.ZZ
	o.ZX += a.XZ*b.XX + a.YZ*b.YX + a.ZZ*b.ZX + c.XZ*d.XX + c.YZ*d.YX + c.ZZ*d.ZX
	o.ZY += a.XZ*b.XY + a.YZ*b.YY + a.ZZ*b.ZY + c.XZ*d.XY + c.YZ*d.YY + c.ZZ*d.ZY
	o.ZZ += a.XZ*b.XZ + a.YZ*b.YZ + a.ZZ*b.ZZ + c.XZ*d.XZ + c.YZ*d.YZ + c.ZZ*d.ZZ
}

// prod returns a b.
func prod(a, b *spatial.Mat3) spatial.Mat3 {
	return spatial.Mat3{
		XX: a.XX*b.XX + a.XY*b.YX + a.XZ*b.ZX, XY: a.XX*b.XY + a.XY*b.YY + a.XZ*b.ZY, XZ: a.XX*b.XZ + a.XY*b.YZ + a.XZ*b.ZZ,
		YX: a.YX*b.XX + a.YY*b.YX + a.YZ*b.ZX, YY: a.YX*b.XY + a.YY*b.YY + a.YZ*b.ZY, YZ: a.YX*b.XZ + a.YY*b.YZ + a.YZ*b.ZZ,
		ZX: a.ZX*b.XX + a.ZY*b.YX + a.ZZ*b.ZX, ZY: a.ZX*b.XY + a.ZY*b.YY + a.ZZ*b.ZY, ZZ: a.ZX*b.XZ + a.ZY*b.YZ + a.ZZ*b.ZZ,
	}
}

// prodT returns a bᵀ.
func prodT(a, b *spatial.Mat3) spatial.Mat3 {
	return spatial.Mat3{
		XX: a.XX*b.XX + a.XY*b.XY + a.XZ*b.XZ, XY: a.XX*b.YX + a.XY*b.YY + a.XZ*b.YZ, XZ: a.XX*b.ZX + a.XY*b.ZY + a.XZ*b.ZZ,
		YX: a.YX*b.XX + a.YY*b.XY + a.YZ*b.XZ, YY: a.YX*b.YX + a.YY*b.YY + a.YZ*b.YZ, YZ: a.YX*b.ZX + a.YY*b.ZY + a.YZ*b.ZZ,
		ZX: a.ZX*b.XX + a.ZY*b.XY + a.ZZ*b.XZ, ZY: a.ZX*b.YX + a.ZY*b.YY + a.ZZ*b.YZ, ZZ: a.ZX*b.ZX + a.ZY*b.ZY + a.ZZ*b.ZZ,
	}
}

// prod2 returns a b + c d.
func prod2(a, b, c, d *spatial.Mat3) spatial.Mat3 {
	return spatial.Mat3{
		XX: a.XX*b.XX + a.XY*b.YX + a.XZ*b.ZX + c.XX*d.XX + c.XY*d.YX + c.XZ*d.ZX, XY: a.XX*b.XY + a.XY*b.YY + a.XZ*b.ZY + c.XX*d.XY + c.XY*d.YY + c.XZ*d.ZY, XZ: a.XX*b.XZ + a.XY*b.YZ + a.XZ*b.ZZ + c.XX*d.XZ + c.XY*d.YZ + c.XZ*d.ZZ,
		YX: a.YX*b.XX + a.YY*b.YX + a.YZ*b.ZX + c.YX*d.XX + c.YY*d.YX + c.YZ*d.ZX, YY: a.YX*b.XY + a.YY*b.YY + a.YZ*b.ZY + c.YX*d.XY + c.YY*d.YY + c.YZ*d.ZY, YZ: a.YX*b.XZ + a.YY*b.YZ + a.YZ*b.ZZ + c.YX*d.XZ + c.YY*d.YZ + c.YZ*d.ZZ,
		ZX: a.ZX*b.XX + a.ZY*b.YX + a.ZZ*b.ZX + c.ZX*d.XX + c.ZY*d.YX + c.ZZ*d.ZX, ZY: a.ZX*b.XY + a.ZY*b.YY + a.ZZ*b.ZY + c.ZX*d.XY + c.ZY*d.YY + c.ZZ*d.ZY, ZZ: a.ZX*b.XZ + a.ZY*b.YZ + a.ZZ*b.ZZ + c.ZX*d.XZ + c.ZY*d.YZ + c.ZZ*d.ZZ,
	}
}

// lowerTProd returns the lower triangle of aᵀ b, which is symmetric up to round-off and to the skew
// part that the caller restores.
func lowerTProd(a, b *spatial.Mat3) spatial.Lower3 {
	return spatial.Lower3{
		XX: a.XX*b.XX + a.YX*b.YX + a.ZX*b.ZX,
		YX: a.XY*b.XX + a.YY*b.YX + a.ZY*b.ZX, YY: a.XY*b.XY + a.YY*b.YY + a.ZY*b.ZY,
		ZX: a.XZ*b.XX + a.YZ*b.YX + a.ZZ*b.ZX, ZY: a.XZ*b.XY + a.YZ*b.YY + a.ZZ*b.ZY, ZZ: a.XZ*b.XZ + a.YZ*b.YZ + a.ZZ*b.ZZ,
	}
}

// lowerProdT returns the lower triangle of a bᵀ, which is symmetric up to round-off and to the skew
// part that the caller restores.
func lowerProdT(a, b *spatial.Mat3) spatial.Lower3 {
	return spatial.Lower3{
		XX: a.XX*b.XX + a.XY*b.XY + a.XZ*b.XZ,
		YX: a.YX*b.XX + a.YY*b.XY + a.YZ*b.XZ, YY: a.YX*b.YX + a.YY*b.YY + a.YZ*b.YZ,
		ZX: a.ZX*b.XX + a.ZY*b.XY + a.ZZ*b.XZ, ZY: a.ZX*b.YX + a.ZY*b.YY + a.ZZ*b.YZ, ZZ: a.ZX*b.ZX + a.ZY*b.ZY + a.ZZ*b.ZZ,
	}
}

// lowerProd2 returns the lower triangle of a b + c d, which is symmetric up to round-off and to the
// skew part that the caller restores.
func lowerProd2(a, b, c, d *spatial.Mat3) spatial.Lower3 {
	return spatial.Lower3{
		XX: a.XX*b.XX + a.XY*b.YX + a.XZ*b.ZX + c.XX*d.XX + c.XY*d.YX + c.XZ*d.ZX,
		YX: a.YX*b.XX + a.YY*b.YX + a.YZ*b.ZX + c.YX*d.XX + c.YY*d.YX + c.YZ*d.ZX, YY: a.YX*b.XY + a.YY*b.YY + a.YZ*b.ZY + c.YX*d.XY + c.YY*d.YY + c.YZ*d.ZY,
		ZX: a.ZX*b.XX + a.ZY*b.YX + a.ZZ*b.ZX + c.ZX*d.XX + c.ZY*d.YX + c.ZZ*d.ZX, ZY: a.ZX*b.XY + a.ZY*b.YY + a.ZZ*b.ZY + c.ZX*d.XY + c.ZY*d.YY + c.ZZ*d.ZY, ZZ: a.ZX*b.XZ + a.ZY*b.YZ + a.ZZ*b.ZZ + c.ZX*d.XZ + c.ZY*d.YZ + c.ZZ*d.ZZ,
	}
}

// lowerProdT2 returns the lower triangle of a bᵀ + c dᵀ, which is symmetric up to round-off and to
// the skew part that the caller restores.
func lowerProdT2(a, b, c, d *spatial.Mat3) spatial.Lower3 {
	return spatial.Lower3{
		XX: a.XX*b.XX + a.XY*b.XY + a.XZ*b.XZ + c.XX*d.XX + c.XY*d.XY + c.XZ*d.XZ,
		YX: a.YX*b.XX + a.YY*b.XY + a.YZ*b.XZ + c.YX*d.XX + c.YY*d.XY + c.YZ*d.XZ, YY: a.YX*b.YX + a.YY*b.YY + a.YZ*b.YZ + c.YX*d.YX + c.YY*d.YY + c.YZ*d.YZ,
		ZX: a.ZX*b.XX + a.ZY*b.XY + a.ZZ*b.XZ + c.ZX*d.XX + c.ZY*d.XY + c.ZZ*d.XZ, ZY: a.ZX*b.YX + a.ZY*b.YY + a.ZZ*b.YZ + c.ZX*d.YX + c.ZY*d.YY + c.ZZ*d.YZ, ZZ: a.ZX*b.ZX + a.ZY*b.ZY + a.ZZ*b.ZZ + c.ZX*d.ZX + c.ZY*d.ZY + c.ZZ*d.ZZ,
	}
}

// addDiagSkewCongruence adds the lower triangle of 1/12 [v]ᵀ diag(k) [v] to s.
func addDiagSkewCongruence(s *spatial.Lower3, v, k *spatial.Vec) {
	x, y, z := v.X*(1./12), v.Y*(1./12), v.Z*(1./12)
	s.XX += k.Y*z*v.Z + k.Z*y*v.Y
	s.YY += k.X*z*v.Z + k.Z*x*v.X
	s.ZZ += k.X*y*v.Y + k.Y*x*v.X
	s.YX -= k.Z * x * v.Y
	s.ZX -= k.Y * x * v.Z
	s.ZY -= k.X * y * v.Z
}

// addSkewCongruence adds the lower triangle of 1/12 [v]ᵀ m [v] to s.
func addSkewCongruence(s, m *spatial.Lower3, v *spatial.Vec) {
	x, y, z := v.X*(1./12), v.Y*(1./12), v.Z*(1./12)
	xx, yy, zz, xy, xz, yz := x*v.X, y*v.Y, z*v.Z, x*v.Y, x*v.Z, y*v.Z
	s.XX += zz*m.YY - 2*yz*m.ZY + yy*m.ZZ
	s.YY += zz*m.XX - 2*xz*m.ZX + xx*m.ZZ
	s.ZZ += yy*m.XX - 2*xy*m.YX + xx*m.YY
	s.YX += xz*m.ZY + yz*m.ZX - zz*m.YX - xy*m.ZZ
	s.ZX += yz*m.YX + xy*m.ZY - yy*m.ZX - xz*m.YY
	s.ZY += xz*m.YX + xy*m.ZX - xx*m.ZY - yz*m.XX
}

// addSkewTimesT adds [v] mᵀ to s.
func addSkewTimesT(s, m *spatial.Mat3, v *spatial.Vec) {
	s.XX += v.Y*m.XZ - v.Z*m.XY
	s.XY += v.Y*m.YZ - v.Z*m.YY
	s.XZ += v.Y*m.ZZ - v.Z*m.ZY
	s.YX += v.Z*m.XX - v.X*m.XZ
	s.YY += v.Z*m.YX - v.X*m.YZ
	s.YZ += v.Z*m.ZX - v.X*m.ZZ
	s.ZX += v.X*m.XY - v.Y*m.XX
	s.ZY += v.X*m.YY - v.Y*m.YX
	s.ZZ += v.X*m.ZY - v.Y*m.ZX
}

// addSkewTimes adds [v] m to s.
func addSkewTimes(s, m *spatial.Mat3, v *spatial.Vec) {
	s.XX += v.Y*m.ZX - v.Z*m.YX
	s.XY += v.Y*m.ZY - v.Z*m.YY
	s.XZ += v.Y*m.ZZ - v.Z*m.YZ
	s.YX += v.Z*m.XX - v.X*m.ZX
	s.YY += v.Z*m.XY - v.X*m.ZY
	s.YZ += v.Z*m.XZ - v.X*m.ZZ
	s.ZX += v.X*m.YX - v.Y*m.XX
	s.ZY += v.X*m.YY - v.Y*m.XY
	s.ZZ += v.X*m.YZ - v.Y*m.XZ
}

// subSkewTimes subtracts the lower triangle of [v] m, which must be symmetric, from s.
func subSkewTimes(s *spatial.Lower3, m *spatial.Mat3, v *spatial.Vec) {
	s.XX -= v.Y*m.ZX - v.Z*m.YX
	s.YX -= v.Z*m.XX - v.X*m.ZX
	s.YY -= v.Z*m.XY - v.X*m.ZY
	s.ZX -= v.X*m.YX - v.Y*m.XX
	s.ZY -= v.X*m.YY - v.Y*m.XY
	s.ZZ -= v.X*m.YZ - v.Y*m.XZ
}

// addOnePlusSkewTTimes adds the lower triangle of (1 + [b])ᵀ m, which must be symmetric, to s.
func addOnePlusSkewTTimes(s *spatial.Lower3, m *spatial.Mat3, b *spatial.Vec) {
	subSkewTimes(s, m, b)
	s.XX += m.XX
	s.YX += m.YX
	s.YY += m.YY
	s.ZX += m.ZX
	s.ZY += m.ZY
	s.ZZ += m.ZZ
}

// addTimesSkew adds m [u] to s.
func addTimesSkew(s, m *spatial.Mat3, u *spatial.Vec) {
	s.XX += m.XY*u.Z - m.XZ*u.Y
	s.XY += m.XZ*u.X - m.XX*u.Z
	s.XZ += m.XX*u.Y - m.XY*u.X
	s.YX += m.YY*u.Z - m.YZ*u.Y
	s.YY += m.YZ*u.X - m.YX*u.Z
	s.YZ += m.YX*u.Y - m.YY*u.X
	s.ZX += m.ZY*u.Z - m.ZZ*u.Y
	s.ZY += m.ZZ*u.X - m.ZX*u.Z
	s.ZZ += m.ZX*u.Y - m.ZY*u.X
}

// addSkew adds [u] to s.
func addSkew(s *spatial.Mat3, u spatial.Vec) {
	s.XY -= u.Z
	s.XZ += u.Y
	s.YX += u.Z
	s.YZ -= u.X
	s.ZX -= u.Y
	s.ZY += u.X
}

// addCommutator adds the lower triangle of [u] diag(a) − diag(a) [u], which is symmetric, to s.
func addCommutator(s *spatial.Lower3, a, u *spatial.Vec) {
	s.YX += u.Z * (a.X - a.Y)
	s.ZX += u.Y * (a.Z - a.X)
	s.ZY += u.X * (a.Y - a.Z)
}

// addSkewDiagSkew adds the lower triangle of [n] diag(k) [n] to s.
func addSkewDiagSkew(s *spatial.Lower3, n, k *spatial.Vec) {
	s.XX -= n.Z*k.Y*n.Z + n.Y*k.Z*n.Y
	s.YY -= n.Z*k.X*n.Z + n.X*k.Z*n.X
	s.ZZ -= n.Y*k.X*n.Y + n.X*k.Y*n.X
	s.YX += n.X * k.Z * n.Y
	s.ZX += n.X * k.Y * n.Z
	s.ZY += n.Y * k.X * n.Z
}

// skewDiagSkew returns [n] diag(k) [u].
func skewDiagSkew(n, k, u *spatial.Vec) spatial.Mat3 {
	return spatial.Mat3{
		XX: -n.Z*k.Y*u.Z - n.Y*k.Z*u.Y, XY: n.Y * k.Z * u.X, XZ: n.Z * k.Y * u.X,
		YX: n.X * k.Z * u.Y, YY: -n.Z*k.X*u.Z - n.X*k.Z*u.X, YZ: n.Z * k.X * u.Y,
		ZX: n.X * k.Y * u.Z, ZY: n.Y * k.X * u.Z, ZZ: -n.Y*k.X*u.Y - n.X*k.Y*u.X,
	}
}

// subTimesSkew subtracts the lower triangle of m [u] from s.
func subTimesSkew(s *spatial.Lower3, m *spatial.Mat3, u *spatial.Vec) {
	s.XX -= m.XY*u.Z - m.XZ*u.Y
	s.YX -= m.YY*u.Z - m.YZ*u.Y
	s.YY -= m.YZ*u.X - m.YX*u.Z
	s.ZX -= m.ZY*u.Z - m.ZZ*u.Y
	s.ZY -= m.ZZ*u.X - m.ZX*u.Z
	s.ZZ -= m.ZX*u.Y - m.ZY*u.X
}
