package microrobot

import (
	"sinew/pkg/sim"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// swarm is the state of the robots of a swarm without inertia: the common part of its
// engines, which differ in whether the robots act on one another.
type swarm struct {
	x      []integrate.Placement
	spare  []integrate.Placement // room for another state
	motion overdampedMotion      // of each robot under the external loads
	// neighbours bounds the field of the other robots at each robot, T.
	neighbours float64
	// balance is that of the first robot, as in overdamped.
	balance float64
}

// newSwarm returns the swarm of the robot, on its lattice, in env.
func newSwarm(r *Robot, env *externalLoads) swarm {
	s := swarm{x: lattice(r.file.Swarm, &r.file.Body), motion: newOverdampedMotion(r, env)}
	s.spare = make([]integrate.Placement, len(s.x))
	return s
}

// Divide implements engine.
func (s *swarm) Divide(dt float64) division {
	s.motion.begin()
	return s.motion.divide(dt, s.x, s.neighbours)
}

// Placements implements engine.
func (s *swarm) Placements() []integrate.Placement { return s.x }

// Gauges implements engine.
func (s *swarm) Gauges() []sim.Gauge { return nil }

// Measure implements engine.
func (s *swarm) Measure([]float64) int { return 0 }

// StateLen implements engine.
func (s *swarm) StateLen() int { return 1 + placementLen*len(s.x) }

// Save implements engine.
func (s *swarm) Save(dst []float64) {
	dst[0] = s.balance
	dst = dst[1:]
	for i := range s.x {
		putPlacement(dst[placementLen*i:], &s.x[i])
	}
}

// Restore implements engine.
func (s *swarm) Restore(src []float64) {
	s.balance = src[0]
	src = src[1:]
	for i := range s.x {
		s.x[i] = takePlacement(src[placementLen*i:])
	}
}

// areFinite reports whether no number is NaN or infinite.
func areFinite(x []integrate.Placement) bool {
	zero := 0.0
	for i := range x {
		p, q := &x[i].P, &x[i].Q
		zero += 0 * (p.X + p.Y + p.Z + q.X + q.Y + q.Z + q.W)
	}
	return zero == 0
}

// stepCounts counts steps that took more than one attempt, and that failed.
type stepCounts struct{ divided, unconverged float64 }

// stepCountsLen is the number of values of saved stepCounts.
const stepCountsLen = 2

// Gauges implements engine.
func (s *interactingSwarm) Gauges() []sim.Gauge {
	return []sim.Gauge{{Key: sim.DividedSteps, Warn: 0.5}, {Key: sim.UnconvergedSteps, Warn: 0.5}}
}

// Measure implements engine.
func (s *interactingSwarm) Measure(dst []float64) int {
	dst[0], dst[1] = s.solves.divided, s.solves.unconverged
	return 2
}

// StateLen implements engine.
func (s *interactingSwarm) StateLen() int {
	return s.swarm.StateLen() + 1 + stepCountsLen + twistLen*len(s.x)
}

// Save implements engine.
func (s *interactingSwarm) Save(dst []float64) {
	s.swarm.Save(dst)
	dst = dst[s.swarm.StateLen():]
	dst[0] = float64(s.reported)
	dst[1], dst[2] = s.solves.divided, s.solves.unconverged
	dst = dst[1+stepCountsLen:]
	for i := range s.moved {
		putTwist(dst[twistLen*i:], s.moved[i])
	}
}

// Restore implements engine.
func (s *interactingSwarm) Restore(src []float64) {
	s.swarm.Restore(src)
	src = src[s.swarm.StateLen():]
	s.reported = reported(src[0])
	s.solves = stepCounts{src[1], src[2]}
	src = src[1+stepCountsLen:]
	for i := range s.moved {
		s.moved[i] = takeTwist(src[twistLen*i:])
	}
}

// reported is the source of the reported velocities.
type reported uint8

const (
	fromLoads   reported = iota // loads and mobility
	fromSubstep                 // the last substep
)

// Velocity implements engine.
func (s *interactingSwarm) Velocity() (v, w spatial.Vec) {
	if s.reported == fromSubstep {
		return s.moved[0].Linear, s.moved[0].Angular
	}
	s.setPresent()
	return s.v[0], s.w[0]
}

// Motions implements multiBodyEngine.
func (s *interactingSwarm) Motions(dst []spatial.Twist) {
	if s.reported == fromSubstep {
		copy(dst, s.moved)
		return
	}
	s.setPresent()
	for i := range s.v {
		dst[i] = spatial.Twist{Linear: s.v[i], Angular: s.w[i]}
	}
}

// setPresent sets v and w to the velocities under the present loads.
func (s *interactingSwarm) setPresent() {
	s.motion.begin()
	clear(s.thermalLoads)
	s.Velocities(0, s.x, s.v, s.w)
}

// report keeps the mean velocities of the substep.
func (s *interactingSwarm) report() {
	s.reported = fromSubstep
	for i := range s.x {
		x, from := &s.x[i], &s.from[i]
		s.moved[i] = spatial.Twist{Linear: x.P.Sub(from.P).Scale(1 / s.h), Angular: from.Q.Conj().Mul(x.Q).Log().Scale(1 / s.h)}
	}
}

// reportDrift keeps the velocities without thermal motion.
func (s *interactingSwarm) reportDrift(t, h float64) {
	clear(s.thermalLoads)
	if s.solveImplicit(t, h, 0) {
		s.reportImplicit(h)
	}
}

// reportImplicit keeps the velocities of the solution of a substep of h seconds.
func (s *interactingSwarm) reportImplicit(h float64) {
	m := s.implicit
	for i := range s.x {
		s.moved[i] = spatial.Twist{Linear: m.shift(i).Scale(1 / h), Angular: s.x[i].Q.Conj().Apply(spatial.VecAt(m.delta[6*i+3:]).Scale(1 / h))}
	}
}
