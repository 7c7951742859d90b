package ros

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/pkg/sim"
)

// standstill reports how long the program stood still, in periods and seconds.
const standstill = "%d periods were skipped: the program stood still for %.3g s"

// fasterAdvice is the advice for a loop that is too slow.
const fasterAdvice = "use a larger step_s, a lower control_hz or a smaller robot"

// RealTimeFactor formats a real-time factor with three digits, however small it is.
func RealTimeFactor(x float64) string {
	if x > 0 && x < 0.01 {
		return fmt.Sprintf("%.1e", x)
	}
	return fmt.Sprintf("%.3f", x)
}

// Limits beyond which the step loop gets a warning.
const (
	minRealTimeFactor = 0.9  // equals diagnostic_updater's default tolerance of 0.1
	maxOverrunShare   = 0.01 // share of the periods since the last report
	maxSkippedShare   = 0.1  // of them: one hold-up of a tenth of a second
	// A program that stood still skips many periods at once, where one that is slow begins
	// many late and skips a few each time, as it did in the second before, if there was one.
	skippedAtOnce = 10
	keptUp        = 0.5 // real-time factor
	// What happens more often than in so many reports is slowness.
	rareReports = 10
	// settledReports is how many reports after a pause or the start the rates
	// are of a whole second without it.
	settledReports = 3
)

// health turns statistics into diagnostics (REP 107). It keeps the last report, because a
// counter is reported only when it has risen.
type health struct {
	last    sim.Stats
	lastSeq uint64
	settled int
	stood   bool // the program stood still since the last report
	rare    int  // reports until that can be reported again

	slowness slowness
	slow     string // its text in operating_state
}

// assess returns the three statuses of a node.
func (h *health) assess(s *sim.Simulator, node string, stats sim.Stats, now latestState) []diagnostic_msgs.DiagnosticStatus {
	if h.rare = max(0, h.rare-1); h.rare > 0 {
		h.stood = false
	} else if h.stood = h.stoodStill(s.Options(), stats); h.stood {
		h.rare = rareReports
	}
	if now.state == sim.Paused || stats.Periods == h.last.Periods && now.age == 0 || h.stood {
		h.settled = 0
	} else {
		h.settled++
	}
	statuses := []diagnostic_msgs.DiagnosticStatus{
		h.stepLoop(s.Options(), stats, now),
		h.commands(stats, now),
		solver(s.Gauges(), now),
	}
	for i := range statuses {
		statuses[i].Name = node + ": " + statuses[i].Name
		statuses[i].HardwareID = node
	}
	h.last, h.lastSeq = stats, now.seq
	return statuses
}

// stoodStill reports whether the program was held up as a whole, by a debugger or a suspended
// computer, whose rates say nothing about what the robot needs.
func (h *health) stoodStill(o sim.Options, s sim.Stats) bool {
	overruns, skipped := s.Overruns-h.last.Overruns, s.Skipped-h.last.Skipped
	return float64(skipped) > maxSkippedShare*o.ControlHz && skipped > skippedAtOnce*overruns && (h.last.RealTimeFactor == 0 || h.last.RealTimeFactor > keptUp) && !o.Lockstep
}

