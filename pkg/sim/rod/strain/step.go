package strain

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Begin starts a step with formula f from the present state. It moves the base to its target,
// extrapolates the angular velocity in the gyroscopic moment by extrapolate times its last change,
// and freezes the loads without a potential; see FreezeLoads.
func (s *State) Begin(f integrate.BDF, extrapolate float64, extra []spatial.Wrench) {
	s.step.beta, s.step.gamma = f.Beta, f.Gamma
	s.condensedValid = s.condensedValid && !s.hasDamping && !s.hasMidpointLoads
	copy(s.start.strain, s.Strain)
	s.setReferenceStrains(f)
	s.beginEccentric(f)
	s.beginDistributedMass(f)
	for i := range s.Pose {
		g := &s.Pose[i]
		s.start.pos[i] = g.P
		s.step.posHat[i] = f.Hat(g.P, s.past.pos[i])
		s.step.posTilde[i] = s.step.posHat[i].Add(f.VelocityTerm(s.vel[i], s.past.vel[i]))
		s.step.turnHat[i] = f.HatStep(s.past.rotation[i])
		s.step.turnTilde[i] = s.step.turnHat[i].Add(f.VelocityTerm(s.omega[i], s.past.omega[i]))
		w := s.omega[i].AddScaled(extrapolate, s.omega[i].Sub(s.past.omega[i]))
		s.step.gyroscopic[i] = w.Cross(s.inertia[i].Mul(w))
	}
	s.FreezeLoads(extra)
	if s.opt.FreeStart {
		s.Target = s.Base
	}
	s.start.base, s.Base = s.Base, s.Target
	if s.Base != s.start.base {
		s.UpdateKinematics()
	}
}

// StartBase returns the pose of the base at the start of the step.
func (s *State) StartBase() spatial.Pose { return s.start.base }

