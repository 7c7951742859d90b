package strain

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Begin starts a step with formula f from the present state: it moves the base to
// its target, extrapolates the angular velocity in the gyroscopic moment by
// extrapolate times its last change, and freezes what has no potential; see
// Freeze.
func (s *State) Begin(f integrate.BDF, extrapolate float64, extra []spatial.Wrench) {
	s.step.beta, s.step.gamma = f.Beta, f.Gamma
	s.condensedValid = s.condensedValid && !s.hasDamping && !s.hasMidpointLoads
	copy(s.start.strain, s.Strain)
	s.setReferenceStrains(f)
	s.beginEccentric(f)
	for i := range s.Pose {
		g := &s.Pose[i]
		s.start.pos[i] = g.P
		s.step.posHat[i] = f.Hat(g.P, s.past.pos[i])
		s.step.posTilde[i] = s.step.posHat[i].Add(f.Lead(s.vel[i], s.past.vel[i]))
		s.step.turnHat[i] = f.HatStep(s.past.rotation[i])
		s.step.turnTilde[i] = s.step.turnHat[i].Add(f.Lead(s.omega[i], s.past.omega[i]))
		w := s.omega[i].AddScaled(extrapolate, s.omega[i].Sub(s.past.omega[i]))
		s.step.gyroscopic[i] = w.Cross(s.inertia[i].Mul(w))
	}
	s.FreezeLoads(extra)
	s.start.base, s.Base = s.Base, s.Target
	if s.Base != s.start.base {
		s.UpdateKinematics()
	}
}

// Began returns where the base was at the start of the step.
func (s *State) StartBase() spatial.Pose { return s.start.base }

// hat sets x̂, from which the rates of the shapes of the elements count, and the rates of damping.
func (s *State) setReferenceStrains(f integrate.BDF) {
	for e := range s.Strain {
		s.step.rate[e] = f.Gamma * s.elements[e].damping
		if s.elements[e].damping == 0 {
			continue // its rate counts nowhere
		}
		now, last, hat := &s.Strain[e], &s.past.strain[e], &s.step.hat[e]
		if s.elements[e].isLinear {
			y, before := newLinearStrain(now, &s.slope[e]), newLinearStrain(last, &s.past.slope[e])
			hat.slope = spatial.Twist{Linear: f.Hat(y.slope.Linear, before.slope.Linear), Angular: f.Hat(y.slope.Angular, before.slope.Angular)}
			now, last = &y.mean, &before.mean
		}
		hat.mean = spatial.Twist{Linear: f.Hat(now.Linear, last.Linear), Angular: f.Hat(now.Angular, last.Angular)}
	}
	s.step.baseHat = s.step.hat[0]
	s.beginDashpots(f)
}

// BeginStatic starts a search for equilibrium.
func (s *State) BeginStatic() {
	s.step.beta, s.step.gamma = 0, 0
	clear(s.step.rate)
	s.condensedValid = false
	s.frozen.active = false
	clear(s.frozen.moment)
	clear(s.frozen.force)
	clear(s.stepRotation)
}

// BeginRelaxing starts a step of a search for equilibrium: the rod moves from rest where it is, for dt
// seconds, against its inertia and drag. Nothing inside it holds it back, and the base stays.
func (s *State) BeginPseudoTransient(dt float64, extra []spatial.Wrench) {
	s.BeginStatic()
	f := integrate.NewBDF(1, dt, dt)
	s.step.beta, s.step.gamma = f.Beta, f.Gamma
	for i := range s.Pose {
		p := s.Pose[i].P
		s.step.posHat[i], s.step.posTilde[i] = p, p
	}
	clear(s.step.turnHat)
	clear(s.step.turnTilde)
	clear(s.step.gyroscopic)
	for k := range s.eccentric.bodies {
		p := s.eccentricPosition(&s.eccentric.bodies[k])
		s.eccentric.hat[k], s.eccentric.tilde[k] = p, p
	}
	s.FreezeLoads(extra)
}

// Freeze takes the loads that have no potential, moments and followers, and the
// extra wrenches of nodes in body axes, as constant from here on in Potential,
// which then does not increase toward a solution nearby. Wrenches keep their
// direction: forces in the world, moments in the body.
func (s *State) FreezeLoads(extra []spatial.Wrench) {
	for i := range s.Pose {
		l, x, r := &s.Loads[i], &extra[i], &s.Pose[i].R
		s.frozen.rot[i] = *r
		s.frozen.moment[i] = r.ApplyT(l.Moment).Add(l.Follower.Moment).Add(x.Moment)
		s.frozen.force[i] = r.Apply(l.Follower.Force.Add(x.Force))
	}
	clear(s.stepRotation)
	s.frozen.active = true
}

