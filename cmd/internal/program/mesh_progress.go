package program

import (
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"sinew/cmd/internal/progress"
)

// meshProgress shows on standard error how far a mesh is built: a bar on a terminal after a second, otherwise a
// line every ten seconds.
type meshProgress struct {
	what  string
	mu    sync.Mutex
	begin time.Time
	next  time.Duration // of the next line
	bar   *progress.Bar
	ended bool
}

func newMeshProgress(what string) *meshProgress { return &meshProgress{what: what} }

// meshPause is the time between lines.
const meshPause = 10 * time.Second

// set sets the share that is done.
func (p *meshProgress) set(share float64) {
	const whole = 1000
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	if p.begin.IsZero() {
		p.begin, p.next = time.Now(), meshPause
		if term.IsTerminal(int(os.Stderr.Fd())) {
			p.bar = progress.Start(os.Stderr, p.what, whole, "")
		}
	}
	p.bar.Set(int64(share * whole))
	if since := time.Since(p.begin); p.bar == nil && since >= p.next {
		fmt.Fprintf(os.Stderr, "%s: %.0f %% after %.0f s\n", p.what, 100*share, since.Seconds())
		p.next = since + meshPause
	}
}

// end removes the bar.
func (p *meshProgress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended = true; p.bar != nil {
		p.bar.End()
	}
}
