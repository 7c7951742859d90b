package view

import (
	"fmt"
	"math"
	"time"

	"go.uber.org/zap"
)

// A gap without messages that is longer than longGap is skipped once it has been shown for
// shownGap: the clock of the recording computer was set, or nothing ran for a while.
const (
	longGap  = time.Minute
	shownGap = 2 * time.Second
)

// gap is the present interval between two messages of the recordings.
type gap struct {
	from  time.Duration // time of the newest message, or of the last seek
	next  time.Duration // of the next message
	known bool
}

// pass skips the rest of a long gap, and reports whether it did.
func (p *player) pass(now time.Duration) (next time.Duration, passed bool) {
	if now-p.gap.from < shownGap {
		return now, false
	}
	if !p.gap.known {
		p.gap.known, p.gap.next = true, math.MaxInt64
		for _, r := range p.recordings {
			if at, any := r.Next(now - r.later); any {
				p.gap.next = min(p.gap.next, at+r.later)
			}
		}
	}
	next = min(p.gap.next, p.recordings[0].last)
	if next-now <= longGap {
		return now, false
	}
	p.log.Info("nothing was recorded for a while", zap.Duration("from", p.gap.from-p.recordings[0].first), zap.Duration("to", next-p.recordings[0].first))
	p.server.Warn(fmt.Sprintf("Nothing was recorded from %.6g s to %.6g s: passed over.", (p.gap.from - p.recordings[0].first).Seconds(), (next - p.recordings[0].first).Seconds()))
	return next, true
}
