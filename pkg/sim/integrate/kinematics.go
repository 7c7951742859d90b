package integrate

import "sinew/pkg/sim/spatial"

// Placement is a point of SO(3) × R³: where a rigid body is and how it is turned.
type Placement struct {
	Q spatial.Quat // body to world
	P spatial.Vec  // reference point in the world, m
}

// Kinematics is a first-order system on SO(3) × R³, such as a body whose drag
// balances the loads: RKMK4, CG4, LieMidpoint and LieEuler step it. A value type
// with a small state is called without indirection through the heap.
type Kinematics interface {
	// Velocity returns the velocity of the reference point in world axes (m/s)
	// and the angular velocity in body axes (rad/s) of the body at x at time t.
	Velocity(t float64, x Placement) (v, w spatial.Vec)
}

// moved is x after the displacement d in world axes and the rotation vector u in
// body axes, the exponential map of SO(3) × R³ at x.
func (x Placement) moved(d, u spatial.Vec) Placement {
	return Placement{Q: x.Q.Mul(expStep(u)), P: x.P.Add(d)}
}

// expSeriesMax2 is the squared angle below which expStep needs no trigonometric
// function; the terms left out are below 1e-17.
const expSeriesMax2 = 1

// expStep is spatial.ExpQuat, three times as fast for the rotations of a step.
func expStep(u spatial.Vec) spatial.Quat {
	s := u.Norm2()
	if !(s < expSeriesMax2) {
		return spatial.ExpQuat(u)
	}
	s *= 0.25
	c := 1 - s/2*(1-s/12*(1-s/30*(1-s/56*(1-s/90*(1-s/132*(1-s/182))))))
	k := 0.5 * (1 - s/6*(1-s/20*(1-s/42*(1-s/72*(1-s/110*(1-s/156))))))
	return spatial.Quat{W: c, X: k * u.X, Y: k * u.Y, Z: k * u.Z}
}
