package offline

import (
	"strings"
	"time"

	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim/trajectory"
)

// tickClock is the time of a recording. It passes only while the simulator sleeps.
type tickClock struct {
	now  time.Duration
	tick func(now time.Duration)
}

// Now implements sim.Clock.
func (c *tickClock) Now() time.Duration { return c.now }

// SleepUntil implements sim.Clock.
func (c *tickClock) SleepUntil(t time.Duration) {
	c.now = max(c.now, t)
	c.tick(c.now)
}

// extent is the time from which to which a recording is replayed: from the first
// message to the last. In a recording of run, simulated time 0 is when the node
// first told its state; nothing but commands that came too early is before that.
func extent(topics []record.Topic, names *naming.Names, node string) (first, last time.Duration) {
	found := false
	for _, t := range topics {
		if t.Messages == 0 {
			continue
		}
		if !found || t.First < first {
			first = t.First
		}
		if !found || t.Last > last {
			last = t.Last
		}
		found = true
	}
	if node == "" {
		node = names.Node()
	}
	for _, t := range topics {
		if t.Messages > 0 && t.InNode() == node+"/operating_state" {
			first = t.First
		}
	}
	return first, last
}

// ofSim reports whether a recording is one that sim made: from Epoch on, of a robot
// without an operating state.
func ofSim(topics []record.Topic) bool {
	begins := false
	for _, t := range topics {
		if strings.HasSuffix(t.InNode(), "/operating_state") {
			return false
		}
		begins = begins || t.Messages > 0 && t.First == trajectory.Epoch
	}
	return begins
}
