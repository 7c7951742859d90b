package rod

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Formula is the time discretisation of one step with positions as unknowns: the
// acceleration is beta (p − p̃) and the velocity gamma (p − p̂).
type Formula interface {
	// Coefs returns beta (1/s²) and gamma (1/s).
	Coefs() (beta, gamma float64)
	// Hat returns p̂ from the last two levels.
	Hat(p, before spatial.Vec) spatial.Vec
	// HatStep returns D̂ from the last displacement.
	HatStep(d spatial.Vec) spatial.Vec
	// Lead returns p̃ − p̂ from the last two velocities.
	Lead(v, before spatial.Vec) spatial.Vec
}

// Begin starts a step with formula f from the present state: it moves the base to
// its target, extrapolates the angular velocity in the gyroscopic moment by
// extrapolate times its last change, and freezes what has no potential; see
// Freeze.
func (s *Implicit) Begin(f Formula, extrapolate float64, extra []spatial.Wrench) {
	s.Beta, s.Gamma = f.Coefs()
	copy(s.startStrain, s.Strain)
	for e := range s.Strain {
		now, last := &s.Strain[e], &s.lastStrain[e]
		s.strainHat[e] = spatial.Twist{
			Linear:  f.Hat(now.Linear, last.Linear),
			Angular: f.Hat(now.Angular, last.Angular),
		}
	}
	for i := range s.Pose {
		g := &s.Pose[i]
		s.startPos[i] = g.P
		s.hat[i] = f.Hat(g.P, s.lastPos[i])
		s.tilde[i] = s.hat[i].Add(f.Lead(s.vel[i], s.lastVel[i]))
		s.turnHat[i] = f.HatStep(s.lastTurn[i])
		s.turnTilde[i] = s.turnHat[i].Add(f.Lead(s.omega[i], s.lastOmega[i]))
		w := s.omega[i].AddScaled(extrapolate, s.omega[i].Sub(s.lastOmega[i]))
		s.gyro[i] = w.Cross(s.inertia[i].Mul(w))
	}
	s.Freeze(extra)
	s.startBase, s.Base = s.Base, s.Target
	if s.Base != s.startBase {
		s.Update()
	}
}

// BeginStatic starts a search for equilibrium.
func (s *Implicit) BeginStatic() {
	s.Beta, s.Gamma = 0, 0
	s.frozen = false
	clear(s.moment)
	clear(s.push)
	clear(s.turn)
}

// Freeze takes the loads that have no potential, moments and followers, and the
// extra wrenches of nodes in body axes, as constant from here on in Potential,
// which then does not increase toward a solution nearby. Wrenches keep their
// direction: forces in the world, moments in the body.
func (s *Implicit) Freeze(extra []spatial.Wrench) {
	for i := range s.Pose {
		l, x, r := &s.Loads[i], &extra[i], &s.Pose[i].R
		s.startRot[i] = *r
		s.moment[i] = r.ApplyT(l.Moment).Add(l.Follower.Moment).Add(x.Moment)
		s.push[i] = r.Apply(l.Follower.Force.Add(x.Force))
	}
	clear(s.turn)
	s.frozen = true
}

// Update computes poses, and body rotations since the start of the step or since
// Freeze, from the strains.
func (s *Implicit) Update() {
	s.Recurse()
	if !s.frozen {
		return
	}
	for i := 1; i < len(s.Pose); i++ {
		r := s.startRot[i].TMul(s.Pose[i].R)
		s.turn[i] = r.LogStep()
	}
}

// Extrapolate sets the strains to those at the start of the step plus ratio
// times their change in the step before.
func (s *Implicit) Extrapolate(ratio float64) {
	for e := range s.Strain {
		now, last := &s.startStrain[e], &s.lastStrain[e]
		s.Strain[e] = spatial.Twist{
			Linear:  now.Linear.AddScaled(ratio, now.Linear.Sub(last.Linear)),
			Angular: now.Angular.AddScaled(ratio, now.Angular.Sub(last.Angular)),
		}
	}
	s.Update()
}

// Return sets the strains to those at the start of the step.
func (s *Implicit) Return() {
	copy(s.Strain, s.startStrain)
	s.Update()
}

// Abandon undoes Begin.
func (s *Implicit) Abandon() {
	copy(s.Strain, s.startStrain)
	s.Base = s.startBase
	s.Recurse()
}

// Accept makes the present iterate the state at the end of the step.
func (s *Implicit) Accept() {
	copy(s.lastStrain, s.startStrain)
	s.turn[0] = s.startRot[0].TMul(s.Pose[0].R).LogStep()
	x, hat := &s.Strain[0], &s.strainHat[0]
	s.rate = spatial.Twist{
		Linear:  x.Linear.Sub(hat.Linear).Scale(s.Gamma),
		Angular: x.Angular.Sub(hat.Angular).Scale(s.Gamma),
	}
	s.carried = spatial.Wrench{
		Force:  s.Pose[0].P.Sub(s.tilde[0]).Scale(s.Beta * s.mass[0]),
		Moment: s.inertia[0].Mul(s.turn[0].Sub(s.turnTilde[0])).Scale(s.Beta).Add(s.gyro[0]),
	}
	for i := range s.Pose {
		s.lastPos[i] = s.startPos[i]
		s.lastVel[i], s.vel[i] = s.vel[i], s.Pose[i].P.Sub(s.hat[i]).Scale(s.Gamma).Flush()
		s.turn[i] = s.turn[i].Flush()
		s.lastOmega[i], s.omega[i] = s.omega[i], s.turn[i].Sub(s.turnHat[i]).Scale(s.Gamma).Flush()
		s.lastTurn[i] = s.turn[i]
		s.Pose[i] = s.Pose[i].Flush()
	}
	s.rate, s.carried = s.rate.Flush(), spatial.Wrench{Force: s.carried.Force.Flush(), Moment: s.carried.Moment.Flush()}
	for e := range s.Strain {
		s.Strain[e] = s.Strain[e].Flush()
	}
}

// Increment turns body increments eta of the nodes, of which the base has none,
// into increments of strain from the assembled iterate, and returns the largest
// |Δu| (rad) and the largest |Δv|/l of an element, or NaN.
func (s *Implicit) Increment(eta []spatial.Vec6, dx []spatial.Twist) (turn, stretch float64) {
	var va, wa spatial.Vec
	sum := 0.0
	for e := range dx {
		x := &s.Strain[e]
		vb, wb := eta[e].Linear(), eta[e].Angular()
		d := difference(&s.even[e], x, va, wa, vb, wb)
		dx[e] = d
		turn = worst(turn, d.Angular)
		stretch = worst(stretch, d.Linear)
		sum += d.Angular.X + d.Angular.Y + d.Angular.Z + d.Linear.X + d.Linear.Y + d.Linear.Z
		va, wa = vb, wb
	}
	nan := sum - sum // 0 unless something is not finite
	return turn + nan, stretch/s.rod.ElementLength + nan
}

// worst returns the largest of m and the components of v, whatever their sign.
// NaN counts for nothing.
func worst(m float64, v spatial.Vec) float64 {
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
func (s *Implicit) Move(dx []spatial.Twist, scale float64) {
	copy(s.saved, s.Strain)
	for e := range s.Strain {
		x, d := &s.Strain[e], &dx[e]
		x.Linear = x.Linear.AddScaled(scale, d.Linear)
		x.Angular = x.Angular.AddScaled(scale, d.Angular)
	}
	s.Update()
}

// Undo returns to the strains that Move remembered.
func (s *Implicit) Undo() {
	copy(s.Strain, s.saved)
	s.Update()
}
