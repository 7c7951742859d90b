package ros

import (
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros/bounded"
	"sinew/pkg/sim"
)

// refusalPause is how long a reason for refusing commands stays silent after
// it was logged. Every refusal is counted all the same.
const refusalPause = 5 * time.Second

// refusalLog logs why commands, or measurements, are refused or clamped, each
// reason at most once per pause. It may be used from any goroutine.
type refusalLog struct {
	about   string // "command"
	log     *zap.Logger
	limiter *bounded.RateLimiter[sim.Verdict]
}

func newRefusalLog(about string, log *zap.Logger, now func() time.Duration) *refusalLog {
	return &refusalLog{about, log, bounded.NewRateLimiter[sim.Verdict](refusalPause, now)}
}

func (l *refusalLog) add(topic string, r refusal) {
	held, ok := l.limiter.Pass(r.verdict)
	if !ok {
		return
	}
	done := " refused"
	if r.verdict == sim.Clamped {
		done = " clamped"
	}
	l.log.Warn(l.about+done, zap.String("topic", topic), zap.Stringer("reason", r.verdict),
		zap.String("detail", r.detail), zap.Int("unlogged_before", held))
}
