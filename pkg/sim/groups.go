package sim

import (
	"errors"
	"fmt"
	"slices"
)

// group is a set of In ports that drive the same actuators.
type group struct {
	name  string
	ports []int // indices; the first is the home port, to whose Safe values the group is released
	width int   // number of values of the widest port
	// byValue reports that every port has one value per actuator, under the same
	// labels, so that every actuator obeys the port that commanded it last. In
	// other groups one port decides about all values.
	byValue bool
	// measures reports that what the ports take are measurements, which no watchdog watches.
	measures bool
}

// home returns the index of the home port.
func (g *group) home() int { return g.ports[0] }

// groupsOf lists the groups of In ports in the order of their first port, and
// the group of each port (-1 for Out ports). A port without a Group is one of
// its own, under the port's name.
func groupsOf(ports []Port) (groups []group, of []int) {
	of = make([]int, len(ports))
	index := make(map[string]int)
	for i := range ports {
		p := &ports[i]
		of[i] = -1
		if p.Direction != In {
			continue
		}
		name := p.Group
		if name == "" {
			name = p.Name
		}
		g, known := index[name]
		if !known {
			g = len(groups)
			index[name] = g
			groups = append(groups, group{name: name, byValue: true})
		}
		of[i] = g
		m := &groups[g]
		m.ports = append(m.ports, i)
		m.width = max(m.width, p.Width())
		m.measures = p.Measured && p.Samples > 0
		m.byValue = m.byValue && p.Width() == len(p.Labels) && slices.Equal(p.Labels, ports[m.home()].Labels)
	}
	return groups, of
}

// TimeoutEffect describes for people what a time-out of commands does to a group of In ports.
func TimeoutEffect(ports []Port, group string) string {
	groups, _ := groupsOf(ports)
	for i := range groups {
		if groups[i].name == group && !slices.ContainsFunc(NewLimits(&ports[groups[i].home()]).safe, isValue) {
			return "a pose completes the last command, joints and insertion stop"
		}
	}
	return "its safe values are applied"
}

func isValue(x float64) bool { return !IsKeep(x) }

// checkPorts returns everything that is wrong with the ports of a model.
func checkPorts(ports []Port) error {
	var errs []error
	seen := make(map[string]bool)
	for i := range ports {
		p := &ports[i]
		if err := p.check(); err != nil {
			errs = append(errs, fmt.Errorf("port %d %q: %w", i, p.Name, err))
		}
		if seen[p.Name] {
			errs = append(errs, fmt.Errorf("port %d %q: the name is taken", i, p.Name))
		}
		seen[p.Name] = true
	}
	return errors.Join(errs...)
}

// check returns the first thing that is wrong with p.
func (p *Port) check() error {
	n := p.Width()
	switch {
	case p.Name == "":
		return errors.New("no name")
	case n == 0:
		return errors.New("no values")
	case p.Direction != In && p.Direction != Out:
		return errors.New("neither In nor Out")
	case p.Direction == Out:
		return nil
	}
	for _, bound := range []struct {
		name   string
		values []float64
	}{{"Min", p.Min}, {"Max", p.Max}, {"MaxRate", p.MaxRate}, {"Safe", p.Safe}} {
		if bound.values != nil && len(bound.values) != n {
			return fmt.Errorf("%s has %d values, the port %d", bound.name, len(bound.values), n)
		}
	}
	return NewLimits(p).check()
}
