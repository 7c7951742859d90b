package wallclock

import (
	"sync"
	"sync/atomic"
	"time"
)

// Stamps turns the time of a Clock, which never jumps and so paces loops and time-outs, into
// stamps, which follow the corrections of the computer's clock: the step that NTP makes when
// a computer without a battery-backed clock has found the network, a leap second, the hand
// of an administrator. Stamps never run backwards. A correction forwards is followed at
// once. One backwards is worked off: stamps run slower by SlewRate until they are right
// again, so that differences of stamps, from which velocities are made, stay right within
// that. Its methods may be called from any goroutine.
type Stamps struct {
	read func() Reading
	line atomic.Pointer[line]

	mu    sync.Mutex    // one Look at a time
	truth time.Duration // computer's clock less Clock, at the last Look
}

// SlewRate is the share by which stamps run slower while a correction backwards is worked
// off: ten times what the kernel slews a clock by, and too little to show in a velocity.
const SlewRate = 0.005

// A correction is told from LeastCorrection on; smaller ones, which are the wander of a
// clock that something else slews, are followed without a word. What changes by less than
// noise is how exactly two clocks can be compared, and a comparison that took longer than
// longestReading was interrupted.
const (
	LeastCorrection = 10 * time.Millisecond
	noise           = 50 * time.Microsecond
	longestReading  = time.Millisecond
)

// Reading is the computer's clock and a Clock at the same time.
type Reading struct {
	Steady, Unix time.Duration
	Took         time.Duration // between the two, at most
}

// line is how far stamps are ahead of the Clock: from at the time since, and less by
// SlewRate until it is to.
type line struct{ since, from, to time.Duration }

func (l *line) at(steady time.Duration) time.Duration {
	return max(l.to, l.from-time.Duration(SlewRate*float64(max(0, steady-l.since))))
}

// Stamps returns the stamps of a clock, which shows the right time now.
func (c Clock) Stamps() *Stamps { return NewStamps(c.reading) }

// NewStamps returns the stamps of a clock that is read together with the computer's.
func NewStamps(read func() Reading) *Stamps {
	s := &Stamps{read: read}
	s.line.Store(new(line))
	s.Look()
	return s
}

// reading compares the two clocks, the best of a few times.
func (c Clock) reading() (best Reading) {
	const tries = 8
	for i := range tries {
		before := c.Now()
		unix := time.Duration(time.Now().UnixNano())
		after := c.Now()
		if r := (Reading{before + (after-before)/2, unix, after - before}); i == 0 || r.Took < best.Took {
			best = r
		}
	}
	return best
}

// At returns the stamp of a time of the Clock.
func (s *Stamps) At(steady time.Duration) time.Duration { return steady + s.line.Load().at(steady) }

// Unix returns what the computer's clock shows now, which may run backwards.
func (s *Stamps) Unix() time.Duration { return s.read().Unix }

// Ahead returns how far stamps are ahead of the computer's clock, as of the last Look.
func (s *Stamps) Ahead(steady time.Duration) time.Duration {
	l := s.line.Load()
	return l.at(steady) - l.to
}

// Look compares the clocks, which is to be done about once a second. It returns by how much
// the computer's clock was corrected since the last time, and 0 for less than
// LeastCorrection.
func (s *Stamps) Look() (by time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.read()
	if r.Took > longestReading {
		return 0
	}
	truth, l := r.Unix-r.Steady, s.line.Load()
	by, s.truth = truth-s.truth, truth
	if (truth - l.to).Abs() > noise {
		// a line that rises at since rises for the snapshots from before it, too
		s.line.Store(&line{since: r.Steady, from: max(l.at(r.Steady), truth), to: truth})
	}
	if by.Abs() < LeastCorrection {
		return 0
	}
	return by
}
