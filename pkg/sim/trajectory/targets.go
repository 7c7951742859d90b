package trajectory

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sinew/pkg/sim"
)

// Target is the value of an In port that a column commands.
type Target struct{ Port, Value int }

// Targets are the values of the In ports of a model by the columns of a CSV that command them: a
// tendon's name for its tension, with ":m" for its pull, that of a motor joint with ":rad" for
// its angle and with ":shaft_rad" for the measured one of its shaft, the insertion of the base,
// the components of fields, of the flow around a body and of wrenches on links.
type Targets struct {
	ports   []sim.Port
	targets map[string]Target
}

// NewTargets returns the targets of the In ports among ports.
func NewTargets(ports []sim.Port) Targets {
	c := Targets{ports, map[string]Target{}}
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

// Of returns what a column commands.
func (c Targets) Of(column string) (t Target, ok bool) {
	t, ok = c.targets[column]
	return t, ok
}

// Name is the column that commands a value, the opposite of Of; empty where there is none.
func (c Targets) Name(t Target) string {
	for name, of := range c.targets {
		if of == t {
			return name
		}
	}
	return ""
}

// vectors reports whether commands are the components of vectors.
func (c Targets) vectors() bool {
	return slices.ContainsFunc(c.ports, func(p sim.Port) bool {
		return p.Direction == sim.In && (p.Kind == sim.FieldGradient || p.Kind == sim.Twist)
	})
}

// Names lists all columns in the order of the alphabet.
func (c Targets) Names() []string { return slices.Sorted(maps.Keys(c.targets)) }

// Claims finds columns that command one actuator twice, by the same or different
// quantities.
type Claims map[string]string

// Claim says that a column commands an actuator.
func (c Targets) Claim(claims Claims, column string, t Target) error {
	actuator := fmt.Sprint(c.ports[t.Port].Group, t.Value)
	if other, taken := claims[actuator]; taken {
		return fmt.Errorf("columns %q and %q command the same actuator", other, column)
	}
	claims[actuator] = column
	return nil
}

func columnNames(p *sim.Port) []string {
	switch p.Kind {
	case sim.Tension, sim.Currents:
		return p.Labels
	case sim.JointState:
		return jointColumns(p)
	case sim.TendonLength:
		names := slices.Clone(p.Labels)
		for i := range names {
			names[i] += ":m"
		}
		return names
	case sim.FieldGradient:
		return []string{"bx", "by", "bz", "gxx", "gxy", "gxz", "gyy", "gyz"}
	case sim.Wrench: // on a link of a mechanism, in world axes
		link, ok := strings.CutSuffix(p.Name, "/external_wrench")
		if !ok {
			return nil
		}
		names := []string{"fx", "fy", "fz", "mx", "my", "mz"}
		for i := range names {
			names[i] = link + "." + names[i]
		}
		return names
	case sim.Twist:
		names := []string{"vx", "vy", "vz", "wx", "wy", "wz"}
		for i := range names {
			names[i] = p.Name + "_" + names[i]
		}
		return names
	}
	return nil
}

// JointColumns are the columns of the motor joints of a robot with these ports, none where it
// has no such joints.
func JointColumns(ports []sim.Port) []string {
	for i := range ports {
		if p := &ports[i]; p.IsMotors() {
			return jointColumns(p)
		}
	}
	return nil
}

// jointColumns are the names of joints, with their unit where all have that of an angle: of
// servo_jp name:rad, of another port such as shaft_jp name:shaft_rad; and with that of each, name:rad or name:m, where units differ.
func jointColumns(p *sim.Port) (names []string) {
	const angle = "rad"
	if p.Units != nil {
		for i, label := range p.Labels {
			names = append(names, label+":"+p.Units[i])
		}
		return names
	}
	if p.Unit != angle {
		return p.Labels
	}
	suffix := ":" + angle
	if what := strings.TrimSuffix(p.Name, "_jp"); what != "servo" {
		suffix = ":" + what + "_" + angle
	}
	for _, label := range p.Labels {
		names = append(names, label+suffix)
	}
	return names
}
