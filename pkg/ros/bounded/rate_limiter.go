package bounded

import (
	"sync"
	"time"
)

// RateLimiter lets each of a set of keys pass at most once per period, and counts
// what it holds back: nobody on the network can fill a log that asks it. It may be
// used from any goroutine. Keys are never forgotten, so that none of them may come
// from the network.
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

// Pass reports whether key may pass now and, if so, how often it was held back
// since it last passed.
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

// Overdue calls f with every key that was held back and may pass now, which it then has,
// and how often it was. It lets a caller tell of the last ones although none follows.
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
