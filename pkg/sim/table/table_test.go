package table_test

import (
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/table"
)

// readAll reads the column i of all rows with one of the two ways to read a cell.
func readAll(text string, i int, cell func(table.Row, int) (float64, error)) (all []float64, err error) {
	r, err := table.NewReader("f.csv", strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		v, err := cell(row, i)
		if err != nil {
			return all, err
		}
		all = append(all, v)
	}
}

func TestCells(t *testing.T) {
	const text = "\ufeff# a note\n t , x \n0,1\n# another\n 1 , 2.5 \n"
	all, err := readAll(text, 1, table.Row.Finite)
	if err != nil || len(all) != 2 || all[0] != 1 || all[1] != 2.5 {
		t.Errorf("read %v, %v", all, err)
	}
	all, err = readAll("t,x\n0,NaN\n1,-Inf\n2,1e999\n", 1, table.Row.Number)
	if err != nil || len(all) != 3 || !math.IsNaN(all[0]) || !math.IsInf(all[1], -1) || !math.IsInf(all[2], 1) {
		t.Errorf("read %v, %v", all, err)
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		text, want string
		cell       func(table.Row, int) (float64, error)
	}{
		{"", "f.csv: no header: EOF", table.Row.Finite},
		{"t,x\n0,1\n0,NaN\n", `f.csv:3: x = "NaN" is not a finite number`, table.Row.Finite},
		{"t,x\n0,-Inf\n", `f.csv:2: x = "-Inf" is not a finite number`, table.Row.Finite},
		{"t,x\n\n# note\n0,1e999 \n", `f.csv:4: x = "1e999" is not a finite number`, table.Row.Finite},
		{"t, x \n0,one\n", `f.csv:2: x = "one" is not a number`, table.Row.Number},
		{"t,x\n0,\n", `f.csv:2: x = "" is not a number`, table.Row.Number},
		{"t,x\n0\n", "f.csv: record on line 2: wrong number of fields", table.Row.Number},
	} {
		if _, err := readAll(c.text, 1, c.cell); err == nil || err.Error() != c.want {
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
		}
	}
}

func TestHeader(t *testing.T) {
	r, err := table.NewReader("f.csv", strings.NewReader("t, \"a, b\",c\n0, \"1\",2\n"))
	if err != nil {
		t.Fatal(err)
	}
	if h := r.Header(); len(h) != 3 || h[1] != "a, b" {
		t.Errorf("header %q", h)
	}
	if row, err := r.Next(); err != nil || row.Text(1) != "1" { // blanks before a quote are left out, too
		t.Errorf("%q, %v", row.Text(1), err)
	}
	cause := errors.New("not a number")
	if err := r.HeaderError("column %d: %w", 2, cause); !errors.Is(err, cause) || err.Error() != "f.csv:1: column 2: not a number" {
		t.Errorf("error %v", err)
	}
}

// Of a file of several things the rows of one are read, wherever its column is; a number
// that is none, or that nothing has, is a mistake.
func TestChoose(t *testing.T) {
	for _, c := range []struct {
		text   string
		number int
		want   []float64
		count  int
		err    string
	}{
		{"t,robot\n1,0\n2,1\n3,0\n4,1\n", 1, []float64{2, 4}, 2, "EOF"},
		{"robot,t\n1,5\n0,6\n", 0, []float64{0}, 2, "EOF"},
		{"t\n1\n2\n", 3, []float64{1, 2}, 0, "EOF"},
		{"t,robot\n", 3, nil, 0, "EOF"},
		{"t,robot\n1,0\n2,1\n", 2, nil, 2, "f.csv: no rows of robot 2; the numbers go up to 1"},
		{"t,robot\n1,0\n2,-1\n", 0, []float64{1}, 1, "f.csv:3: robot = -1 is no number of a robot; want 0, 1, 2, …"},
		{"t,robot\n1,NaN\n", 0, nil, 0, `f.csv:2: robot = "NaN" is not a finite number`},
		{"t,robot\n1,1e10\n", 0, nil, 0, "f.csv:2: robot = 1e10 is no number of a robot; want 0, 1, 2, …"},
	} {
		r, err := table.NewReader("f.csv", strings.NewReader(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if has := r.Choose("robot", c.number); has != strings.Contains(c.text, "robot") {
			t.Errorf("%q: has the column: %t", c.text, has)
		}
		var got []float64
		for {
			var row table.Row
			if row, err = r.Next(); err != nil {
				break
			}
			v, _ := row.Number(0)
			got = append(got, v)
		}
		if !slices.Equal(got, c.want) || r.Numbered() != c.count || err.Error() != c.err {
			t.Errorf("%q: rows of %v, %d things, %v; want %v, %d, %s", c.text, got, r.Numbered(), err, c.want, c.count, c.err)
		}
	}
}
