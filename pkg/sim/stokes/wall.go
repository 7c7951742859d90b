package stokes

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// nearWall holds the resistance of a sphere near a plane wall as multiples of that
// far from it: of the force 6πηa v along the wall and normal to it, of the moment
// 8πηa³ w about an axis along it and normal to it, and of the moment 8πηa² v from
// motion along the wall, or the force 8πηa² w from rotation.
type nearWall struct{ along, normal, turn, spin, couple float64 }

// newNearWall returns the factors at e = a/h, radius over height of the centre,
// from 0 to below 1.
//
// Errors, against the exact values of Brenner (1961), Goldman, Cox and Brenner
// (1967) and Jeffery (1915): along ≤ 0.55 %, normal ≤ 0.7 %, turn ≤ 0.1 %, couple
// ≤ 1.1 %, spin ≤ 0.03 %, down to a gap of 4.5 % of the radius; below, the forms keep
// the exact leading logarithm or pole and, within 1 %, the constant after it. Normal
// is that of Bevan and Prieve (2000), along is of Faxén's kind with the logarithm of
// lubrication, and the higher powers of turn, couple and spin are fitted.
func newNearWall(e float64) nearWall {
	// δ = h/a − 1, and ln(1−e) without cancellation at small e
	delta := (1 - e) / e
	ln := math.Log1p(-e)
	tail3, tail4 := lnTails(e, ln)
	e2 := e * e
	e3, e4 := e2*e, e2*e2
	w := nearWall{
		along: 1 - 8./15*ln + e*(0.029+e*(0.04973-e*0.1249)),
		turn:  1 + 5./16*e3 - 0.4*tail3 + e4*(0.46674824+e*(-2.61777395+e*(3.78210257-e*1.82857686))),
		couple: -(3./32*e4 - 0.1*tail4 +
			e4*e*(-0.04240812+e*(-0.13310568+e*(0.27754615-e*0.17695235)))),
		normal: 1,
		spin: 1 + e3/8 + 0.5*((1-e)*tail4+e4*e/4) +
			e4*e*(0.10061975+e*(-0.53757734+e*(0.74446068-e*0.35520731))),
	}
	if e > 1e-12 { // δ is finite and its square too
		w.normal = (6*delta*delta + 9*delta + 2) / (6*delta*delta + 2*delta)
	}
	return w
}

// lnTails returns ln(1−e) + e + e²/2 + e³/3, and that + e⁴/4, from ln = ln(1−e).
func lnTails(e, ln float64) (tail3, tail4 float64) {
	if e > 0.1 {
		tail3 = ln + e*(1+e*(1./2+e/3))
		return tail3, tail3 + e*e*e*e/4
	}
	// −Σ e^k/k, k ≥ 5
	e4 := e * e * e * e
	tail4 = -e4 * e * (1./5 + e*(1./6+e*(1./7+e*(1./8+e*(1./9+e*(1./10+e*(1./11+e*(1./12))))))))
	return tail4 - e4/4, tail4
}

// minus1 returns w − 1: what the wall adds, in units of the resistance without it.
func (w nearWall) minus1() nearWall {
	return nearWall{along: w.along - 1, normal: w.normal - 1, turn: w.turn - 1, spin: w.spin - 1, couple: w.couple}
}

// resistance returns the resistance of a sphere of radius a (m) with the factors w
// and the unit normal n into the fluid.
func (w nearWall) resistance(n spatial.Vec, a, viscosity float64) Resistance {
	f, c, t := sphereUnits(a, viscosity)
	return Resistance{
		Trans: about(n, f*w.along, f*w.normal),
		// moment c n × v, force −c n × w
		Coupling: spatial.Skew(n.Scale(-c * w.couple)),
		Rot:      about(n, t*w.turn, t*w.spin),
	}
}

// mobility returns the inverse of resistance in closed form: along the wall it
// falls into two 2×2 systems.
func (w nearWall) mobility(n spatial.Vec, a, viscosity float64) Mobility {
	f, c, t := sphereUnits(a, viscosity)
	along, turn, couple := f*w.along, t*w.turn, c*w.couple
	q := 1 / (along*turn - couple*couple)
	return Mobility{
		Trans:    about(n, q*turn, 1/(f*w.normal)),
		Coupling: spatial.Skew(n.Scale(q * couple)),
		Rot:      about(n, q*along, 1/(t*w.spin)),
	}
}

// about returns across (I − n nᵀ) + along n nᵀ.
func about(n spatial.Vec, across, along float64) spatial.Mat3 {
	u := n.Scale(along - across)
	xy, xz, yz := u.X*n.Y, u.X*n.Z, u.Y*n.Z
	return spatial.Mat3{
		XX: across + u.X*n.X, XY: xy, XZ: xz,
		YX: xy, YY: across + u.Y*n.Y, YZ: yz,
		ZX: xz, ZY: yz, ZZ: across + u.Z*n.Z,
	}
}

// sphereUnits returns 6πηa, 8πηa² and 8πηa³.
func sphereUnits(a, viscosity float64) (trans, couple, rot float64) {
	c := 8 * math.Pi * viscosity * a * a
	return 6 * math.Pi * viscosity * a, c, c * a
}