// setReferenceStrains sets x̂, the reference of the strain rates of the step, and the damping
// rates.
func (s *State) setReferenceStrains(f integrate.BDF) {
	for e := range s.Strain {
		s.step.rate[e] = f.Gamma * s.elements[e].damping
		if s.elements[e].damping == 0 {
			continue // without damping x̂ has no effect
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
	s.condensedValid, s.distributed.valid = false, false
	s.frozen.active = false
	clear(s.frozen.moment)
	clear(s.frozen.force)
	clear(s.stepRotation)
}

// BeginPseudoTransient starts a pseudo-transient step of a search for equilibrium: an implicit
// Euler step of dt seconds from rest with inertia and drag, without internal damping, at a fixed
// base.
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
	s.setDistributedMassAtRest()
	for k := range s.eccentric.bodies {
		p := s.eccentricPosition(&s.eccentric.bodies[k])
		s.eccentric.hat[k], s.eccentric.tilde[k] = p, p
	}
	s.FreezeLoads(extra)
}

// BeginDampedTransient is BeginPseudoTransient with internal damping, from strains that do not change. The tangents of both are what
// damping and inertia add to stiffness.
func (s *State) BeginDampedTransient(dt float64, extra []spatial.Wrench) {
	s.BeginPseudoTransient(dt, extra)
	f := integrate.NewBDF(1, dt, dt)
	for e := range s.Strain {
		s.step.rate[e] = f.Gamma * s.elements[e].damping
		hat := &s.step.hat[e]
		if hat.mean = s.Strain[e]; s.elements[e].isLinear {
			y := newLinearStrain(&s.Strain[e], &s.slope[e])
			hat.mean, hat.slope = y.mean, y.slope
		}
	}
	s.step.baseHat = s.step.hat[0]
	s.beginDashpots(f)
}

// FreezeLoads fixes the loads without a potential, which are moments, follower loads and the extra
// wrenches (body axes) of the nodes, at their present values for Potential. With frozen loads an
// increment toward a solution nearby does not raise Potential. Frozen forces are fixed in the world
// and frozen moments in the body.
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

// UpdateKinematics computes the poses from the strains, and the body rotations since the start of
// the step or since FreezeLoads.
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

// StepRotation returns the rotation vector of node i since the start of the step, world axes, rad.
func (s *State) StepRotation(i int) spatial.Vec { return s.frozen.rot[i].Apply(s.stepRotation[i]) }

// ReturnToStart sets the strains to those at the start of the step.
func (s *State) ReturnToStart() {
	copy(s.Strain, s.start.strain)
	if s.opt.FreeStart {
		s.Base = s.start.base
	}
	s.UpdateKinematics()
}

// Revert ends a step without committing it. It restores the state before Begin, and sets the target
// of the base to its present pose.
func (s *State) Revert() {
	copy(s.Strain, s.start.strain)
	s.Base, s.Target = s.start.base, s.start.base
	s.UpdatePoses()
}

// Commit makes the present iterate the state at the end of the step.
func (s *State) Commit() {
	if s.opt.FreeStart {
		s.Base = s.Base.Flush()
	}
	s.shiftLevels()
	copy(s.past.strain, s.start.strain)
	s.commitEccentric()
	s.commitDistributedMass()
	for e := range s.Strain {
		s.Strain[e] = s.Strain[e].Flush()
	}
	s.condensedValid = false
	s.commitSlopes()
	s.commitDashpots()
	s.commitJenkins()
	s.stepRotation[0] = s.frozen.rot[0].TMul(s.Pose[0].R).LogStep()
	s.baseReaction.inertialWrench = spatial.Wrench{
		Force:  s.Pose[0].P.Sub(s.step.posTilde[0]).Scale(s.step.beta * s.lumpedMass(0)).Sub(s.dragForce(0)),
		Moment: s.inertia[0].Mul(s.stepRotation[0].Sub(s.step.turnTilde[0])).Scale(s.step.beta).Add(s.step.gyroscopic[0]),
	}
	if s.distributed.elements != nil {
		s.addBaseInertia()
	}
	if c := s.opt.RotationalDrag; c != nil {
		s.baseReaction.inertialWrench.Moment = s.baseReaction.inertialWrench.Moment.AddScaled(s.step.gamma*c[0], s.stepRotation[0].Sub(s.step.turnHat[0]))
	}
	for i := range s.Pose {
		s.past.pos[i] = s.start.pos[i]
		s.past.vel[i], s.vel[i] = s.vel[i], s.Pose[i].P.Sub(s.step.posHat[i]).Scale(s.step.gamma).Flush()
		s.stepRotation[i] = s.stepRotation[i].Flush()
		s.past.omega[i], s.omega[i] = s.omega[i], s.stepRotation[i].Sub(s.step.turnHat[i]).Scale(s.step.gamma).Flush()
		s.past.rotation[i] = s.stepRotation[i]
		s.Pose[i] = s.Pose[i].Flush()
	}
	s.baseReaction.inertialWrench = spatial.Wrench{Force: s.baseReaction.inertialWrench.Force.Flush(), Moment: s.baseReaction.inertialWrench.Moment.Flush()}
}

// commitSlopes stores the slopes at the end of the step, where they are part of the state, and the
// strain rates of the first element for the base reaction. Without damping these are not defined: x̂
// then is what the Maxwell branches have left of the step before, which no state saves.
func (s *State) commitSlopes() {
	if !s.hasSlopeState() {
		return
	}
	copy(s.past.slope, s.slope)
	s.updateSlopes()
	if s.elements[0].damping > 0 {
		y, hat := newLinearStrain(&s.Strain[0], &s.slope[0]), &s.step.baseHat
		moved := y.minus(&hat.mean, &hat.slope)
		s.baseReaction.rate = spatial.Twist{Linear: moved.mean.Linear.Scale(s.step.gamma), Angular: moved.mean.Angular.Scale(s.step.gamma)}.Flush()
		s.baseReaction.slope[0] = spatial.Twist{Linear: moved.slope.Linear.Scale(s.step.gamma), Angular: moved.slope.Angular.Scale(s.step.gamma)}.Flush()
	}
	for e := range s.Strain {
		s.slope[e] = s.slope[e].Flush()
	}
}

// hasSlopeState reports whether the slopes are part of the state. They depend on the step where
// elements have damping or midpoint loads, and follow from the strains otherwise.
func (s *State) hasSlopeState() bool { return s.hasDamping || s.hasMidpointLoads }

// committedSlopes returns the slopes of the elements at the end of the last step.
func (s *State) committedSlopes() []spatial.Twist {
	if !s.hasSlopeState() {
		s.updateSlopes()
	}
	return s.slope
}

// condenseSlopes condenses the elements at the present strains, unless they are valid.
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

// updateSlopes sets the slopes to those of the present strains.
func (s *State) updateSlopes() {
	s.condenseSlopes()
	for e := range s.Strain {
		if s.elements[e].isLinear {
			s.slope[e] = s.condensed[e].slope
		}
	}
}

// StrainIncrement converts the body increments eta of the nodes, node 1 first, to the increments dx
// of the strains, with the Jacobians of the last assembly. It returns the largest |Δu| (rad) and
// the largest |Δv|/l of an element, or NaN.
func (s *State) StrainIncrement(eta []spatial.Vec6, dx []spatial.Twist) (turn, stretch float64) {
	return strainIncrement(s.elements, s.evenParts, s.Strain, nil, eta, dx)
}

// strainIncrement is StrainIncrement with given Jacobians, where node 0 moves by start; nil: it stays.
func strainIncrement(elements []element, even []spatial.Even, strain []spatial.Twist, start *spatial.Vec6, eta []spatial.Vec6, dx []spatial.Twist) (turn, stretch float64) {
	var va, wa spatial.Vec
	if start != nil {
		va, wa = start.Linear(), start.Angular()
	}
	for e := range dx {
		vb, wb := eta[e].Linear(), eta[e].Angular()
		d := elementIncrement(&even[e], &strain[e], va, wa, vb, wb)
		dx[e] = d
		turn = maxAbs(turn, d.Angular)
		stretch = max(stretch, maxAbs(0, d.Linear)/elements[e].length)
		va, wa = vb, wb
	}
	nan := 0 * (turn + stretch) // 0 unless one of them is not finite
	return turn + nan, stretch + nan
}

// maxAbs returns the largest of m and the magnitudes of the components of v, NaN if one of them is.
func maxAbs(m float64, v spatial.Vec) float64 {
	return max(m, math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z))
}

// AddStrainIncrement stores the strains for Undo and adds scale dx to them.
func (s *State) AddStrainIncrement(dx []spatial.Twist, scale float64) {
	copy(s.undoStrain, s.Strain)
	s.undoBase = s.Base
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

// MoveNodes stores the strains for Undo and moves every node but the base by exactly scale times
// its body increment in eta.
func (s *State) MoveNodes(eta []spatial.Vec6, scale float64) {
	copy(s.undoStrain, s.Strain)
	s.undoBase = s.Base
	a := spatial.Pose{R: spatial.Identity3()}
	for e := range s.Strain {
		b := spatial.Exp(spatial.Twist{Linear: eta[e].Linear().Scale(scale), Angular: eta[e].Angular().Scale(scale)})
		s.Strain[e] = a.Inv().Mul(spatial.Exp(s.Strain[e])).Mul(b).Log()
		a = b
	}
	s.UpdateKinematics()
}

// Undo restores the strains before the last AddStrainIncrement or MoveNodes.
func (s *State) Undo() {
	copy(s.Strain, s.undoStrain)
	if s.opt.FreeStart {
		s.Base = s.undoBase
	}
	s.UpdateKinematics()
}
