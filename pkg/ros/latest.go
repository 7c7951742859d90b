package ros

import (
	"math"
	"slices"
	"sync"
	"time"

	"sinew/pkg/sim"
)

// latest holds what the slow topics need of the newest snapshot.
type latest struct {
	mu     sync.Mutex
	state  sim.OperatingState
	reason string
	seq    uint64
	at     time.Duration // stamp of the newest snapshot
	gauges []float64
	worst  []float64 // greatest value of each gauge since the last take

	answers *answers // nil unless in lock-step
}

// set takes the newest snapshot.
func (l *latest) set(s *sim.Snapshot, at time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state, l.reason, l.seq, l.at = s.State, s.Reason, s.Seq, at
	if l.gauges == nil {
		l.worst = slices.Clone(s.Gauges)
	}
	l.gauges = append(l.gauges[:0], s.Gauges...)
	for i, g := range s.Gauges {
		l.worst[i] = math.Max(l.worst[i], g)
	}
	if l.answers != nil {
		l.answers.add(s, at)
	}
}

// answerable returns the oldest stamp that an answer may have in lock-step, and otherwise the
// greatest time.
func (l *latest) answerable(limit time.Duration) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.answers == nil || l.answers.newest == 0 { // there was no snapshot to answer
		return math.MaxInt64
	}
	return min(l.answers.newest-limit, l.answers.oldest())
}

// stamp returns the stamp of the newest snapshot, 0 before there is one.
func (l *latest) stamp() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.at
}

// latestState is a copy of latest.
type latestState struct {
	state         sim.OperatingState
	reason        string
	seq           uint64
	gauges, worst []float64     // empty before the first snapshot
	age           time.Duration // how long the present control period has taken so far
}

// take returns a copy and restarts the search for the greatest values.
func (l *latest) take() latestState {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := latestState{state: l.state, reason: l.reason, seq: l.seq, gauges: slices.Clone(l.gauges), worst: slices.Clone(l.worst)}
	copy(l.worst, l.gauges)
	return m
}
