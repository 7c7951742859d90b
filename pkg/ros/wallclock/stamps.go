package wallclock

import (
	"sync"
	"sync/atomic"
	"time"
)

// Stamps converts the time of a Clock, which never jumps and therefore paces loops and time-outs,
// to stamps, which follow the corrections of the computer's clock: the step of NTP after a computer
// without a battery-backed clock has found the network, a leap second, or a manual change. Stamps
// never decrease. A forward correction takes effect at once. During a backward correction stamps
// advance more slowly by SlewRate until they agree again, so that velocities from differences of
// stamps have only that relative error. Its methods may be called from any goroutine.
type Stamps struct {
	read func() Reading
	line atomic.Pointer[line]

	mu    sync.Mutex    // one Look at a time
	truth time.Duration // computer's clock less Clock, at the last Look
}

// SlewRate is the relative reduction of the rate of stamps during a backward correction: ten times
// the slew rate of the kernel, and too small to be visible in a velocity.
const SlewRate = 0.005

// A correction is reported if it is at least LeastCorrection; smaller ones, such as the wander of a
// slewed clock, are followed without a report. Changes below noise are within the accuracy of the
// comparison of two clocks, and a comparison that took longer than longestReading was interrupted.
const (
	LeastCorrection = 10 * time.Millisecond
	noise           = 50 * time.Microsecond
	longestReading  = time.Millisecond
)

// Reading is a simultaneous reading of the computer's clock and a Clock.
type Reading struct {
	Steady, Unix time.Duration
	Took         time.Duration // between the two, at most
}

// line is the offset of stamps from the Clock: from at the time since, and decreasing by SlewRate
// until it is to.
type line struct{ since, from, to time.Duration }

func (l *line) at(steady time.Duration) time.Duration {
	return max(l.to, l.from-time.Duration(SlewRate*float64(max(0, steady-l.since))))
}

// Stamps returns the stamps of a clock whose present time is correct.
func (c Clock) Stamps() *Stamps { return NewStamps(c.reading) }

// NewStamps returns the stamps of a clock that is read together with the computer's.
func NewStamps(read func() Reading) *Stamps {
	s := &Stamps{read: read}
	s.line.Store(new(line))
	s.Look()
	return s
}

// reading compares the two clocks; it returns the best of a few readings.
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

// Unix returns the present time of the computer's clock, which may go back.
func (s *Stamps) Unix() time.Duration { return s.read().Unix }

// Ahead returns the offset of stamps from the computer's clock, as of the last Look.
func (s *Stamps) Ahead(steady time.Duration) time.Duration {
	l := s.line.Load()
	return l.at(steady) - l.to
}

// Look compares the clocks; it must be called about once a second. It returns the correction of the
// computer's clock since the last call, and 0 if it is less than LeastCorrection.
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
		// snapshots from before since may also have an increasing offset
		s.line.Store(&line{since: r.Steady, from: max(l.at(r.Steady), truth), to: truth})
	}
	if by.Abs() < LeastCorrection {
		return 0
	}
	return by
}
