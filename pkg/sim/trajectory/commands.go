package trajectory

import (
	"fmt"
	"maps"
	"slices"

	"sinew/pkg/sim"
)

// TimeTolerance is how much before its time a row may act, so that times printed in
// decimal meet steps summed in binary (s).
const TimeTolerance = 1e-9

// MaxCommandDelay is how long after the end of a motion the next command may come where the motion is only shorter than its
// commands; later commands are probably on another clock (s).
const MaxCommandDelay = 5

// Commands are commands over time: a row acts from the first step that starts
// at or after its time and holds until the next.
type Commands struct {
	T    []float64 // s, ascending
	Rows []Row

	// File and Lines, the line of each row, are where the commands were read, and
	// empty of others.
	File  string
	Lines []int
}

// Row holds, by the index of the In port, the values that are commanded at once;
// sim.Keep leaves a value as it is.
type Row map[int][]float64

// Set commands one value of a port, of a wrench in the first of its frames.
func (r Row) Set(t Target, ports []sim.Port, v float64) {
	if r[t.Port] == nil {
		p := &ports[t.Port]
		values := slices.Repeat([]float64{sim.Keep}, p.Width())
		if p.Kind == sim.Wrench && len(p.Frames) > 1 {
			values[len(values)-1] = 0
		}
		r[t.Port] = values
	}
	r[t.Port][t.Value] = v
}

// Ports lists the ports that the row commands, in order.
func (r Row) Ports() []int { return slices.Sorted(maps.Keys(r)) }

// Add appends a row that acts at t (s), which must not be before the last one.
func (t *Commands) Add(at float64, row Row) {
	t.T = append(t.T, at)
	t.Rows = append(t.Rows, row)
}

// Shift makes all rows act earlier by a time in s.
func (t *Commands) Shift(by float64) {
	for i := range t.T {
		t.T[i] -= by
	}
}

// Play returns a cursor at the first row.
func (t *Commands) Play() *Cursor { return &Cursor{table: t} }

// Cursor is how far commands have been given to a model. Several may go through the
// same commands at once.
type Cursor struct {
	table *Commands
	next  int

	// Observe, if not nil, is called with what is commanded, before it takes effect.
	Observe func(t float64, port int, v []float64)
	// Through, if not nil, gives the commands to the model instead of in.Set.
	Through func(in *sim.Inputs, port int, v []float64)
}

// Place is the file and line of the row in force, as "pulls.csv:12"; empty before the
// first row, and where the commands were read from no file.
func (c *Cursor) Place() string {
	if row := c.next - 1; row >= 0 && row < len(c.table.Lines) {
		return fmt.Sprintf("%s:%d", c.table.File, c.table.Lines[row])
	}
	return ""
}

// Acting is the file and line of the row that Observe is called for, empty where the commands were read from no file.
func (c *Cursor) Acting() string {
	if c.next < len(c.table.Lines) {
		return fmt.Sprintf("%s:%d", c.table.File, c.table.Lines[c.next])
	}
	return ""
}

// Waiting is how many rows of how many have not acted, and when the next of them would, s.
func (c *Cursor) Waiting() (rows, of int, next float64) {
	of = len(c.table.T)
	if c.next < of {
		next = c.table.T[c.next]
	}
	return of - c.next, of, next
}

// Apply commands all rows whose time has come at the start of a step at t (s).
func (c *Cursor) Apply(t float64, in *sim.Inputs) {
	for ; c.next < len(c.table.T) && c.table.T[c.next] <= t+TimeTolerance; c.next++ {
		row := c.table.Rows[c.next]
		for _, port := range row.Ports() {
			if c.Observe != nil {
				c.Observe(t, port, row[port])
			}
			if c.Through != nil {
				c.Through(in, port, row[port])
				continue
			}
			in.Set(port, row[port])
		}
	}
}
