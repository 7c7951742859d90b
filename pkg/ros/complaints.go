package ros

import (
	"math"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/sim"
)

// complaintPause is how long a reason for refusing commands stays silent after
// it was logged. Every refusal is counted all the same.
const complaintPause = 5 * time.Second

// complaints logs why commands, or measurements, are refused or clamped, each reason at most once
// per pause. It may be used from any goroutine.
type complaints struct {
	about string // "command"
	log   *zap.Logger
	now   func() time.Duration

	mu     sync.Mutex
	logged map[sim.Verdict]time.Duration // when the reason was last logged
	silent map[sim.Verdict]int           // how often it occurred since then
}

func newComplaints(about string, log *zap.Logger, now func() time.Duration) *complaints {
	return &complaints{
		about: about, log: log, now: now,
		logged: make(map[sim.Verdict]time.Duration),
		silent: make(map[sim.Verdict]int),
	}
}

func (c *complaints) add(topic string, r refusal) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if last, ok := c.logged[r.verdict]; ok && now-last < complaintPause {
		c.silent[r.verdict]++
		return
	}
	done := " refused"
	if r.verdict == sim.Clamped {
		done = " clamped"
	}
	c.log.Warn(c.about+done, zap.String("topic", topic), zap.Stringer("reason", r.verdict),
		zap.String("detail", r.detail), zap.Int("unlogged_before", c.silent[r.verdict]))
	c.logged[r.verdict] = now
	c.silent[r.verdict] = 0
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
