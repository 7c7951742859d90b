package sim

import (
	"errors"
	"fmt"
)

// group is a set of In ports that drive the same actuators.
type group struct {
	name string
	// home is the first port of the group, to whose Safe values it is released.
	home int
	// width is that of the widest port.
	width int
}

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
			groups = append(groups, group{name: name, home: i})
		}
		groups[g].width = max(groups[g].width, p.Width())
		of[i] = g
	}
	return groups, of
}

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
