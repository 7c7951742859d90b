package spatial

import "math"

// smallAngle2 is the squared angle below which the coefficients of the
// exponential map come from series: their closed forms are differences of
// nearly equal numbers there. The series leave less than 1e-16.
const smallAngle2 = 0.02

// expCoefs returns sin θ/θ, (1−cos θ)/θ² and (θ−sin θ)/θ³ for s = θ².
func expCoefs(s float64) (a, b, c float64) {
	if s < smallAngle2 {
		a = 1 - s*(1./6-s*(1./120-s*(1./5040-s*(1./362880))))
		b = 1./2 - s*(1./24-s*(1./720-s*(1./40320-s*(1./3628800))))
		c = 1./6 - s*(1./120-s*(1./5040-s*(1./362880-s*(1./39916800))))
		return a, b, c
	}
	t := math.Sqrt(s)
	sh, ch := math.Sincos(t / 2)
	a = 2 * sh * ch / t
	b = 2 * sh * sh / s
	c = (1 - a) / s
	return a, b, c
}

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
func LeftJacobianInv(w Vec) Mat3 { return polynomial(w, -0.5, dexpInvCoef(w.Norm2())) }

// RightJacobianInv returns the inverse of RightJacobian, singular at |w| = 2π.
func RightJacobianInv(w Vec) Mat3 { return polynomial(w, 0.5, dexpInvCoef(w.Norm2())) }

// cotSeries are the coefficients of a(s) = (1 − (θ/2) cot(θ/2))/s, s = θ², in
// powers of s: |B_2k|/(2k)! with the Bernoulli numbers B, k = 1, 2 ...
var cotSeries = [...]float64{
	1. / 12, 1. / 720, 1. / 30240, 1. / 1209600, 1. / 47900160,
	5.2841901386874932e-10, 1.3382536530684679e-11, 3.3896802963225829e-13,
}

// cotSeriesMax2 is the squared angle below which a(s) and its derivatives come
// from cotSeries. The term left out is below 1e-17 of a, 1e-14 of a″.
const cotSeriesMax2 = 0.25

// dexpInvCoef returns a(s) = (1 − G)/s, G = (θ/2) cot(θ/2), s = θ².
func dexpInvCoef(s float64) float64 {
	if s < cotSeriesMax2 {
		a := 0.0
		for k := len(cotSeries) - 1; k >= 0; k-- {
			a = a*s + cotSeries[k]
		}
		return a
	}
	h := math.Sqrt(s) / 2
	sh, ch := math.Sincos(h)
	return (1 - h*ch/sh) / s
}

// dexpInvCoefs returns a(s) of dexpInvCoef and its first and second derivatives
// with respect to s. Just above cotSeriesMax2 the closed forms have lost four
// digits in a′ and seven in a″.
func dexpInvCoefs(s float64) (a, a1, a2 float64) {
	if s < cotSeriesMax2 {
		c := &cotSeries
		a = c[0] + s*(c[1]+s*(c[2]+s*(c[3]+s*(c[4]+s*(c[5]+s*(c[6]+s*c[7]))))))
		a1 = c[1] + s*(2*c[2]+s*(3*c[3]+s*(4*c[4]+s*(5*c[5]+s*(6*c[6]+s*7*c[7])))))
		a2 = 2*c[2] + s*(6*c[3]+s*(12*c[4]+s*(20*c[5]+s*(30*c[6]+s*42*c[7]))))
		return a, a1, a2
	}
	h := math.Sqrt(s) / 2
	sh, ch := math.Sincos(h)
	g := h * ch / sh
	q := s / 4
	n := g - g*g - q
	gs := n / (2 * s)                                         // dG/ds
	gss := ((n/(2*q))*(1-2*g)*2*q - 2*q - 2*n) / (64 * q * q) // d²G/ds²
	a = (1 - g) / s
	a1 = -(a + gs) / s
	a2 = -gss/s + 2*gs/(s*s) + 2*(1-g)/(s*s*s)
	return a, a1, a2
}
