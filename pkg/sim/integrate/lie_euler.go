package integrate

// LieEuler advances x by h from time t with constant velocities, first order. The exponential of a
// constant angular velocity is exact. The MIME simulator steps overdamped bodies with it.
func LieEuler[S Kinematics](s S, t, h float64, x Placement) Placement {
	v, w := s.Velocity(t, x)
	next := x.displaced(v.Scale(h), w.Scale(h))
	next.Q = next.Q.Normalized()
	return next
}

// LieMidpoint advances x by h from time t with the velocities of a predicted midpoint, second
// order. With a random load that is drawn once per step, it converges weakly to the Langevin
// equation of a position-dependent mobility: the predictor supplies the drift kT ∇·M (Fixman, J.
// Chem. Phys. 69 (1978) 1527-1537). Methods with more stages do not have this property.
func LieMidpoint[S Kinematics](s S, t, h float64, x Placement) Placement {
	half := 0.5 * h
	v, w := s.Velocity(t, x)
	v, w = s.Velocity(t+half, x.displaced(v.Scale(half), w.Scale(half)))
	next := x.displaced(v.Scale(h), w.Scale(h))
	next.Q = next.Q.Normalized()
	return next
}

// LieEulerMotion advances x by h from time t with constant twist and acceleration, first order.
func LieEulerMotion[S Dynamics](s S, t, h float64, x Motion) Motion {
	a := s.Acceleration(t, x)
	next := x
	next.Placement = x.screwMotion(x.V.Linear.Scale(h), x.V.Angular.Scale(h))
	next.V.Linear, next.V.Angular = x.V.Linear.AddScaled(h, a.Linear), x.V.Angular.AddScaled(h, a.Angular)
	next.Q = next.Q.Normalized()
	return next
}
