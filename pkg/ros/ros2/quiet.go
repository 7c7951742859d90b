package ros2

import (
	"sync"
	"time"

	"go.uber.org/zap"
)

// warnPause is how long a warning stays silent after it was logged.
const warnPause = 5 * time.Second

// quiet logs warnings, each at most once per pause, so that nobody on the network
// can fill the log. It may be used from any goroutine.
type quiet struct {
	log *zap.Logger

	mu   sync.Mutex
	said map[warning]*silence
}

// warning is what is limited as one: its text, and the topic of this node that
// it is about, if any. Nothing in it comes from the network.
type warning struct{ text, topic string }

// silence is what became of a warning that was logged.
type silence struct {
	since time.Time
	held  int // warnings since then
}

func newQuiet(log *zap.Logger) *quiet {
	return &quiet{log: log, said: map[warning]*silence{}}
}

func (q *quiet) warn(w warning, fields ...zap.Field) {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := q.said[w]
	now := time.Now()
	if s != nil && now.Sub(s.since) < warnPause {
		s.held++
		return
	}
	if s == nil {
		s = new(silence)
		q.said[w] = s
	}
	if w.topic != "" {
		fields = append(fields, zap.String("topic", w.topic))
	}
	if s.held > 0 {
		fields = append(fields, zap.Int("unlogged_before", s.held))
	}
	q.log.Warn("ROS 2: "+w.text, fields...)
	*s = silence{since: now}
}
