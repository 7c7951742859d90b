package table

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// choice is the one of several things numbered from 0, such as robots, whose rows are read.
type choice struct {
	column int // −1: the file is of one thing
	number int
	found  bool // a row of it
	count  int  // one more than the largest number there is
}

// Choose lets Next pass over all rows but those that have a number in a column, in which
// things are numbered from 0. It reports whether there is such a column. A file without a
// row of that number is an error of Next at its end.
func (r *Reader) Choose(column string, number int) bool {
	r.chosen = choice{column: slices.Index(r.header, column), number: number}
	return r.chosen.column >= 0
}

// Numbered returns how many things are numbered up to the last row that was read: one more
// than the largest number, and 0 without Choose or its column.
func (r *Reader) Numbered() int { return r.chosen.count }

// takes reports whether a row is of the thing that is chosen.
func (c *choice) takes(row Row) (bool, error) {
	if c.column < 0 {
		return true, nil
	}
	v, err := row.Finite(c.column)
	if err != nil {
		return false, err
	}
	if !(v >= 0 && v <= math.MaxInt32 && v == math.Trunc(v)) {
		return false, row.Errorf("%s = %s is no number of a %[1]s; want 0, 1, 2, …", row.reader.header[c.column], row.Text(c.column))
	}
	n := int(v)
	c.count = max(c.count, n+1)
	c.found = c.found || n == c.number
	return n == c.number, nil
}

// end returns what Next does at the end of the file.
func (c *choice) end(r *Reader) error {
	if c.column < 0 || c.found || c.count == 0 {
		return io.EOF
	}
	name := r.header[c.column]
	return fmt.Errorf("%s: no rows of %s %d; the numbers go up to %d", r.file, name, c.number, c.count-1)
}
