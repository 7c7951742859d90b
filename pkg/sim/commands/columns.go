package commands

import (
	"fmt"
	"maps"
	"slices"

	"sinew/pkg/sim"
)

// Target is the value of an In port that a column commands.
type Target struct{ Port, Value int }

// Columns are the columns of a CSV that command the In ports of a model: a
// tendon's name for its tension, with ":m" for its pull, a joint's for its position, and
// the components of fields.
type Columns struct {
	ports   []sim.Port
	targets map[string]Target
}

// NewColumns names the columns for the In ports among ports.
func NewColumns(ports []sim.Port) Columns {
	c := Columns{ports, map[string]Target{}}
	for i := range ports {
		if ports[i].Direction != sim.In {
			continue
		}
		for j, name := range columnNames(&ports[i]) {
			if _, taken := c.targets[name]; !taken { // a tendon may have the name of a joint of the base
				c.targets[name] = Target{i, j}
			}
		}
	}
	return c
}

// Target returns what a column commands.
func (c Columns) Target(column string) (t Target, ok bool) {
	t, ok = c.targets[column]
	return t, ok
}

// Names lists all columns in the order of the alphabet.
func (c Columns) Names() []string { return slices.Sorted(maps.Keys(c.targets)) }

// Claims finds columns that command one actuator twice, by the same or different
// quantities.
type Claims map[string]string

// Claim says that a column commands an actuator.
func (c Columns) Claim(claims Claims, column string, t Target) error {
	actuator := fmt.Sprint(c.ports[t.Port].Group, t.Value)
	if other, taken := claims[actuator]; taken {
		return fmt.Errorf("columns %q and %q command the same actuator", other, column)
	}
	claims[actuator] = column
	return nil
}

func columnNames(p *sim.Port) []string {
	switch p.Kind {
	case sim.Tension, sim.Currents, sim.JointState:
		return p.Labels
	case sim.TendonLength:
		names := slices.Clone(p.Labels)
		for i := range names {
			names[i] += ":m"
		}
		return names
	case sim.FieldGradient:
		return []string{"bx", "by", "bz", "gxx", "gxy", "gxz", "gyy", "gyz"}
	}
	return nil
}
