package ros2

import (
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros/bounded"
)

// warningPeriod is how long a warning stays silent after it was logged.
const warningPeriod = 5 * time.Second

// warnings logs warnings, each at most once per pause, so that nobody on the
// network can fill the log. It may be used from any goroutine.
type warnings struct {
	log     *zap.Logger
	limiter *bounded.RateLimiter[warning]
}

// warning is the key of the limit: its text, and the topic of this node that
// it is about, if any. Nothing in it comes from the network.
type warning struct{ text, topic string }

func newWarnings(log *zap.Logger) *warnings {
	start := time.Now()
	now := func() time.Duration { return time.Since(start) }
	return &warnings{log, bounded.NewRateLimiter[warning](warningPeriod, now)}
}

func (l *warnings) add(w warning, fields ...zap.Field) {
	held, ok := l.limiter.Pass(w)
	if !ok {
		return
	}
	if w.topic != "" {
		fields = append(fields, zap.String("topic", w.topic))
	}
	if held > 0 {
		fields = append(fields, zap.Int("unlogged_before", held))
	}
	l.log.Warn("ROS 2: "+w.text, fields...)
}
