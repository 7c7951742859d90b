package microrobot

import (
	"sinew/pkg/sim"
)

// stepCounts counts steps that took more than one attempt, and that failed.
type stepCounts struct{ divided, unconverged float64 }

// stepCountsLen is the number of values of saved stepCounts.
const stepCountsLen = 2

// Gauges implements engine.
func (s *interactingSwarm) Gauges() []sim.Gauge {
	return []sim.Gauge{{Key: "divided_steps", Warn: 0.5}, {Key: "unconverged_steps", Warn: 0.5}}
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
