package spatial

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
)

// Quat is a unit quaternion W + X i + Y j + Z k (Hamilton) that maps body to
// world coordinates. q and −q are the same attitude.
type Quat struct{ W, X, Y, Z float64 }

// IdentityQuat returns the quaternion of no rotation.
func IdentityQuat() Quat { return Quat{W: 1} }

// Number returns q as gonum's quaternion.
func (q Quat) Number() quat.Number {
	return quat.Number{Real: q.W, Imag: q.X, Jmag: q.Y, Kmag: q.Z}
}

// FromNumber returns gonum's quaternion n as a Quat.
func FromNumber(n quat.Number) Quat { return Quat{n.Real, n.Imag, n.Jmag, n.Kmag} }

// Mul returns the product q a: first the rotation a, then q.
func (q Quat) Mul(a Quat) Quat {
	return Quat{
		q.W*a.W - q.X*a.X - q.Y*a.Y - q.Z*a.Z,
		q.W*a.X + q.X*a.W + q.Y*a.Z - q.Z*a.Y,
		q.W*a.Y - q.X*a.Z + q.Y*a.W + q.Z*a.X,
		q.W*a.Z + q.X*a.Y - q.Y*a.X + q.Z*a.W,
	}
}

// Conj returns the conjugate, the inverse rotation.
func (q Quat) Conj() Quat { return Quat{q.W, -q.X, -q.Y, -q.Z} }

// Normalized returns q/|q|, or NaN for the zero quaternion.
func (q Quat) Normalized() Quat {
	s := 1 / math.Sqrt(q.W*q.W+q.X*q.X+q.Y*q.Y+q.Z*q.Z)
	return Quat{s * q.W, s * q.X, s * q.Y, s * q.Z}
}

// Apply returns the body vector v in world coordinates.
func (q Quat) Apply(v Vec) Vec {
	// v + 2w(u×v) + 2u×(u×v), u the vector part
	u := Vec{q.X, q.Y, q.Z}
	t := u.Cross(v).Scale(2)
	return v.AddScaled(q.W, t).Add(u.Cross(t))
}

// Rot returns the rotation matrix of q.
func (q Quat) Rot() Mat3 {
	w, x, y, z := q.W, q.X, q.Y, q.Z
	return Mat3{
		1 - 2*(y*y+z*z), 2 * (x*y - w*z), 2 * (x*z + w*y),
		2 * (x*y + w*z), 1 - 2*(x*x+z*z), 2 * (y*z - w*x),
		2 * (x*z - w*y), 2 * (y*z + w*x), 1 - 2*(x*x+y*y),
	}
}

// Quat returns the unit quaternion of the rotation m, W ≥ 0. It takes the
// largest of the four components as pivot (Shepperd 1978), so no digits are
// lost at any angle, and normalises, so a matrix off SO(3) by round-off is fine.
func (m Mat3) Quat() Quat {
	var q Quat
	switch t := m.Trace(); {
	case t >= m.XX && t >= m.YY && t >= m.ZZ:
		q = Quat{1 + t, m.ZY - m.YZ, m.XZ - m.ZX, m.YX - m.XY}
	case m.XX >= m.YY && m.XX >= m.ZZ:
		q = Quat{m.ZY - m.YZ, 1 + m.XX - m.YY - m.ZZ, m.XY + m.YX, m.XZ + m.ZX}
	case m.YY >= m.ZZ:
		q = Quat{m.XZ - m.ZX, m.XY + m.YX, 1 + m.YY - m.XX - m.ZZ, m.YZ + m.ZY}
	default:
		q = Quat{m.YX - m.XY, m.XZ + m.ZX, m.YZ + m.ZY, 1 + m.ZZ - m.XX - m.YY}
	}
	if q.W < 0 {
		q = Quat{-q.W, -q.X, -q.Y, -q.Z}
	}
	return q.Normalized()
}
