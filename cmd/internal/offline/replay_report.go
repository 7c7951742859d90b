package offline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sinew/pkg/sim"
)

// time is the simulated time, s.
func (r *replayer) time() float64 { return float64(r.periods) / r.made.Timing.ControlHz }

// report says what was replayed, which commands did not pass as they were, and which
// stopped coming.
func (r *replayer) report() {
	fmt.Fprintf(r.env.Stderr, "%s: replayed %.3f s: %s\n", r.env.Robot.Name, r.time(), r.transport.playedTopics(nil))
	r.sayDropped()
	for _, text := range r.transport.history.unfollowed() {
		fmt.Fprintf(r.env.Stderr, "%s: warning: in %s %s\n", r.env.Robot.Name, r.cmd.Recording, text)
	}
	for _, g := range r.sim.Stats().Groups {
		printTrips(r.env, r.sim.Ports(), g.Name, r.made.Timing.CommandTimeoutS, int(g.Trips))
	}
}

// playedTopics lists the recorded topics that were played, all or some, with their numbers of messages and their names in the
// node.
func (p *recordedTransport) playedTopics(some map[string]bool) string {
	var played []string
	for _, name := range slices.Sorted(maps.Keys(p.played)) {
		if some != nil && !some[name] {
			continue
		}
		text := fmt.Sprintf("%s %d", name, p.played[name])
		if original := p.originals[name]; original != "" {
			text += " (remapped from " + original + ")"
		}
		played = append(played, text)
	}
	return strings.Join(played, ", ")
}

// verdicts lists how many commands there were of each verdict but Accepted.
func verdicts(stats *sim.Stats) (list []string) {
	for v, n := range stats.Commands {
		if v := sim.CommandStatus(v); n > 0 && v != sim.Accepted {
			list = append(list, fmt.Sprintf("%d commands: %v", n, v))
		}
	}
	return list
}

// refused is the error of a replay in which no command acted.
func (r *replayer) refused() error {
	stats := r.sim.Stats()
	if stats.Commands[sim.Accepted]+stats.Commands[sim.Clamped] > 0 {
		return nil
	}
	why := verdicts(&stats)
	if len(why) == 0 {
		return fmt.Errorf("no command of %s reached the robot within the %.3f s that were replayed", r.cmd.Recording, r.time())
	}
	return fmt.Errorf("every command of %s was refused by %s, which ran without commands: %s", r.cmd.Recording, r.robot(), strings.Join(why, ", "))
}

// robot calls the robot by whether anybody chose it.
func (r *replayer) robot() string {
	if r.builtin {
		return "the built-in robot"
	}
	return "this robot"
}
