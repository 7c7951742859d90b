package run

import (
	"fmt"
	"math"
	"strings"

	"sinew/cmd/internal/progress"
	"sinew/pkg/ros"
	"sinew/pkg/sim"
)

// fleetStatus prints the status of a fleet once a second.
type fleetStatus struct {
	fleet    *fleet
	terminal bool
}

func newFleetStatus(f *fleet) *fleetStatus {
	_, terminal := progress.Terminal(f.env.Stdout)
	return &fleetStatus{fleet: f, terminal: terminal}
}

func (s *fleetStatus) show() { showStatus(s.fleet.env.Stdout, s.terminal, s.line()) }

// line returns the status in one line: the number of robots in each state, the slowest robot, and
// the failures.
func (s *fleetStatus) line() string {
	f := s.fleet
	counts := map[sim.OperatingState]int{}
	gone, overruns := 0, uint64(0)
	slowest, factor, p99, t := "", math.Inf(1), 0.0, 0.0
	var faults []string
	for i, m := range f.members {
		if m.hasLeft.Load() {
			gone++
			continue
		}
		st := m.sim.Stats()
		counts[st.State]++
		overruns += st.Overruns
		p99, t = max(p99, st.StepP99), max(t, st.SimTime)
		if st.State == sim.Enabled && st.RealTimeFactor < factor {
			slowest, factor = f.names[i], st.RealTimeFactor
		}
		if state, reason := m.sim.Condition(); state == sim.Fault {
			faults = append(faults, f.names[i]+": "+reason)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "t %.1f s  %d robots:", t, len(f.members))
	sep := " "
	for _, state := range []sim.OperatingState{sim.Enabled, sim.Paused, sim.Disabled, sim.Fault} {
		if n := counts[state]; n > 0 {
			fmt.Fprintf(&b, "%s%d %v", sep, n, state)
			sep = ", "
		}
	}
	if gone > 0 {
		fmt.Fprintf(&b, "%s%d ended", sep, gone)
	}
	if slowest != "" {
		fmt.Fprintf(&b, "  least rtf %s (%s)", ros.RealTimeFactor(factor), slowest)
	}
	fmt.Fprintf(&b, "  longest step %.0f us p99  overruns %d", p99*1e6, overruns)
	if len(faults) > 0 {
		fmt.Fprintf(&b, "  %s; call ~enable to continue", abbreviate(faults))
	}
	return b.String()
}

// last prints the final status with the sums of the run.
func (s *fleetStatus) last() {
	if s.terminal {
		fmt.Fprintln(s.fleet.env.Stdout)
	}
	steps, overruns, skipped, least, most := uint64(0), uint64(0), uint64(0), math.Inf(1), 0.0
	for _, m := range s.fleet.members {
		st := m.sim.Stats()
		steps, overruns, skipped = steps+st.Steps, overruns+st.Overruns, skipped+st.Skipped
		least, most = min(least, st.SimTime), max(most, st.SimTime)
		if age := m.sim.PeriodAge(); age >= stepGrace {
			fmt.Fprintf(s.fleet.env.Stdout, "left in the middle of a control period of %s that had taken %.1f s\n", m.names.Node(), age.Seconds())
		}
	}
	fmt.Fprintf(s.fleet.env.Stdout, "%d robots: %d steps, %.3f to %.3f s simulated, %d overruns, %d periods skipped\n",
		len(s.fleet.members), steps, least, most, overruns, skipped)
}
