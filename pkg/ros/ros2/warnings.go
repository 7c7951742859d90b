package ros2

import (
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros/bounded"
)

// warningPeriod is the least time between two log lines of a warning.
const warningPeriod = 5 * time.Second

// warnings logs each warning at most once per warningPeriod, so that a peer cannot fill the log. It
// is safe for concurrent use.
type warnings struct {
	log     *zap.Logger
	limiter *bounded.RateLimiter[warning]
}

// warning identifies a warning for the rate limit: its text, and the topic of this node that it
// concerns, if any. Neither comes from the network.
type warning struct{ text, topic string }

func newWarnings(log *zap.Logger) *warnings {
	start := time.Now()
	now := func() time.Duration { return time.Since(start) }
	return &warnings{log, bounded.NewRateLimiter[warning](warningPeriod, now)}
}

func (l *warnings) add(w warning, fields ...zap.Field) {
	if write, ok := l.pass(w); ok {
		write(fields...)
	}
}

// pass reports whether a warning is to be logged now, and returns the function that does.
func (l *warnings) pass(w warning) (write func(...zap.Field), ok bool) {
	held, ok := l.limiter.Pass(w)
	return func(fields ...zap.Field) {
		if w.topic != "" {
			fields = append(fields, zap.String("topic", w.topic))
		}
		if held > 0 {
			fields = append(fields, zap.Int("unlogged_before", held))
		}
		l.log.Warn("ROS 2: "+w.text, fields...)
	}, ok
}
