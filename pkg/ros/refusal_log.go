package ros

import (
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros/bounded"
	"sinew/pkg/sim"
)

// refusalPause is how long a reason for refusing what comes on a topic stays silent after
// it was logged. Every refusal is counted all the same.
const refusalPause = 5 * time.Second

// refusalLog logs why commands, or measurements, are refused or clamped, each reason on
// each topic at most once per pause. It may be used from any goroutine.
type refusalLog struct {
	about   string // "command"
	log     *zap.Logger
	limiter *bounded.RateLimiter[refusalKey]

	mu   sync.Mutex
	held map[refusalKey]string // detail of the last refusal that was not logged
}

// refusalKey names the refusals that share a line. Topics are those that the bridge opened.
type refusalKey struct {
	topic   string
	verdict sim.CommandStatus
}

func newRefusalLog(about string, log *zap.Logger, now func() time.Duration) *refusalLog {
	return &refusalLog{
		about: about, log: log, held: make(map[refusalKey]string),
		limiter: bounded.NewRateLimiter[refusalKey](refusalPause, now),
	}
}

func (l *refusalLog) add(topic string, r refusal) {
	key := refusalKey{topic, r.verdict}
	held, ok := l.limiter.Pass(key)
	if !ok {
		l.mu.Lock()
		l.held[key] = r.detail
		l.mu.Unlock()
		return
	}
	l.line(key, r.detail, held)
}

// tellHeld logs what was refused after the last line of a reason, once its pause is over.
func (l *refusalLog) tellHeld() {
	l.limiter.Overdue(func(key refusalKey, held int) {
		l.mu.Lock()
		detail := l.held[key]
		l.mu.Unlock()
		l.line(key, detail, held-1) // the last of them is this line
	})
}

// line logs a refusal and how many before it were not.
func (l *refusalLog) line(key refusalKey, detail string, before int) {
	done := " refused"
	if key.verdict == sim.Clamped {
		done = " clamped"
	}
	l.log.Warn(l.about+done, zap.String("topic", key.topic), zap.Stringer("reason", key.verdict),
		zap.String("detail", detail), zap.Int("unlogged_before", before))
}
