package stokes

import "sinew/pkg/sim/spatial"

// Resistance relates the velocity of a body's reference point (m/s) and its
// angular velocity (rad/s) to the load that it exerts on still fluid,
//
//	F = Trans v + Coupling w
//	M = Couplingᵀ v + Rot w,
//
// in body axes, M about the reference point. Drag is the opposite. Trans and Rot
// are symmetric and the whole is positive definite, because motion dissipates.
type Resistance struct {
	Trans    spatial.Mat3 // kg/s
	Coupling spatial.Mat3 // kg m/s
	Rot      spatial.Mat3 // kg m²/s
}

// Diagonal returns the resistance without coupling of a body with three planes of
// symmetry: trans in kg/s, rot in kg m²/s, along the body axes.
func Diagonal(trans, rot spatial.Vec) Resistance {
	return Resistance{Trans: spatial.Diag3(trans), Rot: spatial.Diag3(rot)}
}

// Apply returns the load that the body exerts on the fluid when it moves with t.
func (r *Resistance) Apply(t spatial.Twist) spatial.Wrench {
	return spatial.Wrench{
		Force:  r.Trans.Apply(t.Linear).Add(r.Coupling.Apply(t.Angular)),
		Moment: r.Coupling.ApplyT(t.Linear).Add(r.Rot.Apply(t.Angular)),
	}
}

// At returns the resistance of the same body about the reference point p (m, body
// axes, from the present one).
func (r Resistance) At(p spatial.Vec) Resistance {
	s := spatial.Skew(p) // v_old = v_new + p × w, M_new = M_old − p × F
	b := r.Coupling.Add(r.Trans.Mul(s))
	c := r.Rot.Add(r.Coupling.TMul(s)).Sub(s.Mul(b))
	return Resistance{Trans: r.Trans, Coupling: b, Rot: symmetric(c)}
}

// Center returns the centre of resistance (m, body axes, from the reference
// point): the only point about which Coupling is symmetric. Bodies with enough
// symmetry for no coupling there, as ellipsoids, turn without drifting about it.
func (r Resistance) Center() spatial.Vec {
	// Trans [p]× + [p]× Trans = [(tr Trans − Trans) p]× must undo the skew part
	return solve3(complement(r.Trans), skewPart(r.Coupling).Neg())
}

// Rotated returns the resistance in the axes a, with a mapping body axes to them.
func (r Resistance) Rotated(a spatial.Mat3) Resistance {
	return Resistance{
		Trans:    symmetric(a.Mul(r.Trans).MulT(a)),
		Coupling: a.Mul(r.Coupling).MulT(a),
		Rot:      symmetric(a.Mul(r.Rot).MulT(a)),
	}
}

// Scale returns s r, as another viscosity gives it.
func (r Resistance) Scale(s float64) Resistance {
	return Resistance{Trans: r.Trans.Scale(s), Coupling: r.Coupling.Scale(s), Rot: r.Rot.Scale(s)}
}

// Add returns r + a, both in the same axes and about the same point.
func (r Resistance) Add(a Resistance) Resistance {
	return Resistance{Trans: r.Trans.Add(a.Trans), Coupling: r.Coupling.Add(a.Coupling), Rot: r.Rot.Add(a.Rot)}
}

// Matrix returns the 6×6 matrix, linear part first.
func (r Resistance) Matrix() spatial.Mat6 {
	return spatial.Blocks6(r.Trans, r.Coupling, r.Coupling.T(), r.Rot)
}

// Mobility returns the inverse. It fails as Check does.
func (r Resistance) Mobility() (Mobility, error) {
	if err := r.Check(); err != nil {
		return Mobility{}, err
	}
	f, ok := r.Factor()
	if !ok {
		return Mobility{}, errIndefinite
	}
	return f.Inverse(), nil
}
