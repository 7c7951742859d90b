package stokes

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"

	"sinew/pkg/sim/spatial"
)

// Womersley is laminar flow in a round tube under a pressure gradient that
// oscillates in time: Peak sin(2π Frequency t + Phase) on the axis, and off it what
// the fluid's inertia makes of it (Womersley, J. Physiol. 127 (1955) 553),
//
//	u = Im[ Peak e^{i(ωt+Phase)} (1 − J₀(κρ/R)/J₀(κ))/(1 − 1/J₀(κ)) ],
//
// with κ = i^{3/2} α and the Womersley number α = R√(ω/ν). Below α ≈ 1 that is
// Poiseuille's parabola at each instant, above 10 a plug with a thin layer at the
// wall that runs ahead of it.
type Womersley struct {
	Axis      spatial.Vec // any length but 0
	Center    spatial.Vec // a point of the axis, m
	Radius    float64     // m
	Peak      float64     // amplitude on the axis, m/s
	Frequency float64     // Hz
	Phase     float64     // rad; at 0 the fluid on the axis starts from rest
	Kinematic float64     // viscosity ν = η/ρ of the fluid, m²/s
}

// Number returns the Womersley number α.
func (w *Womersley) Number() float64 {
	return w.Radius * math.Sqrt(2*math.Pi*w.Frequency/w.Kinematic)
}

// pulse is a Womersley flow with its profile as a Chebyshev series in s = ρ²/R²,
// which a time step evaluates without Bessel functions.
type pulse struct {
	tube
	rate, phase float64 // rad/s, rad
	series      []complex128
}

// maxWomersley bounds α. Above, the layer at the wall is thinner than 1/1000 of
// the radius, and the flow is a plug.
const maxWomersley = 2000

func newPulse(w Womersley) (pulse, error) {
	t, err := newTube(w.Axis, w.Center, w.Radius, w.Peak)
	err = errors.Join(err, checkPositive("frequency", w.Frequency, "Hz"), checkPositive("kinematic viscosity", w.Kinematic, "m²/s"))
	if !spatial.IsFinite(w.Phase) {
		err = errors.Join(err, fmt.Errorf("stokes: phase is %g rad; it must be finite", w.Phase))
	}
	if err != nil {
		return pulse{}, err
	}
	alpha := w.Number()
	if !(alpha <= maxWomersley) {
		return pulse{}, fmt.Errorf("stokes: Womersley number is %g; it must be at most %d", alpha, maxWomersley)
	}
	profile := func(s float64) complex128 { return womersleyProfile(alpha, s) }
	return pulse{tube: t, rate: 2 * math.Pi * w.Frequency, phase: w.Phase, series: chebyshev(profile)}, nil
}

// profile returns the velocity (m/s) at s and time t, and its first and second
// derivatives in s.
func (p *pulse) profile(s, t float64) (g, g1, g2 float64) {
	c, c1, c2 := clenshaw(p.series, s)
	sin, cos := math.Sincos(p.rate*t + p.phase)
	im := func(z complex128) float64 { return p.peak * (real(z)*sin + imag(z)*cos) }
	return im(c), im(c1), im(c2)
}

// chebyshev returns the coefficients of f on [0, 1] in the Chebyshev polynomials
// T_k(2s−1), as many as stand out of the round-off of f.
func chebyshev(f func(float64) complex128) []complex128 {
	const tail = 3e-14 // what womersleyProfile loses at worst
	for n := 16; ; n *= 2 {
		c := chebyshevFit(f, n)
		big := 0.0
		for _, v := range c {
			big = max(big, cmplx.Abs(v))
		}
		k := len(c)
		for k > 1 && cmplx.Abs(c[k-1]) <= tail*big {
			k--
		}
		// n limits the profiles of maxWomersley, which need 300
		if k <= n-4 || n >= 1024 {
			return c[:k]
		}
	}
}

// chebyshevFit interpolates f at the n Chebyshev points of [0, 1].
func chebyshevFit(f func(float64) complex128, n int) []complex128 {
	v := make([]complex128, n)
	for j := range v {
		s := math.Sin(math.Pi * (float64(j) + 0.5) / float64(2*n)) // s = sin², sharp near 0
		v[j] = f(s * s)
	}
	c := make([]complex128, n)
	for k := range c {
		for j, y := range v {
			// x = 2s−1 = −cos(π(j+½)/n)
			a := math.Cos(math.Pi * float64(k) * (1 - (float64(j)+0.5)/float64(n)))
			c[k] += y * complex(a*2/float64(n), 0)
		}
	}
	c[0] /= 2
	return c
}

// clenshaw returns the Chebyshev series c at s in [0, 1] with its first two
// derivatives.
func clenshaw(c []complex128, s float64) (f, f1, f2 complex128) {
	x := complex(2*s-1, 0)
	var b, b1, b2, d, d1, d2 complex128 // b_k and b_{k+1}, with derivatives in x
	for k := len(c) - 1; k > 0; k-- {
		b, d = c[k]+2*x*b-d, b
		b1, d1 = 2*d+2*x*b1-d1, b1
		b2, d2 = 4*d1+2*x*b2-d2, b2
	}
	f = c[0] + x*b - d
	f1 = b + x*b1 - d1
	f2 = 2*b1 + x*b2 - d2
	return f, 2 * f1, 4 * f2 // dx/ds = 2
}
