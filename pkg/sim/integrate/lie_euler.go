package integrate

// LieEuler advances x by h from time t with the velocities of its start held: the
// exponential of a constant angular velocity is exact, the method of first order.
// It is what the MIME simulator steps overdamped bodies with.
func LieEuler[S Kinematics](s S, t, h float64, x Placement) Placement {
	v, w := s.Velocity(t, x)
	next := x.displaced(v.Scale(h), w.Scale(h))
	next.Q = next.Q.Normalized()
	return next
}

// LieMidpoint advances x by h from time t with the velocities of a predicted
// middle, second order. With a random load drawn once per step and held during it,
// it converges weakly to the Langevin equation of a mobility that depends on the
// position: the predictor supplies the drift kT ∇·M (Fixman, J. Chem. Phys. 69
// (1978) 1527-1537). Methods with more stages have no such guarantee.
func LieMidpoint[S Kinematics](s S, t, h float64, x Placement) Placement {
	half := 0.5 * h
	v, w := s.Velocity(t, x)
	v, w = s.Velocity(t+half, x.displaced(v.Scale(half), w.Scale(half)))
	next := x.displaced(v.Scale(h), w.Scale(h))
	next.Q = next.Q.Normalized()
	return next
}

// LieEulerMotion advances x by h from time t with the twist and the acceleration of
// its start held, first order.
func LieEulerMotion[S Dynamics](s S, t, h float64, x Motion) Motion {
	a := s.Acceleration(t, x)
	next := x
	next.Placement = x.screwMotion(x.V.Linear.Scale(h), x.V.Angular.Scale(h))
	next.V.Linear, next.V.Angular = x.V.Linear.AddScaled(h, a.Linear), x.V.Angular.AddScaled(h, a.Angular)
	next.Q = next.Q.Normalized()
	return next
}
