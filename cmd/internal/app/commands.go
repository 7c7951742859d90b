package app

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"sinew/pkg/sim"
)

// commands is a table of commands in time, read from a CSV file: a row acts
// from the first step that starts at or after its time and holds until the next.
type commands struct {
	times   []float64 // s, ascending
	targets []portRow // for each row, the values of each commanded port
	next    int

	// tell, if not nil, is told what is commanded, before it takes effect.
	tell func(t float64, port int, v []float64)
}

// portRow holds, by In port index, the values that one row commands.
type portRow map[int][]float64

// rowEarly is how much before its time a row may act, so that times printed in
// decimal meet steps summed in binary (s).
const rowEarly = 1e-9

// readCommands parses a table with the header t,<column>,… where a column is
// one of those of commandColumns.
func readCommands(file string, r io.Reader, ports []sim.Port) (*commands, error) {
	cr := csv.NewReader(r)
	cr.Comment = '#'
	cr.TrimLeadingSpace = true
	header, err := cr.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: no header: %w", file, err)
	}
	if strings.TrimSpace(header[0]) != "t" {
		return nil, fmt.Errorf("%s:1: the first column is %q; it must be t, the time in s", file, header[0])
	}
	targets, err := columnTargets(file, header[1:], ports)
	if err != nil {
		return nil, err
	}
	c := &commands{}
	for {
		fields, err := cr.Read()
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		line, _ := cr.FieldPos(0)
		if err := c.add(fmt.Sprintf("%s:%d", file, line), header, fields, targets, ports); err != nil {
			return nil, err
		}
	}
}

// add appends one row.
func (c *commands) add(where string, header, fields []string, targets []target, ports []sim.Port) error {
	row := portRow{}
	for i, f := range fields {
		v, err := strconv.ParseFloat(strings.TrimSpace(f), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s: %s = %q is not a finite number", where, header[i], f)
		}
		if i == 0 {
			if n := len(c.times); n > 0 && v < c.times[n-1] {
				return fmt.Errorf("%s: t = %g s goes back; the row before has %g s", where, v, c.times[n-1])
			}
			c.times = append(c.times, v)
			continue
		}
		t := targets[i-1]
		if p := &ports[t.port]; p.Strict && (p.Min != nil && v < p.Min[t.value] || p.Max != nil && v > p.Max[t.value]) {
			return fmt.Errorf("%s: %s = %s %s is out of range, allowed: [%g, %g]; %s", where, header[i], f, p.Unit, p.Min[t.value], p.Max[t.value], p.Hint)
		}
		if row[t.port] == nil {
			row[t.port] = slices.Repeat([]float64{sim.Keep}, ports[t.port].Width())
		}
		row[t.port][t.value] = v
	}
	c.targets = append(c.targets, row)
	return nil
}

// apply commands all rows whose time has come at the start of a step at t.
func (c *commands) apply(t float64, in *sim.Inputs) {
	for ; c.next < len(c.times) && c.times[c.next] <= t+rowEarly; c.next++ {
		row := c.targets[c.next]
		for _, port := range slices.Sorted(maps.Keys(row)) {
			if c.tell != nil {
				c.tell(t, port, row[port])
			}
			in.Set(port, row[port])
		}
	}
}

// target is the value of an In port that a column commands.
type target struct{ port, value int }

// columnTargets finds the target of each column; a tendon may be commanded by
// one column only.
func columnTargets(file string, header []string, ports []sim.Port) ([]target, error) {
	names := commandColumns(ports)
	var targets []target
	seen := map[string]string{}
	for _, h := range header {
		h = strings.TrimSpace(h)
		t, ok := names[h]
		if !ok {
			return nil, fmt.Errorf("%s:1: unknown column %q; this robot takes %s", file, h, strings.Join(sortedKeys(names), ", "))
		}
		actuator := fmt.Sprint(ports[t.port].Group, t.value)
		if other, twice := seen[actuator]; twice {
			return nil, fmt.Errorf("%s:1: columns %q and %q command the same actuator", file, other, h)
		}
		seen[actuator] = h
		targets = append(targets, t)
	}
	return targets, nil
}

// commandColumns names the columns that command the robot's In ports: a tendon's
// name for its tension, with ":m" for its pull, and the components of fields.
func commandColumns(ports []sim.Port) map[string]target {
	columns := map[string]target{}
	for i, p := range ports {
		if p.Direction != sim.In {
			continue
		}
		for j, name := range columnNames(&p) {
			columns[name] = target{i, j}
		}
	}
	return columns
}

func columnNames(p *sim.Port) []string {
	switch p.Kind {
	case sim.Tension, sim.Currents:
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

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
