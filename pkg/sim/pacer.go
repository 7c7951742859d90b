package sim

import (
	"math"
	"time"
)

// Clock is the time that paces a Simulator. Package sim owns no clock, so that
// every test of it runs without sleeping. Its methods may be called from several
// goroutines.
type Clock interface {
	// Now returns the time since the Unix epoch. It never goes back.
	Now() time.Duration
	// SleepUntil returns at time t, as Now counts it, or a little later. It
	// returns at once if t has passed.
	SleepUntil(t time.Duration)
}

// Pacer releases control periods at absolute deadlines, k periods after it was
// made, so that lateness never adds up. Deadlines that were missed are skipped, not
// caught up with.
type Pacer struct {
	clock Clock
	start time.Duration // deadline 0
	ns    float64       // length of a period, ns; need not be whole
	k     uint64        // number of the last deadline
}

// Tick is the release of one control period.
type Tick struct {
	// Elapsed is the number of deadlines since the last tick: 1, and 1 more for
	// each period that was skipped.
	Elapsed uint64
	// Overrun reports that the deadline had passed before the wait, or that whole
	// periods were skipped.
	Overrun bool
	// Lateness is the time from the first deadline since the last tick to the
	// beginning of the period.
	Lateness time.Duration
}

// NewPacer returns a Pacer of hz periods per second whose first deadline is one
// period from now.
func NewPacer(c Clock, hz float64) *Pacer { return newPacer(c, hz, c.Now()) }

// newPacer returns a Pacer whose first deadline is one period after start.
func newPacer(c Clock, hz float64, start time.Duration) *Pacer {
	return &Pacer{clock: c, start: start, ns: 1e9 / hz}
}

// next returns the deadline of the next period.
func (p *Pacer) next() time.Duration { return p.deadline(p.k + 1) }

// deadline returns the time of deadline k.
func (p *Pacer) deadline(k uint64) time.Duration {
	return p.start + time.Duration(math.Round(float64(k)*p.ns))
}

// last returns the number of the last deadline at or before t.
func (p *Pacer) last(t time.Duration) uint64 {
	k := uint64(max(0, float64(t-p.start)/p.ns))
	for k > 0 && p.deadline(k) > t {
		k--
	}
	for p.deadline(k+1) <= t {
		k++
	}
	return k
}

// Wait returns at the next deadline, or at once if that has passed.
func (p *Pacer) Wait() Tick {
	due := p.next()
	now := p.clock.Now()
	passed := now > due
	if now < due {
		p.clock.SleepUntil(due)
		now = p.clock.Now()
	}
	k := max(p.last(now), p.k+1)
	tick := Tick{Elapsed: k - p.k, Lateness: max(0, now-due)}
	tick.Overrun = passed || tick.Elapsed > 1
	p.k = k
	return tick
}

// Due returns the next period if its deadline is at or before now, and does not wait for
// it. When that deadline is further back than most, the periods up to now are skipped.
func (p *Pacer) Due(now, most time.Duration) (tick Tick, due bool) {
	next := p.k + 1
	late := now - p.deadline(next)
	if late < 0 {
		return Tick{}, false
	}
	if late > most {
		next = p.last(now)
	}
	tick = Tick{Elapsed: next - p.k, Overrun: next > p.k+1, Lateness: late}
	p.k = next
	return tick, true
}

// Resync makes the next deadline after now the next one, without counting those
// that passed as an overrun.
func (p *Pacer) Resync() {
	p.k = max(p.k, p.last(p.clock.Now()))
}