// Update computes poses, and body rotations since the start of the step or since
// Freeze, from the strains.
func (s *State) UpdateKinematics() {
	s.UpdatePoses()
	if !s.frozen.active {
		return
	}
	for i := range s.Pose {
		r := s.frozen.rot[i].TMul(s.Pose[i].R)
		s.stepRotation[i] = r.LogStep()
	}
}

// Turned returns the rotation vector of node i since the start of the step, world axes.
func (s *State) StepRotation(i int) spatial.Vec { return s.frozen.rot[i].Apply(s.stepRotation[i]) }

// Return sets the strains to those at the start of the step.
func (s *State) ReturnToStart() {
	copy(s.Strain, s.start.strain)
	s.UpdateKinematics()
}

// Abandon ends the step where it began: state and target of the base are those of
// before Begin and of a base that stands still.
func (s *State) Revert() {
	copy(s.Strain, s.start.strain)
	s.Base, s.Target = s.start.base, s.start.base
	s.UpdatePoses()
}

// Accept makes the present iterate the state at the end of the step.
func (s *State) Commit() {
	s.shiftLevels()
	copy(s.past.strain, s.start.strain)
	s.commitEccentric()
	for e := range s.Strain {
		s.Strain[e] = s.Strain[e].Flush()
	}
	s.condensedValid = false
	s.commitSlopes()
	s.commitDashpots()
	s.commitJenkins()
	s.stepRotation[0] = s.frozen.rot[0].TMul(s.Pose[0].R).LogStep()
	s.clamp.inertialWrench = spatial.Wrench{
		Force:  s.Pose[0].P.Sub(s.step.posTilde[0]).Scale(s.step.beta * s.mass[0]).Sub(s.dragForce(0)),
		Moment: s.inertia[0].Mul(s.stepRotation[0].Sub(s.step.turnTilde[0])).Scale(s.step.beta).Add(s.step.gyroscopic[0]),
	}
	if c := s.opt.RotationalDrag; c != nil {
		s.clamp.inertialWrench.Moment = s.clamp.inertialWrench.Moment.AddScaled(s.step.gamma*c[0], s.stepRotation[0].Sub(s.step.turnHat[0]))
	}
	for i := range s.Pose {
		s.past.pos[i] = s.start.pos[i]
		s.past.vel[i], s.vel[i] = s.vel[i], s.Pose[i].P.Sub(s.step.posHat[i]).Scale(s.step.gamma).Flush()
		s.stepRotation[i] = s.stepRotation[i].Flush()
		s.past.omega[i], s.omega[i] = s.omega[i], s.stepRotation[i].Sub(s.step.turnHat[i]).Scale(s.step.gamma).Flush()
		s.past.rotation[i] = s.stepRotation[i]
		s.Pose[i] = s.Pose[i].Flush()
	}
	s.clamp.inertialWrench = spatial.Wrench{Force: s.clamp.inertialWrench.Force.Flush(), Moment: s.clamp.inertialWrench.Moment.Flush()}
}

// acceptSlopes makes the slopes those at the end of the step, where they are part of the state,
// with the rate at which the clamp feels the first element.
func (s *State) commitSlopes() {
	if !s.hasSlopeState() {
		return
	}
	copy(s.past.slope, s.slope)
	s.updateSlopes()
	y, hat := newLinearStrain(&s.Strain[0], &s.slope[0]), &s.step.baseHat
	moved := y.minus(&hat.mean, &hat.slope)
	s.clamp.rate = spatial.Twist{Linear: moved.mean.Linear.Scale(s.step.gamma), Angular: moved.mean.Angular.Scale(s.step.gamma)}.Flush()
	s.clamp.slope[0] = spatial.Twist{Linear: moved.slope.Linear.Scale(s.step.gamma), Angular: moved.slope.Angular.Scale(s.step.gamma)}.Flush()
	for e := range s.Strain {
		s.slope[e] = s.slope[e].Flush()
	}
}

