package identify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/trajectory"
)

// ConflictError is the error of two parameters that decide about one number.
type ConflictError struct{ First, Second, Path string }

// Error implements error.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s and %s both decide about %s", e.First, e.Second, e.Path)
}

// refuseTwice refuses parameters that decide about the same number.
func refuseTwice(frees []Free) error {
	type claim struct{ path, by string }
	var claims []claim
	for _, f := range frees {
		before := len(claims)
		for _, path := range f.Paths() {
			mine := claim{path, f.Parameters[0].Name}
			for _, c := range claims[:before] {
				if mine.path == c.path || strings.HasPrefix(mine.path, c.path+"[") || strings.HasPrefix(c.path, mine.path+"[") {
					return &ConflictError{c.by, mine.by, mine.path}
				}
			}
			claims = append(claims, mine)
		}
	}
	return nil
}

// Sets reports whether a value (YAML) laid over a robot file at name sets the number
// with a path, or one of the list there.
func Sets(name, value, path string, numbers []robotfile.Number) bool {
	want := dotted(name)
	for i := range numbers {
		if !under(dotted(numbers[i].Path), dotted(path)) {
			continue
		}
		for _, full := range []string{dotted(numbers[i].Path), dotted(numbers[i].Named)} {
			rest, below := strings.CutPrefix(full, want+".")
			if under(full, want) || strings.HasPrefix(want, full+".") || below && strings.Contains(value, lastPart(withoutIndex(numbers[i].Key))) && rest != "" {
				return true
			}
		}
	}
	return false
}

// CommandedBy names the column that in every trial decides from the beginning about what the
// number with a path would, so that the number has no effect, else it is empty: a command about
// the state in which an actuator begins, the measured angle of a shaft about all that is between
// that and the command.
func CommandedBy(path string, numbers []robotfile.Number, ports []sim.Port, trials []*Trial) string {
	columns := trajectory.NewTargets(ports)
	for i := range numbers {
		if numbers[i].Path != path {
			continue
		}
		actuator, key := cutLast(numbers[i].Named)
		for _, unit := range decidedBy[key] {
			column := lastPart(actuator) + unit
			target, ok := columns.Of(column)
			if !ok || !everyTrial(trials, target, &ports[target.Port]) {
				continue
			}
			command, ok := columns.Of(lastPart(actuator) + ":rad")
			if unit != shaftColumn || key == "angle_rad" || !ok || !anyRow(trials, command) {
				return column
			}
		}
	}
	return ""
}

// anyRow reports whether some row commands a value.
func anyRow(trials []*Trial, target trajectory.Target) bool {
	given := func(r trajectory.Row) bool {
		v := r[target.Port]
		return v != nil && !sim.IsKeep(v[target.Value])
	}
	for _, tr := range trials {
		if slices.ContainsFunc(tr.rows, func(r trialRow) bool { return given(r.commands) }) || slices.ContainsFunc(tr.commands.Rows, given) {
			return true
		}
	}
	return false
}

// decidedBy lists, for keys of a robot file, what is behind the name of the actuator in the
// columns that decide about it instead.
var decidedBy = map[string][]string{
	"tension_n":             {"", ":m", ":rad"},
	"pull_m":                {"", ":m", ":rad"},
	"angle_rad":             {":rad", shaftColumn},
	"dead_time_s":           {shaftColumn},
	"lag_s":                 {shaftColumn},
	"gain":                  {shaftColumn},
	"compliance_rad_per_nm": {shaftColumn},
}

const shaftColumn = ":shaft_rad"

func cutLast(path string) (before, last string) {
	last = lastPart(path)
	return strings.TrimSuffix(path, "."+last), last
}

// everyTrial reports whether all trials command a value from the beginning, and that
// takes effect at once.
func everyTrial(trials []*Trial, target trajectory.Target, p *sim.Port) bool {
	slewed := p.MaxRate != nil && p.MaxRate[target.Value] > 0 && !math.IsInf(p.MaxRate[target.Value], 1)
	for _, tr := range trials {
		var first trajectory.Row
		switch {
		case tr.Static:
			first = tr.rows[0].commands
		case slewed || len(tr.commands.Rows) == 0 || tr.commands.T[0] > trajectory.TimeTolerance:
			return false
		default:
			first = tr.commands.Rows[0]
		}
		if v := first[target.Port]; v == nil || sim.IsKeep(v[target.Value]) {
			return false
		}
	}
	return len(trials) > 0
}
