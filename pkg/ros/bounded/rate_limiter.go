package bounded

import (
	"sync"
	"time"
)

// RateLimiter lets each key pass at most once per period, and counts the suppressed calls, so that
// peers cannot fill a log. It is safe for concurrent use. Keys are never removed, so that they must
// not come from the network.
type RateLimiter[K comparable] struct {
	period time.Duration
	now    func() time.Duration

	mu     sync.Mutex
	passed map[K]pass
}

// pass records when a key passed.
type pass struct {
	at   time.Duration
	held int // times since then
}

// NewRateLimiter returns a RateLimiter by the clock now, the time since any fixed
// moment.
func NewRateLimiter[K comparable](period time.Duration, now func() time.Duration) *RateLimiter[K] {
	return &RateLimiter[K]{period: period, now: now, passed: map[K]pass{}}
}

// Pass reports whether key may pass now and, if so, how many calls were suppressed since it last
// passed.
func (l *RateLimiter[K]) Pass(key K) (held int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	p, seen := l.passed[key]
	if seen && now-p.at < l.period {
		p.held++
		l.passed[key] = p
		return 0, false
	}
	l.passed[key] = pass{at: now}
	return p.held, true
}

// Overdue calls f with every key that has suppressed calls and may pass now, and with their number,
// and lets it pass. A caller thereby reports the last calls although none follows.
func (l *RateLimiter[K]) Overdue(f func(key K, held int)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	for key, p := range l.passed {
		if p.held > 0 && now-p.at >= l.period {
			l.passed[key] = pass{at: now}
			f(key, p.held)
		}
	}
}
