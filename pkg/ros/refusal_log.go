package ros

import (
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros/bounded"
	"sinew/pkg/sim"
)

// refusalPause is how long a reason for refusing messages of a topic is not logged again.
// Every refusal is counted.
const refusalPause = 5 * time.Second

// refusalLog logs why commands, or measurements, are refused or clamped, each reason on
// each topic at most once per pause. It may be used from any goroutine.
type refusalLog struct {
	about   string // "command"
	log     *zap.Logger
	limiter *bounded.RateLimiter[refusalKey]

	mu       sync.Mutex
	unlogged map[refusalKey]string // detail of the last refusal that was not logged
}

// refusalKey identifies the refusals that share a line. Topics are those that the bridge opened.
type refusalKey struct {
	topic  string
	status sim.CommandStatus
}

func newRefusalLog(about string, log *zap.Logger, now func() time.Duration) *refusalLog {
	return &refusalLog{
		about: about, log: log, unlogged: make(map[refusalKey]string),
		limiter: bounded.NewRateLimiter[refusalKey](refusalPause, now),
	}
}

func (l *refusalLog) add(topic string, r refusal) {
	key := refusalKey{topic, r.status}
	held, ok := l.limiter.Pass(key)
	if !ok {
		l.mu.Lock()
		l.unlogged[key] = r.detail
		l.mu.Unlock()
		return
	}
	l.line(key, r.detail, held)
}

// flush logs the refusals that came after the last line of a reason, once its pause is over.
func (l *refusalLog) flush() {
	l.limiter.Overdue(func(key refusalKey, held int) {
		l.mu.Lock()
		detail := l.unlogged[key]
		l.mu.Unlock()
		l.line(key, detail, held-1) // the last of them is this line
	})
}

// line logs a refusal and how many before it were not logged.
func (l *refusalLog) line(key refusalKey, detail string, before int) {
	done := " refused"
	if key.status == sim.Clamped {
		done = " clamped"
	}
	l.log.Warn(l.about+done, zap.String("topic", key.topic), zap.Stringer("reason", key.status),
		zap.String("detail", detail), zap.Int("unlogged_before", before))
}
