package spatial

import "math"

// ExpRot returns the rotation exp([w]×) by the rotation vector w (rad).
func ExpRot(w Vec) Mat3 {
	a, b, _ := expCoefs(w.Norm2())
	return polynomial(w, a, b)
}

// polynomial returns I + a [w]× + b [w]×².
func polynomial(w Vec, a, b float64) Mat3 {
	xx, yy, zz := w.X*w.X, w.Y*w.Y, w.Z*w.Z
	xy, xz, yz := b*w.X*w.Y, b*w.X*w.Z, b*w.Y*w.Z
	return Mat3{
		1 - b*(yy+zz), xy - a*w.Z, xz + a*w.Y,
		xy + a*w.Z, 1 - b*(xx+zz), yz - a*w.X,
		xz - a*w.Y, yz + a*w.X, 1 - b*(xx+yy),
	}
}

// ExpQuat returns the unit quaternion of the rotation vector w (rad).
func ExpQuat(w Vec) Quat {
	t := w.Norm()
	sh, ch := math.Sincos(t / 2)
	k := 0.5 // sinc(t/2)/2; the next term is below round-off when t is denormal
	if t > 1e-150 {
		k = sh / t
	}
	return Quat{ch, k * w.X, k * w.Y, k * w.Z}
}

// Log returns the rotation vector (rad) of q, of length at most π: the shorter
// way round, q and −q alike. It is accurate at every angle.
func (q Quat) Log() Vec {
	v, w := Vec{q.X, q.Y, q.Z}, q.W
	if w < 0 {
		v, w = v.Neg(), -w
	}
	n := v.Norm()
	if n < 1e-150 { // |v|² has lost its digits
		return v.Scale(2)
	}
	return v.Scale(2 * math.Atan2(n, w) / n)
}

// Log returns the rotation vector (rad) of m, of length at most π. It is
// accurate at every angle: near π, where the skew part of m vanishes, the axis
// comes from the symmetric part. At exactly π the sign of the axis is arbitrary.
func (m Mat3) Log() Vec { return m.Quat().Log() }

// LogStep returns the rotation vector of m as Log does, faster, for rotations
// by small angles, such as those of one time step. It loses digits near π.
func (m Mat3) LogStep() Vec {
	w := Vec{0.5 * (m.ZY - m.YZ), 0.5 * (m.XZ - m.ZX), 0.5 * (m.YX - m.XY)}
	z, c := w.Norm2(), 0.5*(m.XX+m.YY+m.ZZ-1)
	if c > 0 && z < 0.01 {
		// arcsin(√z)/√z
		return w.Scale(1 + z*(1./6+z*(3./40+z*(15./336+z*(105./3456+z*(945./42240+z*(10395./599040)))))))
	}
	r := math.Sqrt(z)
	return w.Scale(math.Atan2(r, c) / r)
}

// LeftJacobian returns J with exp(w + dw) = exp(J dw) exp(w) to first order.
func LeftJacobian(w Vec) Mat3 {
	_, b, c := expCoefs(w.Norm2())
	return polynomial(w, b, c)
}

// RightJacobian returns J with exp(w + dw) = exp(w) exp(J dw) to first order.
func RightJacobian(w Vec) Mat3 {
	_, b, c := expCoefs(w.Norm2())
	return polynomial(w, -b, c)
}

// LeftJacobianInv returns the inverse of LeftJacobian, singular at |w| = 2π.
func LeftJacobianInv(w Vec) Mat3 { return polynomial(w, -0.5, DexpInvCoef(w.Norm2())) }

// RightJacobianInv returns the inverse of RightJacobian, singular at |w| = 2π.
func RightJacobianInv(w Vec) Mat3 { return polynomial(w, 0.5, DexpInvCoef(w.Norm2())) }
