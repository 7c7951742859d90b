package microrobot

import (
	"fmt"
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Bounds on steps over which the field turns the body many times faster than the step.
const (
	// alignedAngle is the largest angle (rad) by which field or fluid turn in a substep of
	// a body that stays in balance: the method of order 2 then errs by 1e-4 of the way.
	alignedAngle = 0.1
	// maxImbalance is how far (rad) from balance an implicit step may begin. It ends closer
	// by 1/150 or less.
	maxImbalance = 1e-4
	// transientBurst is how many substeps are taken between attempts at balance.
	transientBurst = 16
	// settlingBurst is how many substeps of τ/2 take a body from maxImbalance to round-off.
	settlingBurst = 48
	// maxResolved is how many substeps are worth the time for a body that finds no balance.
	maxResolved = 20_000
)

// SlipError is the error of a step in which the field does not hold the moment against
// the other torques, or changes too fast for it, and the body turns so fast that the step
// would have to be divided into too many substeps. The state stays as it was before the
// step.
type SlipError struct {
	Time float64 // of the start of the step, s
	Rate float64 // at which the body turns or is turned, 1/s
	Step float64 // the longest step with which it can be followed, s
}

func (e *SlipError) Error() string {
	return fmt.Sprintf("at t = %.6g s the field does not hold the moment of the body against the other torques, and it turns within %.3g s; use solver.step_s up to %.3g s, a stronger field or less torque",
		e.Time, 1/e.Rate, e.Step)
}

// newSlipError returns the error of a step from time start in which the body turned at the
// given rate.
func newSlipError(start, rate float64) *SlipError {
	return &SlipError{Time: start, Rate: rate, Step: maxResolved * substepShare / rate}
}

// align returns where the body is h seconds after t when it aligns within τ, far below h.
// From a place in balance, where the torque of the field and all others agree but for the
// slow drag of turning with the field, it takes one implicit step. Elsewhere the way to
// balance, or the slipping of a body that has none, is resolved in substeps of τ/2 or
// shorter; ok is false if these are too many.
//
// For a body of revolution magnetised along its axis the way is, from any start but
// exact opposition, tan(θ/2) = tan(θ0/2) exp(−h/τ) to round-off.
func (k *overdampedMotion) align(t, h, tau float64, x integrate.Placement) (next integrate.Placement, ok bool) {
	done, burst := 0.0, transientBurst
	for n := 0; n < maxResolved; n += burst {
		if burst = transientBurst; k.isBalanced(t+done, h-done, tau, x, &next) {
			if n == 0 {
				return next, true
			}
			burst = settlingBurst
		}
		if x, done = k.resolve(t, h, tau, x, done, burst); done >= h {
			return x, true
		}
		if burst == settlingBurst && k.isBalanced(t+done, h-done, tau, x, &next) {
			return next, true
		}
	}
	return x, false
}

// resolve takes substeps that follow the turning of a body at x, done seconds after t, as
// many as given or until h seconds after t. It returns where the body is then, and when.
func (k *overdampedMotion) resolve(t, h, tau float64, x integrate.Placement, done float64, substeps int) (integrate.Placement, float64) {
	for range substeps {
		_, w := k.Velocity(t+done, x)
		step := substepShare / math.Max(1/tau, w.Norm())
		if done+step >= h {
			return integrate.RKMK4(k, t+done, h-done, x), h
		}
		x = integrate.RKMK4(k, t+done, step, x)
		done += step
	}
	return x, done
}

// isBalanced reports whether an implicit step of h seconds may begin at x, and sets next
// to where it ends: a step of the L-stable, stiffly accurate method of order 2 of
// Alexander (SIAM J. Numer. Anal. 14 (1977) 1006), in exponential coordinates around x.
func (k *overdampedMotion) isBalanced(t, h, tau float64, x integrate.Placement, next *integrate.Placement) bool {
	const gamma = 1 - math.Sqrt2/2
	s := stage{from: x}
	if !k.solve(&s, t+gamma*h, gamma*h) {
		return false
	}
	_, w := k.Velocity(t, x)
	if !(tau*w.Sub(s.rate).Norm() <= maxImbalance) {
		return false
	}
	last := stage{from: x, turn: s.rate.Scale((1 - gamma) * h), way: s.velocity.Scale((1 - gamma) * h)}
	if !k.solve(&last, t+h, gamma*h) {
		return false
	}
	*next = last.at
	return true
}

// currentVelocity returns the velocity at the start of the step of a body at x that has been in
// balance with the given alignment time (s; 0: it has not).
func (k *overdampedMotion) currentVelocity(balance float64, x integrate.Placement) (v, w spatial.Vec) {
	k.begin()
	if balance > 0 {
		return k.alignedVelocity(balance, x)
	}
	return k.Velocity(0, x)
}

// alignedVelocity returns the velocity of a body that stays in balance: that of the
// motion, without what an error of the attitude of as little as round-off, over τ, adds to
// it. It is extrapolated from two short implicit steps.
func (k *overdampedMotion) alignedVelocity(tau float64, x integrate.Placement) (v, w spatial.Vec) {
	const (
		share = 1e-3 // of the step: short beside the motion
		times = 50   // of τ: long beside alignment
	)
	h := math.Max(share*k.robot.file.Solver.Step, times*tau)
	long, short := stage{from: x}, stage{from: x}
	if !k.solve(&long, h, h) || !k.solve(&short, h/2, h/2) {
		return k.Velocity(0, x) // it slips
	}
	return short.velocity.Scale(2).Sub(long.velocity), short.rate.Scale(2).Sub(long.rate)
}

// stage is a stage of an implicit step, in exponential coordinates around its start.
type stage struct {
	from integrate.Placement // start of the step
	turn spatial.Vec         // what stages before have turned the body by, rad, body axes
	way  spatial.Vec         // and moved it, m

	at             integrate.Placement
	rate, velocity spatial.Vec // of the coordinates (rad/s) and the position (m/s)
}

// solve solves θ = turn + h θ'(t, exp θ) by Newton's method, with the tangent of all
// torques, those of soft-magnetic moments too, by differences. It reports whether there is
// a solution nearby to which the body returns when it is turned away.
func (k *overdampedMotion) solve(s *stage, t, h float64) bool {
	const (
		maxIterations = 15
		tolerance     = 1e-13 // rad
		farthest      = 1.0   // rad
		difference    = 1e-7  // rad
	)
	theta := s.turn
	s.at.P = s.from.P
	for range maxIterations {
		k.evaluate(s, t, theta)
		var slope [3]spatial.Vec // columns of ∂θ'/∂θ
		near := *s
		for i, e := range [...]spatial.Vec{{X: difference}, {Y: difference}, {Z: difference}} {
			k.evaluate(&near, t, theta.Add(e))
			slope[i] = near.rate.Sub(s.rate).Scale(1 / difference)
		}
		tangent := spatial.Identity3().Sub(spatial.FromColumns(slope[0], slope[1], slope[2]).Scale(h))
		step := tangent.Inv().Apply(s.turn.AddScaled(h, s.rate).Sub(theta))
		theta = theta.Add(step)
		moved := s.at.P
		s.at.P = s.from.P.Add(s.way).AddScaled(h, s.velocity)
		switch size := step.Norm(); {
		case !(theta.Norm() <= farthest):
			return false
		case size <= tolerance && moved.Sub(s.at.P).Norm() <= 1e-9*k.robot.size:
			k.evaluate(s, t, theta)
			s.rate = theta.Sub(s.turn).Scale(1 / h)
			s.at.Q = s.at.Q.Normalized()
			return isAttracting(&tangent)
		}
	}
	return false
}

// evaluate sets attitude, rate and velocity of the stage at the coordinates theta.
func (k *overdampedMotion) evaluate(s *stage, t float64, theta spatial.Vec) {
	s.at.Q = s.from.Q.Mul(spatial.ExpQuat(theta))
	v, w := k.Velocity(t, s.at)
	s.velocity, s.rate = v, spatial.RightJacobianInv(theta).Apply(w)
}

// isAttracting reports whether all eigenvalues of m have positive real parts (Routh and
// Hurwitz): a deviation then dies out.
func isAttracting(m *spatial.Mat3) bool {
	trace := m.Trace()
	minors := m.XX*m.YY - m.XY*m.YX + m.XX*m.ZZ - m.XZ*m.ZX + m.YY*m.ZZ - m.YZ*m.ZY
	det := m.Col1().Dot(m.Col2().Cross(m.Col3()))
	return trace > 0 && det > 0 && trace*minors > det
}
