package trajectory

import (
	"errors"
	"io"
	"strings"

	"sinew/pkg/sim"
	"sinew/pkg/sim/table"
)

// ReadCommands parses a CSV with the header t,<column>,… of [Targets]; file is its name in
// errors.
func ReadCommands(file string, in io.Reader, ports []sim.Port) (*Commands, error) {
	r, err := table.NewReader(file, in)
	if err != nil {
		return nil, err
	}
	targets, err := columnTargets(r, ports)
	if err != nil {
		return nil, err
	}
	t := &Commands{File: file}
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return nil, err
		}
		if err := t.read(row, r.Header(), targets, ports); err != nil {
			return nil, err
		}
	}
}

// columnTargets finds what each column after the first commands; an actuator may
// be commanded by one column only.
func columnTargets(r *table.Reader, ports []sim.Port) (targets []Target, err error) {
	header := r.Header()
	if header[0] != "t" {
		return nil, r.HeaderError("the first column is %q; it must be t, the time in s", header[0])
	}
	all, claims := NewTargets(ports), Claims{}
	for _, name := range header[1:] {
		t, ok := all.Of(name)
		if !ok {
			return nil, r.HeaderError("unknown column %q; this robot takes %s", name, strings.Join(all.Names(), ", "))
		}
		if err := all.Claim(claims, name, t); err != nil {
			return nil, r.HeaderError("%w", err)
		}
		targets = append(targets, t)
	}
	return targets, nil
}

// read appends one row.
func (t *Commands) read(row table.Row, header []string, targets []Target, ports []sim.Port) error {
	at, err := row.Finite(0)
	if err != nil {
		return err
	}
	if n := len(t.T); n > 0 && at < t.T[n-1] {
		return row.Errorf("t = %g s goes back; the row before has %g s", at, t.T[n-1])
	}
	command := Row{}
	for i, target := range targets {
		v, err := row.Finite(i + 1)
		if err != nil {
			return err
		}
		p, k := &ports[target.Port], target.Value
		if least, most := p.Accepted(k); v < least || v > most {
			return row.Errorf("%s = %s %s is out of range, allowed: [%.4g, %.4g]; %s", header[i+1], row.Text(i+1), p.Unit, least, most, p.Hint)
		}
		command.Set(target, ports, v)
	}
	t.Add(at, command)
	t.Lines = append(t.Lines, row.Line())
	return nil
}
