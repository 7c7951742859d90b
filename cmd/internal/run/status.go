package run

import (
	"context"
	"fmt"
	"strings"
	"time"

	"sinew/cmd/internal/verb"
	"sinew/pkg/sim"
)

// status shows how the run is doing, once a second: a line that is rewritten on
// a terminal, a line each elsewhere.
type status struct {
	env      *verb.Env
	sim      *sim.Simulator
	monitor  *monitor
	label    string // what the pose is of
	terminal bool
}

// statusPeriod is the time between two lines. The first comes a little later, when
// the first second's rates are there.
const (
	statusPeriod = time.Second
	statusDelay  = 200 * time.Millisecond
)

func newStatus(e *verb.Env, s *sim.Simulator, m *monitor, label string) *status {
	_, terminal := verb.Terminal(e.Stdout)
	return &status{env: e, sim: s, monitor: m, label: label, terminal: terminal}
}

// run shows the status until ctx ends.
func (s *status) run(ctx context.Context) {
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
			s.show()
		}
	}
}

func (s *status) show() {
	line := s.line()
	if s.terminal {
		const cut, wrap = "\x1b[?7l", "\x1b[?7h" // what a terminal does with too long a line
		fmt.Fprintf(s.env.Stdout, "\r\x1b[K%s%s%s", cut, line, wrap)
	} else {
		fmt.Fprintln(s.env.Stdout, line)
	}
}

// line is the status in one line.
func (s *status) line() string {
	st := s.sim.Stats()
	var b strings.Builder
	fmt.Fprintf(&b, "t %.1f s  %s  %.0f Hz  rtf %.3f  step %.0f/%.0f us p50/p99  overruns %d",
		st.SimTime, st.State, st.Rate, st.RealTimeFactor, st.StepP50*1e6, st.StepP99*1e6, st.Overruns)
	if st.Divided > 0 {
		fmt.Fprintf(&b, "  divided %d", st.Divided)
	}
	if m := s.monitor.pose.Load(); m != nil {
		p := m.Pose.Position // in millimetres, as people read it
		fmt.Fprintf(&b, "  %s %.2f %.2f %.2f mm", s.label, p.X*1e3, p.Y*1e3, p.Z*1e3)
	}
	if m := s.monitor.state.Load(); m != nil && m.State == sim.Fault.String() {
		fmt.Fprintf(&b, "  %s; enable to go on", m.Reason)
	}
	return b.String()
}

// last ends the status with the sums of the run.
func (s *status) last() {
	if s.terminal {
		fmt.Fprintln(s.env.Stdout)
	}
	st := s.sim.Stats()
	fmt.Fprintf(s.env.Stdout, "%d steps, %.3f s simulated, %d overruns", st.Steps, st.SimTime, st.Overruns)
	if st.Divided > 0 {
		fmt.Fprintf(s.env.Stdout, ", %d divided", st.Divided)
	}
	fmt.Fprintln(s.env.Stdout)
}