// stepLoop reports ERROR in FAULT and when the loop stands still, and WARN when simulated
// time lags behind, more than one period in a hundred overran or one in ten
// was skipped, or snapshots were missed since the last report.
func (h *health) stepLoop(o sim.Options, s sim.Stats, now latestState) diagnostic_msgs.DiagnosticStatus {
	overruns := s.Overruns - h.last.Overruns
	missed := s.Missed - h.last.Missed
	skipped := s.Skipped - h.last.Skipped
	st := status("step loop", fmt.Sprintf("%s, %.1f Hz", now.state, s.Rate))
	switch {
	case now.state == sim.Fault:
		st.set(diagnostic_msgs.DiagnosticStatusError, "FAULT: %s; call ~enable to continue", now.reason)
	case now.age >= longPeriod:
		st.set(diagnostic_msgs.DiagnosticStatusError, "a control period has taken %.0f s so far instead of %g ms; %s", now.age.Seconds(), 1e3/o.ControlHz, fasterAdvice)
	case now.seq == h.lastSeq && !o.Lockstep && !o.Follow:
		st.set(diagnostic_msgs.DiagnosticStatusError, "no snapshot since the last report: the loop stands still")
	case h.stood:
		st.set(diagnostic_msgs.DiagnosticStatusWarn, standstill, skipped, float64(skipped)/o.ControlHz)
	case h.settled >= settledReports && s.RealTimeFactor < minRealTimeFactor && !o.Lockstep && !o.Follow:
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "slower than real time: factor %s; %s", RealTimeFactor(s.RealTimeFactor), fasterAdvice)
	case float64(overruns) > maxOverrunShare*o.ControlHz:
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "%d periods of the last second began late", overruns)
	case float64(skipped) > maxSkippedShare*o.ControlHz && !o.Lockstep:
		st.set(diagnostic_msgs.DiagnosticStatusWarn, standstill, skipped, float64(skipped)/o.ControlHz)
	case missed > 0:
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "%d snapshots were lost before they could be published", missed)
	}
	st.number("target_hz", o.ControlHz)
	st.number("actual_hz", s.Rate)
	st.number("rtf", s.RealTimeFactor)
	st.number("sim_time_s", s.SimTime)
	st.count("steps", s.Steps)
	st.count("overruns", s.Overruns)
	st.count("skipped_periods", s.Skipped)
	st.count("missed_snapshots", s.Missed)
	st.number("step_us_p50", 1e6*s.StepP50)
	st.number("step_us_p99", 1e6*s.StepP99)
	st.number("step_us_max", 1e6*s.StepMax)
	st.number("jitter_us_p50", 1e6*s.LatenessP50)
	st.number("jitter_us_p99", 1e6*s.LatenessP99)
	st.number("jitter_us_max", 1e6*s.LatenessMax)
	st.number("run_jitter_us_p50", 1e6*s.Run.P50)
	st.number("run_jitter_us_p99", 1e6*s.Run.P99)
	st.number("run_jitter_us_p999", 1e6*s.Run.P999)
	st.number("run_jitter_us_max", 1e6*s.Run.Max)
	return st.DiagnosticStatus
}

// commands reports WARN while commands of a group have timed out and when
// commands were refused or clamped since the last report.
func (h *health) commands(s sim.Stats, now latestState) diagnostic_msgs.DiagnosticStatus {
	var refused, timedOut, last, conflicts []string
	var trips uint64
	age := -1.0
	for i, g := range s.Groups {
		trips += g.Trips
		if g.TimedOut {
			timedOut = append(timedOut, fmt.Sprintf("%s for %.1f s", g.Name, g.Age))
			last = append(last, nameOf(g.Last))
		}
		conflicts = append(conflicts, h.conflict(i, g)...)
		if g.Armed && (age < 0 || g.Age < age) {
			age = g.Age
		}
	}
	for v := sim.Clamped; int(v) < sim.NumCommandStatuses; v++ {
		if n := s.Commands[v] - h.last.Commands[v]; n > 0 {
			refused = append(refused, fmt.Sprintf("%d %s", n, v))
		}
	}
	st := status("commands", "waiting for the first command")
	switch {
	case len(timedOut) > 0:
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "no command to %s: safe values are applied (a pose completes the last command, joints and insertion stop); last commander %s; repeat commands within command_timeout_s",
			strings.Join(timedOut, ", "), strings.Join(last, ", "))
	case len(conflicts) > 0:
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "%s", strings.Join(conflicts, "; "))
	case len(refused) > 0:
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "since the last report: %s", strings.Join(refused, ", "))
	case !now.state.Accepts():
		st.Message = now.state.String() + ": commands are refused"
	case age >= 0:
		st.Message = "receiving"
	}
	if age >= 0 {
		st.number("command_age_ms", 1e3*age)
	}
	st.count("watchdog_trips", trips)
	for v := sim.Accepted; int(v) < sim.NumCommandStatuses; v++ {
		st.count(v.String(), s.Commands[v])
	}
	for _, g := range s.Groups {
		if g.Commander != "" {
			st.value("commander/"+g.Name, g.Commander)
		}
		for _, r := range g.Refused {
			st.count("refused/"+g.Name+nameSeparated(r.Name), r.Count)
		}
	}
	if len(s.Groups) > 1 {
		for _, g := range s.Groups {
			if g.Armed {
				st.number("command_age_ms/"+g.Name, 1e3*g.Age)
				st.count("watchdog_trips/"+g.Name, g.Trips)
			}
		}
	}
	return st.DiagnosticStatus
}

