package offline

import (
	"fmt"
	"math"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
)

// watchdogFlag is the flag --watchdog of verbs without a clock.
type watchdogFlag struct {
	Watchdog *bool `help:"Apply command_timeout_s as run does; --no-watchdog holds commands." detail:"By default sim holds commands and replay does what the recorded program did." negatable:""`
}

// on reports whether commands time out; usual is the default without the flag.
func (f *watchdogFlag) on(usual bool) bool {
	if f.Watchdog != nil {
		return *f.Watchdog
	}
	return usual
}

// print prints on Stderr whether commands time out.
func (f *watchdogFlag) print(e *cli.Env, t program.Timing, on bool) {
	rule := "are held until the next, however late it comes"
	switch {
	case !t.ExpiresCommands():
		rule += " (command_timeout_s: .inf)"
	case on:
		rule = fmt.Sprintf("that are not repeated within %g s expire (watchdog, command_timeout_s); --no-watchdog holds them", t.CommandTimeoutS)
	default:
		rule += fmt.Sprintf(" (no watchdog); with --watchdog they expire after %g s, as in run", t.CommandTimeoutS)
	}
	fmt.Fprintf(e.Stderr, "%s: commands %s\n", e.Robot.Name, rule)
}

// timeouts is the watchdog of a simulation whose commands come from a table: it sets the ports of a
// group to their safe values when no row has commanded it for the timeout. A row is in force for as
// many control periods as in run.
type timeouts struct {
	after  float64 // s
	acts   float64 // how long a row is in force: after, up to the end of the period, s
	ports  []sim.Port
	groups []timeout
	of     []int // group of each In port
}

// timeout is the timeout of one group.
type timeout struct {
	name  string
	due   float64 // time at which the commands are too old; +Inf before the first
	trips int
}

func newTimeouts(in *sim.Inputs, ports []sim.Port, t program.Timing) *timeouts {
	const roundOff = 1e-9
	w := &timeouts{after: t.CommandTimeoutS, ports: ports, of: make([]int, len(ports))}
	w.acts = (math.Floor(w.after*t.ControlHz*(1+roundOff)) + 1) / t.ControlHz
	index := map[string]int{}
	for i := range ports {
		if ports[i].Direction != sim.In {
			continue
		}
		name := in.Group(i)
		g, known := index[name]
		if !known {
			g = len(w.groups)
			index[name] = g
			w.groups = append(w.groups, timeout{name: name, due: math.Inf(1)})
		}
		w.of[i] = g
	}
	return w
}

// feed registers a command to a port at time t (s).
func (w *timeouts) feed(t float64, port int) { w.groups[w.of[port]].due = t + w.acts }

// release sets the groups that have timed out to their safe values, at the start of a step at t
// (s).
func (w *timeouts) release(t float64, in *sim.Inputs) {
	const early = 1e-9 // s, as for rows of commands
	for i := range w.groups {
		if g := &w.groups[i]; t >= g.due-early {
			in.Release(g.name)
			g.trips++
			g.due = math.Inf(1)
		}
	}
}

// report prints how often commands timed out.
func (w *timeouts) report(e *cli.Env) {
	for i := range w.groups {
		printTrips(e, w.ports, w.groups[i].name, w.after, w.groups[i].trips)
	}
}

// printTrips prints how often the commands of a group timed out.
func printTrips(e *cli.Env, ports []sim.Port, group string, after float64, trips int) {
	if trips > 0 {
		fmt.Fprintf(e.Stderr, "%s: no command to %s for %g s (command_timeout_s): %s; %d times\n", e.Robot.Name, group, after, sim.TimeoutEffect(ports, group), trips)
	}
}
