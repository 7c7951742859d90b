package ros

import (
	"math"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/sim"
)

// busyPause is how long operating_state is not published again for is_busy
// alone, which a stream of commands switches all the time.
const busyPause = 100 * time.Millisecond

// shownState holds the values that the operating_state topic shows.
type shownState struct {
	state  sim.OperatingState
	reason string
	busy   bool
	valid  bool          // whether there was a message
	at     time.Duration // stamp of the snapshot that it came from
}

// publishState publishes the operating state when it has changed.
func (b *Bridge) publishState(s *sim.Snapshot, stamp msgs.Time) {
	old := b.shown
	changed := !old.valid || s.State != old.state || s.Reason != old.reason
	if !changed && (s.Busy == old.busy || s.Stamp-old.at < busyPause) {
		return
	}
	b.shown = shownState{s.State, s.Reason, s.Busy, true, s.Stamp}
	if changed && !b.passive {
		level := zap.InfoLevel
		if s.State == sim.Fault {
			level = zap.ErrorLevel
		}
		b.log.Log(level, "operating state", zap.Stringer("state", s.State), zap.String("reason", s.Reason))
	}
	b.state.publish(stamp, &sinew_msgs.OperatingState{
		Header: header(b.state.seq, stamp, ""),
		State:  s.State.String(), Reason: s.Reason, IsBusy: s.Busy,
	})
}

// latest holds what the slow topics need of the newest snapshot.
type latest struct {
	mu     sync.Mutex
	state  sim.OperatingState
	reason string
	seq    uint64
	gauges []float64
	worst  []float64 // greatest value of each gauge since the last take
}

func (l *latest) set(s *sim.Snapshot) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state, l.reason, l.seq = s.State, s.Reason, s.Seq
	if l.gauges == nil {
		l.worst = slices.Clone(s.Gauges)
	}
	l.gauges = append(l.gauges[:0], s.Gauges...)
	for i, g := range s.Gauges {
		l.worst[i] = math.Max(l.worst[i], g)
	}
}

// latestState is a copy of latest.
type latestState struct {
	state         sim.OperatingState
	reason        string
	seq           uint64
	gauges, worst []float64 // empty before the first snapshot
}

// take copies what there is and begins a new search for the worst.
func (l *latest) take() latestState {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := latestState{l.state, l.reason, l.seq, slices.Clone(l.gauges), slices.Clone(l.worst)}
	copy(l.worst, l.gauges)
	return m
}