// conflict returns, where more than one source has commanded a group since the last
// report, which one owns it and which were refused.
func (h *health) conflict(group int, g sim.GroupStats) []string {
	var last sim.GroupStats
	if group < len(h.last.Groups) {
		last = h.last.Groups[group]
	}
	var losers []string
	for _, r := range g.Refused {
		before := uint64(0)
		if i := slices.IndexFunc(last.Refused, func(l sim.SourceCount) bool { return l.Name == r.Name }); i >= 0 {
			before = last.Refused[i].Count
		}
		if r.Count > before {
			losers = append(losers, nameOf(r.Name)+" refused")
		}
	}
	switch owner := nameOf(g.Commander); {
	case len(losers) > 0 && g.Commander != "":
		return []string{fmt.Sprintf("%s: %s; in command: %s", g.Name, strings.Join(losers, ", "), owner)}
	case len(losers) > 0:
		return []string{fmt.Sprintf("%s: %s", g.Name, strings.Join(losers, ", "))}
	case g.Handovers >= last.Handovers+alternations:
		return []string{fmt.Sprintf("%s: command alternates between %s and %s; stop one, or set command_policy: exclusive", g.Name, nameOf(g.Previous), owner)}
	}
	return nil
}

// alternations is how many changes of the commander between two reports are two
// sources that fight, not one that hands over to another.
const alternations = 2

// nameSeparated begins a name with a slash, as those of nodes do.
func nameSeparated(name string) string { return "/" + strings.TrimPrefix(nameOf(name), "/") }

// solver reports ERROR after a failed step, and WARN when gauges were above their
// thresholds since the last report. The values come from the newest snapshot.
func solver(gauges []sim.Gauge, now latestState) diagnostic_msgs.DiagnosticStatus {
	st := status("solver", "healthy")
	var warnings []string
	for i, worst := range now.worst {
		if w := gauges[i].Warning(worst); w != "" {
			warnings = append(warnings, w)
		}
	}
	if len(warnings) > 0 {
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "%s", strings.Join(warnings, "; "))
	}
	if now.state == sim.Fault && now.reason != sim.ReasonEStop {
		st.set(diagnostic_msgs.DiagnosticStatusError, "%s", now.reason)
	}
	for i, v := range now.gauges {
		st.number(gauges[i].Key, v)
	}
	return st.DiagnosticStatus
}

// statusBuilder fills a DiagnosticStatus.
type statusBuilder struct {
	diagnostic_msgs.DiagnosticStatus
}

// sensorStatus returns the status of sensors as a function, nil without sensors. It is WARN while measurements come and go between two
// snapshots.
func (s *ModelPublisher) sensorStatus() func() diagnostic_msgs.DiagnosticStatus {
	var sensors []*outputPort
	for _, o := range s.outputs {
		if o.port.Samples > 0 {
			sensors = append(sensors, o)
		}
	}
	if len(sensors) == 0 {
		return nil
	}
	last := make([]uint64, len(sensors))
	return func() diagnostic_msgs.DiagnosticStatus {
		st := status("sensors", "all measurements are published")
		for i, o := range sensors {
			lost := o.lost.Load()
			if lost > last[i] {
				st.set(diagnostic_msgs.DiagnosticStatusWarn, "%d measurements of %s were lost in the last second: snapshots are too rare; use a higher publish_hz", lost-last[i], o.port.Name)
			}
			st.count(o.port.Name+"_lost", lost)
			last[i] = lost
		}
		return st.DiagnosticStatus
	}
}

// status begins an OK status.
func status(name, message string) *statusBuilder {
	return &statusBuilder{diagnostic_msgs.DiagnosticStatus{Name: name, Message: message}}
}

func (b *statusBuilder) set(level byte, format string, args ...any) {
	b.Level, b.Message = level, fmt.Sprintf(format, args...)
}

func (b *statusBuilder) value(key, value string) {
	b.Values = append(b.Values, diagnostic_msgs.KeyValue{Key: key, Value: value})
}

func (b *statusBuilder) number(key string, x float64) {
	b.value(key, strconv.FormatFloat(x, 'g', 6, 64))
}

func (b *statusBuilder) count(key string, n uint64) { b.value(key, strconv.FormatUint(n, 10)) }

func diagnosticArray(seq uint32, stamp msgs.Time, s []diagnostic_msgs.DiagnosticStatus) *diagnostic_msgs.DiagnosticArray {
	return &diagnostic_msgs.DiagnosticArray{Header: header(seq, stamp, ""), Status: s}
}
