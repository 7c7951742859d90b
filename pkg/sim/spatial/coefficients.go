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

// cotSeries are the coefficients of a(s) = (1 − (θ/2) cot(θ/2))/s, s = θ², in
// powers of s: |B_2k|/(2k)! with the Bernoulli numbers B, k = 1, 2 ...
var cotSeries = [...]float64{
	1. / 12, 1. / 720, 1. / 30240, 1. / 1209600, 1. / 47900160,
	5.2841901386874932e-10, 1.3382536530684679e-11, 3.3896802963225829e-13,
}

// cotSeriesMax2 is the squared angle below which a(s) and its derivatives come
// from cotSeries. The term left out is below 1e-17 of a, 1e-14 of a″.
const cotSeriesMax2 = 0.25

// cotSum returns the series of a(s) for s < cotSeriesMax2.
func cotSum(s float64) float64 {
	c := &cotSeries
	return c[0] + s*(c[1]+s*(c[2]+s*(c[3]+s*(c[4]+s*(c[5]+s*(c[6]+s*c[7]))))))
}

// DexpInvCoef returns a(s) = (1 − (θ/2) cot(θ/2))/s, s = θ²: the coefficient of [w]×² in
// the inverse Jacobians of SO(3), singular at θ = 2π.
func DexpInvCoef(s float64) float64 {
	if s < cotSeriesMax2 {
		return cotSum(s)
	}
	h := math.Sqrt(s) / 2
	sh, ch := math.Sincos(h)
	return (1 - h*ch/sh) / s
}

// DexpInvCoefs returns a(s) of DexpInvCoef and its first and second derivatives
// with respect to s. Just above cotSeriesMax2 the closed forms have lost four
// digits in a′ and seven in a″.
func DexpInvCoefs(s float64) (a, a1, a2 float64) {
	if s < cotSeriesMax2 {
		c := &cotSeries
		a = cotSum(s)
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

// tanSeries are the coefficients of f(s) = tan(θ/4)/θ, s = θ², in powers of s.
var tanSeries = func() (c [12]float64) {
	// those of tan y/y, t_n (2n+1) = Σ t_i t_j with i + j = n − 1, from tan′ = 1 + tan²
	var t [len(c)]float64
	t[0], c[0] = 1, 0.25
	scale := 0.25
	for n := 1; n < len(c); n++ {
		for i := range n {
			t[n] += t[i] * t[n-1-i]
		}
		t[n] /= float64(2*n + 1)
		scale /= 16
		c[n] = scale * t[n]
	}
	return c
}()

// tanSeriesMax2 is the squared angle below which TanCoefs come from tanSeries, of which the
// term left out is below 1e-16 of f″.
const tanSeriesMax2 = 1

// TanCoefs returns f(s) = tan(θ/4)/θ, s = θ², and its first and second derivatives with
// respect to s: the coefficient of [w]× in tanh(¼ [w]×), singular at θ = 2π.
func TanCoefs(s float64) (f, f1, f2 float64) {
	if s < tanSeriesMax2 {
		for n := len(tanSeries) - 1; n >= 0; n-- {
			f2 = f2*s + 2*f1
			f1 = f1*s + f
			f = f*s + tanSeries[n]
		}
		return f, f1, f2
	}
	t := math.Sqrt(s)
	tan := math.Tan(t / 4)
	sec2 := 1 + tan*tan
	f = tan / t
	f1 = (sec2/4 - f) / (2 * s)
	f2 = (sec2*tan*t/32/s - 1.5*f1) / s
	return f, f1, f2
}
