package stokes

import (
	"math"
	"math/cmplx"
)

// womersleyProfile returns (J₀(κ) − J₀(κ√s))/(J₀(κ) − 1) with κ = i^{3/2} α: the
// complex amplitude of pulsatile flow at s = ρ²/R², 1 on the axis and 0 at the
// wall.
func womersleyProfile(alpha, s float64) complex128 {
	if alpha < seriesBelow {
		return profileSeries(alpha, s)
	}
	// J₀(z) e^{iz} stays in range where J₀ does not
	z := cmplx.Rect(alpha, 0.75*math.Pi)
	zs := cmplx.Rect(alpha*math.Sqrt(s), 0.75*math.Pi)
	scale := cmplx.Exp(1i * (z - zs))
	wall := scaledJ0(z)
	return (wall - scaledJ0(zs)*scale) / (wall - cmplx.Exp(1i*z))
}

// seriesBelow parts the power series of J₀, which loses e^{0.3|z|} of its digits
// on the ray arg z = 3π/4, from its asymptotic expansion, which leaves e^{−2|z|}:
// each 1e-14.
const seriesBelow = 16

// profileSeries sums numerator and denominator of womersleyProfile term by term:
// J₀(κ√s) = Σ (i α² s/4)^k/k!², so that nothing cancels at small α.
func profileSeries(alpha, s float64) complex128 {
	q := complex(0, alpha*alpha/4)
	term := complex(1, 0)
	var num, den complex128
	for k, power := 1, s; k < 200; k++ {
		term *= q / complex(float64(k*k), 0)
		num += term * complex(1-power, 0)
		den += term
		if cmplx.Abs(term) < 1e-18*cmplx.Abs(den) {
			break
		}
		power *= s
	}
	return num / den
}

// scaledJ0 returns J₀(z) e^{iz} on the ray arg z = 3π/4.
func scaledJ0(z complex128) complex128 {
	if cmplx.Abs(z) < seriesBelow {
		q := -z * z / 4
		sum, term := complex(1, 0), complex(1, 0)
		for k := 1; k < 200 && cmplx.Abs(term) > 1e-18*cmplx.Abs(sum); k++ {
			term *= q / complex(float64(k*k), 0)
			sum += term
		}
		return sum * cmplx.Exp(1i*z)
	}
	// Hankel's expansion: J₀(z) is the conjugate of J₀(−z̄), for which DLMF 10.17.3
	// holds, half the sum of a wave that grows and one that decays; here, past
	// Stokes' line, the latter has the opposite sign
	grows, decays := hankel(complex(0, 1)/z), hankel(complex(0, -1)/z)
	quarter := cmplx.Exp(complex(0, math.Pi/4))
	return (quarter*grows - cmplx.Exp(2i*z)/quarter*decays) / cmplx.Sqrt(2*math.Pi*z)
}

// hankel returns Σ 1²·3²·…(2k−1)²/(k! 8^k) x^k up to its smallest term.
func hankel(x complex128) complex128 {
	sum, term := complex(1, 0), complex(1, 0)
	for k := 1; k < 60 && cmplx.Abs(term) > 1e-18; k++ {
		m := float64(2*k - 1)
		next := term * x * complex(m*m/float64(8*k), 0)
		if cmplx.Abs(next) >= cmplx.Abs(term) {
			break // it diverges from here on
		}
		term = next
		sum += term
	}
	return sum
}
