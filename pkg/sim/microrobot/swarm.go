package microrobot

import (
	"sinew/pkg/sim"
	"sinew/pkg/sim/integrate"
)

// swarm is the state of the robots of a swarm without inertia: the common part of its
// engines, which differ in whether the robots act on one another.
type swarm struct {
	x      []integrate.Placement
	spare  []integrate.Placement // room for another state
	motion overdampedMotion      // of each robot in the environment
	// neighbours bounds the field of the other robots at each robot, T.
	neighbours float64
	// balance is that of the first robot, as in overdamped.
	balance float64
}

// newSwarm returns the swarm of the robot, on its lattice, in env.
func newSwarm(r *Robot, env *environment) swarm {
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

// pairStateLen is the number of values that the state of interaction adds.
const pairStateLen = 1 + twistLen + 2

// StateLen implements engine.
func (s *interactingSwarm) StateLen() int { return s.swarm.StateLen() + pairStateLen }

// Save implements engine.
func (s *interactingSwarm) Save(dst []float64) {
	s.swarm.Save(dst)
	dst = dst[s.swarm.StateLen():]
	dst[0] = float64(s.reported)
	putTwist(dst[1:], s.moved)
	dst[1+twistLen], dst[2+twistLen] = s.solves.divided, s.solves.unconverged
}

// Restore implements engine.
func (s *interactingSwarm) Restore(src []float64) {
	s.swarm.Restore(src)
	src = src[s.swarm.StateLen():]
	s.reported = reported(src[0])
	s.moved = takeTwist(src[1:])
	s.solves = stepCounts{src[1+twistLen], src[2+twistLen]}
}
