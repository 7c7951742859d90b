package strain

import "sinew/pkg/sim/spatial"

// A rod with a free start has the pose of node 0 among its unknowns: its node has inertia, loads and
// equations as every other, and entry 0 of the blocks of Equations is set. What holds the start,
// such as a joint of a mechanism, adds to these equations. Increments of all nodes, node 0 first,
// become increments of Base and Strain.

// StrainIncrementFrom converts the body increments eta of all nodes, node 0 first, to the increments
// dx of the strains, as StrainIncrement does.
func (s *State) StrainIncrementFrom(eta []spatial.Vec6, dx []spatial.Twist) (turn, stretch float64) {
	return strainIncrement(s.elements, s.evenParts, s.Strain, &eta[0], eta[1:], dx)
}

// AddIncrement stores the configuration for Undo, moves node 0 by scale times its body increment
// start and adds scale dx to the strains.
func (s *State) AddIncrement(start *spatial.Vec6, dx []spatial.Twist, scale float64) {
	base := s.Base
	s.Base.P = base.P.Add(base.R.Apply(start.Linear().Scale(scale)))
	s.Base.R = base.R.Mul(spatial.ExpRot(start.Angular().Scale(scale)))
	s.AddStrainIncrement(dx, scale)
	s.undoBase = base
}

// Predict moves the nodes to where they end the step if their velocities change by extrapolate times their change in the step
// before.
func (s *State) Predict(extrapolate float64) {
	var last spatial.Pose
	duration := 1 / s.step.gamma
	for i := range s.Pose {
		v := s.vel[i].AddScaled(extrapolate, s.vel[i].Sub(s.past.vel[i]))
		w := s.omega[i].AddScaled(extrapolate, s.omega[i].Sub(s.past.omega[i]))
		g := spatial.Pose{
			P: s.step.posHat[i].AddScaled(duration, v),
			R: s.frozen.rot[i].Mul(spatial.ExpRot(s.step.turnHat[i].AddScaled(duration, w))),
		}
		if i == 0 {
			s.Base = g
		} else {
			s.Strain[i-1] = last.Inv().Mul(g).Log()
		}
		last = g
	}
	s.UpdateKinematics()
}

// PlaceStart moves the rod as a rigid body until node 0 has the pose g, and stops it.
func (s *State) PlaceStart(g spatial.Pose) {
	s.Base, s.Target = g, g
	s.SetAtRest()
}

// PlaceNodes gives the nodes the poses g, node 0 first, and stops the rod.
func (s *State) PlaceNodes(g []spatial.Pose) {
	for e := range s.Strain {
		s.Strain[e] = g[e].Inv().Mul(g[e+1]).Log()
	}
	s.PlaceStart(g[0])
}

// BodyVelocity returns the rate of the body increment of node i: its velocity, m/s, and angular
// velocity, rad/s, both in body axes.
func (s *State) BodyVelocity(i int) spatial.Vec6 {
	return spatial.Vec6Of(s.Pose[i].R.ApplyT(s.vel[i]), s.omega[i])
}

// SetBodyVelocity sets the velocity of node i to what BodyVelocity returns.
func (s *State) SetBodyVelocity(i int, v *spatial.Vec6) {
	r := &s.Pose[i].R
	s.vel[i], s.omega[i] = r.Apply(v.Linear()), v.Angular()
	if s.distributed.elements != nil {
		s.distributed.rate[i] = tangentRate(r, s.omega[i])
	}
}

// Momentum returns linear momentum and angular momentum about the origin of the world of a rod with a free start and bodies at its
// nodes, N s and N m s.
func (s *State) Momentum() (linear, angular spatial.Vec) {
	d := &s.distributed
	for i := range s.Pose {
		g := &s.Pose[i]
		force, tangentForce := s.vel[i].Scale(s.mass[i]), spatial.Vec{} // of the mass times the velocities, on position and tangent
		if d.elements != nil {
			o := &d.diagonal[i]
			force, tangentForce = combine(o.linear, &s.vel[i], o.coupled, &d.rate[i]), combine(o.coupled, &s.vel[i], o.tangent, &d.rate[i])
			if i > 0 {
				m := &d.elements[i-1]
				force = force.AddScaled(m[0][2], s.vel[i-1]).AddScaled(m[1][2], d.rate[i-1])
				tangentForce = tangentForce.AddScaled(m[0][3], s.vel[i-1]).AddScaled(m[1][3], d.rate[i-1])
			}
			if i < len(d.elements) {
				m := &d.elements[i]
				force = force.AddScaled(m[0][2], s.vel[i+1]).AddScaled(m[0][3], d.rate[i+1])
				tangentForce = tangentForce.AddScaled(m[1][2], s.vel[i+1]).AddScaled(m[1][3], d.rate[i+1])
			}
		}
		linear = linear.Add(force)
		angular = angular.Add(g.P.Cross(force)).Add(tangentOf(&g.R).Cross(tangentForce)).Add(g.R.Apply(s.inertia[i].Mul(s.omega[i])))
	}
	return linear, angular
}

// BeginAccelerations starts a step of unknown accelerations. AssembleElementWrenches and then
// AssembleNodes set the equations
//
//	beta M (a/beta) = r,
//
// where r are the wrenches at the present configuration and velocities, those of inertia at constant
// body velocities included, and a the rates of the body velocities. A large beta, 1/s², keeps the
// stiffness of the wrenches of the nodes out of the tangent. Internal damping is left out.
func (s *State) BeginAccelerations(beta float64) {
	s.BeginStatic()
	s.step.beta = beta
	for i := range s.Pose {
		r, w := &s.Pose[i].R, s.omega[i]
		s.frozen.rot[i] = *r
		s.step.posTilde[i] = s.Pose[i].P.AddScaled(-1/beta, r.Apply(w).Cross(s.vel[i]))
		s.step.posHat[i] = s.Pose[i].P
		s.step.turnTilde[i], s.step.turnHat[i] = spatial.Vec{}, spatial.Vec{}
		s.step.gyroscopic[i] = w.Cross(s.inertia[i].Mul(w))
		if s.distributed.elements != nil {
			s.distributed.tilde[i] = tangentOf(r).AddScaled(-1/beta, r.Apply(w).Cross(tangentRate(r, w)))
		}
	}
}

// SetLevelBefore makes the level h seconds before the present one that of constant accelerations, of
// which acceleration are the rates of the body velocities of all nodes.
func (s *State) SetLevelBefore(h float64, acceleration []spatial.Vec6) {
	d := &s.distributed
	var last spatial.Pose
	for i := range s.Pose {
		g, w, alpha := &s.Pose[i], s.omega[i], acceleration[i].Angular()
		a := g.R.Apply(acceleration[i].Linear().Add(w.Cross(g.R.ApplyT(s.vel[i]))))
		s.past.pos[i] = g.P.AddScaled(-h, s.vel[i]).AddScaled(h*h/2, a)
		s.past.vel[i] = s.vel[i].AddScaled(-h, a)
		s.past.rotation[i] = w.Scale(h).AddScaled(-h*h/2, alpha)
		s.past.omega[i] = w.AddScaled(-h, alpha)
		was := spatial.Pose{R: g.R.Mul(spatial.ExpRot(s.past.rotation[i].Neg())), P: s.past.pos[i]}
		if d.elements != nil {
			d.pastRate[i] = tangentRate(&was.R, s.past.omega[i])
		}
		if i > 0 {
			s.past.strain[i-1] = last.Inv().Mul(was).Log()
		}
		last = was
	}
	copy(s.past.slope, s.slope)
}
