package integrate

import "sinew/pkg/sim/spatial"

// Placement is a point of SO(3) × R³: orientation and position of a rigid body.
type Placement struct {
	Q spatial.Quat // body to world
	P spatial.Vec  // reference point in the world, m
}

// IsFinite reports whether all numbers of x are finite.
func (x *Placement) IsFinite() bool { return x.P.IsFinite() && x.Q.IsFinite() }

// Kinematics is a first-order system on SO(3) × R³, such as an overdamped body. RKMK4, CG4,
// LieMidpoint and LieEuler step it. As a value type with a small state it is called without heap
// indirection.
type Kinematics interface {
	// Velocity returns the velocity of the reference point in world axes (m/s)
	// and the angular velocity in body axes (rad/s) of the body at x at time t.
	Velocity(t float64, x Placement) (v, w spatial.Vec)
}

// displaced returns x after the displacement d in world axes and the rotation vector u in body
// axes: the exponential map of SO(3) × R³ at x.
func (x Placement) displaced(d, u spatial.Vec) Placement {
	return Placement{Q: x.Q.Mul(expStep(u)), P: x.P.Add(d)}
}

// expSeriesMax2 is the squared angle below which expStep uses a series. Its truncation error is
// below 1e-17.
const expSeriesMax2 = 1

// tinySeriesMax is the square of half the angle below which three terms suffice, to 3e-17.
const tinySeriesMax = 1e-3

// expStep returns spatial.ExpQuat(u). For the rotation of a step it takes 20 ns, and
// spatial.ExpQuat, which needs a sine and a cosine, 52 ns.
func expStep(u spatial.Vec) spatial.Quat {
	s := u.Norm2()
	if !(s < expSeriesMax2) {
		return spatial.ExpQuat(u)
	}
	s *= 0.25
	if s < tinySeriesMax {
		return expTiny(u, s)
	}
	// products with constants, since a division takes as long as ten of them
	c := 1 - s*(1./2-s*(1./24-s*(1./720-s*(1./40320-s*(1./3628800-s*(1./479001600-s*(1./87178291200)))))))
	k := 1./2 - s*(1./12-s*(1./240-s*(1./10080-s*(1./725760-s*(1./79833600-s*(1./12454041600))))))
	return spatial.Quat{W: c, X: k * u.X, Y: k * u.Y, Z: k * u.Z}
}

// expTiny returns expStep(u) for s = |u|²/4 below tinySeriesMax.
func expTiny(u spatial.Vec, s float64) spatial.Quat {
	k := 1./2 - s*(1./12-s*(1./240-s*(1./10080)))
	return spatial.Quat{W: 1 - s*(1./2-s*(1./24-s*(1./720))), X: k * u.X, Y: k * u.Y, Z: k * u.Z}
}
