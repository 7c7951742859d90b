package series

import (
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/table"
)

// columns are the columns of a CSV of numbers.
type columns struct {
	*table.Reader
	names  []string // names of the columns that have not been taken
	values map[string][]float64
	lines  []int // in the file, of each row
	rows   int
	chosen bool // the rows are of one robot of several
}

// readColumns reads a CSV; NaN and Inf are numbers, empty cells are not. Of a file with
// the column numbered, empty for none, it reads the rows with that robot, without the column.
func readColumns(file, numbered string, robot int) (*columns, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := table.NewReader(file, f)
	if err != nil {
		return nil, err
	}
	c := &columns{Reader: r, values: map[string][]float64{}}
	c.chosen = numbered != "" && r.Choose(numbered, robot)
	seen := map[string]bool{}
	for _, name := range r.Header() {
		if seen[name] {
			return nil, r.HeaderError("column %q appears twice", name)
		}
		seen[name] = true
		if name != numbered {
			c.names = append(c.names, name)
		}
	}
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err != nil {
			return nil, err
		}
		ignored := !isUsed(row, slices.Index(r.Header(), okColumn))
		for i, name := range r.Header() {
			v, err := row.Number(i)
			if err != nil && (!ignored || row.Text(i) != "") {
				return nil, err
			}
			if err != nil {
				v = math.NaN()
			}
			c.values[name] = append(c.values[name], v)
		}
		c.lines = append(c.lines, row.Line())
		c.rows++
	}
}

// isUsed reports whether the column ok, at a place or -1 where there is none, lets a row be used: what was not measured in
// others may be left empty.
func isUsed(row table.Row, ok int) bool {
	if ok < 0 {
		return true
	}
	v, err := row.Number(ok)
	return err != nil || v != 0
}

// units are the suffixes of names of columns, with what makes SI of their values.
var units = []struct {
	suffix string
	factor float64
}{{"", 1}, {"_m", 1}, {"_s", 1}, {"_mm", 1e-3}, {"_ms", 1e-3}}

// find returns the place of the first of the names, with any suffix of a unit, and the factor of the unit; -1 if there
// is none.
func (c *columns) find(names ...string) (place int, factor float64) {
	for _, name := range names {
		for _, u := range units {
			if i := slices.Index(c.names, name+u.suffix); i >= 0 {
				return i, u.factor
			}
		}
	}
	return -1, 0
}

// has reports whether a column with one of the names is there.
func (c *columns) has(names ...string) bool {
	i, _ := c.find(names...)
	return i >= 0
}

// take returns the column under one of its names and takes it out; a name with the
// suffix of a unit is converted to SI. It returns nil if there is none.
func (c *columns) take(names ...string) []float64 {
	i, factor := c.find(names...)
	if i < 0 {
		return nil
	}
	values := c.values[c.names[i]]
	c.names = slices.Delete(c.names, i, i+1)
	if values == nil { // a column without rows
		values = []float64{}
	}
	for k := range values {
		values[k] *= factor
	}
	return values
}

// markers takes the columns of points that have names: <name>_x, <name>_y and <name>_z, in m or mm.
func (c *columns) markers(seconds []float64) (list []markerRows) {
	for _, name := range slices.Clone(c.names) {
		base := ""
		for _, u := range units {
			if b, ok := strings.CutSuffix(name, "_x"+u.suffix); ok {
				base = b
			}
		}
		if base == "" || base == "tip" || !c.has(base+"_y") || !c.has(base+"_z") {
			continue
		}
		x, y, z := c.take(base+"_x"), c.take(base+"_y"), c.take(base+"_z")
		m := markerRows{name: base, seconds: seconds}
		for i := range x {
			m.points = append(m.points, spatial.Vec{X: x[i], Y: y[i], Z: z[i]})
		}
		list = append(list, m)
	}
	return list
}

// keep drops the rows in which the column is 0, and the column. It returns how many there were.
func (c *columns) keep(column string) (dropped int) {
	i := slices.Index(c.names, column)
	if i < 0 {
		return 0
	}
	c.names = slices.Delete(c.names, i, i+1)
	flags := c.values[column]
	delete(c.values, column)
	rows := 0
	for k, ok := range flags {
		if ok == 0 {
			continue
		}
		for _, v := range c.values {
			v[rows] = v[k]
		}
		c.lines[rows] = c.lines[k]
		rows++
	}
	for name, v := range c.values {
		c.values[name] = v[:rows]
	}
	dropped, c.lines, c.rows = c.rows-rows, c.lines[:rows], rows
	return dropped
}

// finite returns the rows of the columns of names, nil unless all are there and
// finite.
func (c *columns) finite(names []string, suffix string) [][]float64 {
	rows := make([][]float64, c.rows)
	for i := range rows {
		rows[i] = make([]float64, len(names))
		for k, name := range names {
			values := c.values[name+suffix]
			if len(values) <= i || math.IsNaN(values[i]) || math.IsInf(values[i], 0) {
				return nil
			}
			rows[i][k] = values[i]
		}
	}
	return rows
}
