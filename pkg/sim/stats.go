package sim

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Stats describes how well a Simulator runs. Counters count from the start of Run;
// rates and quantiles cover the last full second and are 0 before it is over.
type Stats struct {
	State OperatingState

	Steps    uint64                     // time steps of the model
	Periods  uint64                     // simulated control periods
	Overruns uint64                     // control periods that began after their deadline
	Skipped  uint64                     // control periods left out because of overruns
	SimTime  float64                    // s since the last reset
	Missed   uint64                     // snapshots overwritten before they were read
	Divided  uint64                     // steps taken in parts, as the model counts them
	Commands [NumCommandStatuses]uint64 // commands by status
	Groups   []GroupStats               // in the order of the groups' first ports

	// Follow describes the clock that is followed, with Options.Follow.
	Follow FollowStats

	RealTimeFactor float64 // simulated time / elapsed time
	Rate           float64 // simulated control periods per second, Hz
	// StepP50, StepP99 and StepMax are the median, the 99th percentile and the
	// maximum of the time that Model.Step takes, s.
	StepP50, StepP99, StepMax float64
	// LatenessP50, LatenessP99 and LatenessMax are quantiles of the time from the deadline
	// of a control period to its beginning, s.
	LatenessP50, LatenessP99, LatenessMax float64
	// Run has the quantiles of lateness over the whole run, up to its last full second.
	Run Lateness
}

// Lateness are quantiles of lateness, s.
type Lateness struct{ P50, P99, P999, Max float64 }

// GroupStats describes the commands of one group of ports.
type GroupStats struct {
	Name  string // Port.Group, or the name of a port without one
	Armed bool   // whether there was a command, so that the watchdog waits for the next
	// TimedOut reports that the commands stopped coming and the group moved to its
	// safe values.
	TimedOut bool
	Age      float64 // s of running time since the last command, when Armed
	Trips    uint64  // number of timeouts
	// Commander is the name of the source that owns the group, empty when none does.
	Commander string
	// Last is the name of the source of the newest command, empty before the first.
	Last string
	// Handovers is how often a source took over from one that was still active, last from
	// Previous.
	Handovers uint64
	Previous  string
	// Refused counts the commands of sources that did not own the group, by name.
	Refused []SourceCount
}

// meter measures the numbers of Stats on the loop's goroutine. read may be called from any
// goroutine.
type meter struct {
	steps, periods, overruns, skipped atomic.Uint64
	simTime                           atomic.Uint64 // bits of a float64
	divided                           atomic.Uint64
	begun                             *atomic.Int64 // as Options.Begun

	since   time.Duration // beginning of the present window
	run     Histogram     // lateness of the windows before
	windows [3]window     // buffers of newest
	newest  tripleBuffer
	readers sync.Mutex // held while reading newest
}

// window holds the measurements of one second.
type window struct {
	elapsed        time.Duration
	periods        uint64
	simulated      float64 // s
	step, lateness Histogram
	run            Histogram // lateness of the whole run
}

// init makes the meter publish the beginning of periods in begun, if that is not nil.
func (m *meter) init(begun *atomic.Int64) {
	m.newest.init()
	if m.begun = begun; begun == nil {
		m.begun = new(atomic.Int64)
	}
}

// setSimTime publishes the simulated time, s.
func (m *meter) setSimTime(seconds float64) { m.simTime.Store(math.Float64bits(seconds)) }

// simTimeS returns the published simulated time, s.
func (m *meter) simTimeS() float64 { return math.Float64frombits(m.simTime.Load()) }

// windowLength is the time over which rates and quantiles are taken.
const windowLength = time.Second

// present returns the window that is being filled.
func (m *meter) present() *window { return &m.windows[m.newest.back] }

// tick counts the release of a period.
func (m *meter) tick(t Tick) {
	m.present().lateness.Add(t.Lateness)
	m.skipped.Add(t.Elapsed - 1)
	if t.Overrun {
		m.overruns.Add(1)
	}
}

// stepped counts a step of the model that took d and simulated dt seconds.
func (m *meter) stepped(d time.Duration, dt float64) {
	w := m.present()
	w.step.Add(d)
	w.simulated += dt
	m.steps.Add(1)
}

// ranPeriod counts a complete control period.
func (m *meter) ranPeriod() {
	m.present().periods++
	m.periods.Add(1)
}

// roll closes the window when its time is over.
func (m *meter) roll(now time.Duration) {
	if now-m.since >= windowLength {
		m.close(now)
	}
}

// close publishes the window to readers and begins the next.
func (m *meter) close(now time.Duration) {
	if now <= m.since {
		return
	}
	w := m.present()
	w.elapsed = now - m.since
	m.run.Merge(&w.lateness)
	w.run = m.run
	m.newest.publish()
	*m.present() = window{}
	m.since = now
}

// read writes the meter's numbers to s.
func (m *meter) read(s *Stats) {
	s.Steps, s.Periods = m.steps.Load(), m.periods.Load()
	s.Overruns, s.Skipped = m.overruns.Load(), m.skipped.Load()
	s.SimTime = m.simTimeS()
	s.Divided = m.divided.Load()

	m.readers.Lock()
	defer m.readers.Unlock()
	m.newest.take()
	w := &m.windows[m.newest.front]
	if w.elapsed <= 0 {
		return
	}
	s.RealTimeFactor = w.simulated / w.elapsed.Seconds()
	s.Rate = float64(w.periods) / w.elapsed.Seconds()
	s.StepP50, s.StepP99, s.StepMax = w.step.summary()
	s.LatenessP50, s.LatenessP99, s.LatenessMax = w.lateness.summary()
	s.Run.P50, s.Run.P99, s.Run.Max = w.run.summary()
	s.Run.P999 = w.run.Quantile(0.999).Seconds()
}

// summary returns the median, the 99th percentile and the maximum, s.
func (h *Histogram) summary() (p50, p99, max float64) {
	return h.Quantile(0.5).Seconds(), h.Quantile(0.99).Seconds(), h.Max().Seconds()
}