// lasting reports whether the slopes are part of the state: what damps the elements, or loads
// their middles, is of the step. Otherwise they follow from the strains whenever one asks.
func (s *State) hasSlopeState() bool { return s.hasDamping || s.hasMidpointLoads }

// slopes returns those of the elements at the end of the last step.
func (s *State) committedSlopes() []spatial.Twist {
	if !s.hasSlopeState() {
		s.updateSlopes()
	}
	return s.slope
}

// settle settles the elements at the present strains, unless they are.
func (s *State) condenseSlopes() {
	if s.condensedValid {
		return
	}
	s.updateMidpoints()
	for e := range s.Strain {
		law, o := &s.elements[e], &s.condensed[e]
		if !law.isLinear {
			continue
		}
		if m := o.midpoint; m != nil {
			m.torque, m.potential = s.opt.MidpointLoads.Torque(e, &s.placement)
		}
		law.condenseSlope(&s.Strain[e], &s.step.hat[e], s.step.rate[e], o)
		if o.midpoint != nil {
			s.placement.SlopeRotations[e] = slopeRotation(&o.slope)
		}
	}
	s.condensedValid = true
}

// shape makes the slopes those of the present strains.
func (s *State) updateSlopes() {
	s.condenseSlopes()
	for e := range s.Strain {
		if s.elements[e].isLinear {
			s.slope[e] = s.condensed[e].slope
		}
	}
}

// Increment turns body increments eta of the nodes, of which the base has none,
// into increments of strain from the assembled iterate, and returns the largest
// |Δu| (rad) and the largest |Δv|/l of an element, or NaN.
func (s *State) StrainIncrement(eta []spatial.Vec6, dx []spatial.Twist) (turn, stretch float64) {
	return strainIncrement(s.elements, s.evenParts, s.Strain, eta, dx)
}

// increment is Increment in a shape.
func strainIncrement(elements []element, even []spatial.Even, strain []spatial.Twist, eta []spatial.Vec6, dx []spatial.Twist) (turn, stretch float64) {
	var va, wa spatial.Vec
	sum := 0.0
	for e := range dx {
		vb, wb := eta[e].Linear(), eta[e].Angular()
		d := elementIncrement(&even[e], &strain[e], va, wa, vb, wb)
		dx[e] = d
		turn = maxAbs(turn, d.Angular)
		stretch = max(stretch, maxAbs(0, d.Linear)/elements[e].length)
		sum += d.Angular.X + d.Angular.Y + d.Angular.Z + d.Linear.X + d.Linear.Y + d.Linear.Z
		va, wa = vb, wb
	}
	nan := sum - sum // 0 unless something is not finite
	return turn + nan, stretch + nan
}

// worst returns the largest of m and the components of v, whatever their sign.
// NaN counts for nothing.
func maxAbs(m float64, v spatial.Vec) float64 {
	if x := math.Abs(v.X); x > m {
		m = x
	}
	if x := math.Abs(v.Y); x > m {
		m = x
	}
	if x := math.Abs(v.Z); x > m {
		m = x
	}
	return m
}

// Move remembers the strains and adds scale dx to them.
func (s *State) AddStrainIncrement(dx []spatial.Twist, scale float64) {
	copy(s.undoStrain, s.Strain)
	for e := range s.Strain {
		x, d := &s.Strain[e], &dx[e]
		if s.elements[e].isLinear {
			*x = addInextensible(x, d, scale)
			continue
		}
		x.Linear = x.Linear.AddScaled(scale, d.Linear)
		x.Angular = x.Angular.AddScaled(scale, d.Angular)
	}
	s.UpdateKinematics()
}

// MoveNodes remembers the strains and moves every node but the base by scale times its
// body increment in eta, exactly.
func (s *State) MoveNodes(eta []spatial.Vec6, scale float64) {
	copy(s.undoStrain, s.Strain)
	a := spatial.Pose{R: spatial.Identity3()}
	for e := range s.Strain {
		b := spatial.Exp(spatial.Twist{Linear: eta[e].Linear().Scale(scale), Angular: eta[e].Angular().Scale(scale)})
		s.Strain[e] = a.Inv().Mul(spatial.Exp(s.Strain[e])).Mul(b).Log()
		a = b
	}
	s.UpdateKinematics()
}

// Undo returns to the strains that Move remembered.
func (s *State) Undo() {
	copy(s.Strain, s.undoStrain)
	s.UpdateKinematics()
}
