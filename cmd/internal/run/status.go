package run

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/progress"
	"sinew/pkg/ros"
	"sinew/pkg/sim"
)

// status prints the status of the run once a second: a line that is rewritten on a terminal, a new
// line elsewhere.
type status struct {
	env      *cli.Env
	sim      *sim.Simulator
	monitor  *monitor
	label    string // name of the pose
	unit     lengthUnit
	terminal bool
}

// lengthUnit is a unit in which lengths are printed.
type lengthUnit struct {
	name  string
	perM  float64
	least float64 // m, the smallest length of a robot that uses it
}

var lengthUnits = []lengthUnit{{"m", 1, 10}, {"mm", 1e3, 1e-3}, {"um", 1e6, 1e-6}, {"nm", 1e9, 0}}

// unitFor returns the unit for a robot of length l, m.
func unitFor(l float64) lengthUnit {
	for _, u := range lengthUnits {
		if l >= u.least {
			return u
		}
	}
	return lengthUnits[1] // of a robot without a length
}

// statusPeriod is the time between two lines. The first comes a little later, when the rates of the
// first second are known.
const (
	statusPeriod = time.Second
	statusDelay  = 200 * time.Millisecond
)

func newStatus(e *cli.Env, s *sim.Simulator, m *monitor, label string, lengthM float64) *status {
	_, terminal := progress.Terminal(e.Stdout)
	return &status{env: e, sim: s, monitor: m, label: label, unit: unitFor(lengthM), terminal: terminal}
}

// runStatus prints a status until ctx ends.
func runStatus(ctx context.Context, show func()) {
	select {
	case <-ctx.Done():
		return
	case <-time.After(statusDelay):
	}
	ticker := time.NewTicker(statusPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			show()
		}
	}
}

func (s *status) show() { showStatus(s.env.Stdout, s.terminal, s.line()) }

// showStatus prints a line; on a terminal it overwrites the previous one.
func showStatus(w io.Writer, terminal bool, line string) {
	if terminal {
		const cut, wrap = "\x1b[?7l", "\x1b[?7h" // control sequences that switch the wrapping of long lines off and on
		fmt.Fprintf(w, "\r\x1b[K%s%s%s", cut, line, wrap)
	} else {
		fmt.Fprintln(w, line)
	}
}

// line returns the status in one line.
func (s *status) line() string {
	st := s.sim.Stats()
	var b strings.Builder
	fmt.Fprintf(&b, "t %.1f s  %s  %.0f Hz  rtf %s  step %.0f/%.0f us p50/p99  overruns %d",
		st.SimTime, s.state(st.State), st.Rate, ros.RealTimeFactor(st.RealTimeFactor), st.StepP50*1e6, st.StepP99*1e6, st.Overruns)
	if st.Divided > 0 {
		fmt.Fprintf(&b, "  divided %d", st.Divided)
	}
	if m := s.monitor.pose.Load(); m != nil {
		p, k := m.Pose.Position, s.unit.perM
		fmt.Fprintf(&b, "  %s %.2f %.2f %.2f %s", s.label, p.X*k, p.Y*k, p.Z*k, s.unit.name)
	}
	if m := s.monitor.state.Load(); m != nil && m.State == sim.Fault.String() {
		fmt.Fprintf(&b, "  %s; call ~enable to continue", m.Reason)
	}
	return b.String()
}

// state returns the operating state and, for an enabled robot, its reason if there is one.
func (s *status) state(now sim.OperatingState) string {
	m := s.monitor.state.Load()
	if now != sim.Enabled || m == nil || m.State != now.String() || m.Reason == "" {
		return now.String()
	}
	return now.String() + ", " + m.Reason
}

// last prints the final status with the sums of the run. abandoned is how long the abandoned
// control period had taken, or 0.
func (s *status) last(abandoned time.Duration) {
	if s.terminal {
		fmt.Fprintln(s.env.Stdout)
	}
	st := s.sim.Stats()
	fmt.Fprintf(s.env.Stdout, "%d steps, %.3f s simulated, %d overruns", st.Steps, st.SimTime, st.Overruns)
	if st.Divided > 0 {
		fmt.Fprintf(s.env.Stdout, ", %d divided", st.Divided)
	}
	fmt.Fprintln(s.env.Stdout)
	if abandoned > 0 {
		fmt.Fprintf(s.env.Stdout, "left in the middle of a control period that had taken %.1f s\n", abandoned.Seconds())
	}
}
