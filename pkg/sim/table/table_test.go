package table

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

// readAll reads the column i of all rows with one of the two ways to read a cell.
func readAll(text string, i int, cell func(Row, int) (float64, error)) (all []float64, err error) {
	r, err := NewReader("f.csv", strings.NewReader(text))
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
	all, err := readAll(text, 1, Row.Finite)
	if err != nil || len(all) != 2 || all[0] != 1 || all[1] != 2.5 {
		t.Errorf("read %v, %v", all, err)
	}
	all, err = readAll("t,x\n0,NaN\n1,-Inf\n2,1e999\n", 1, Row.Number)
	if err != nil || len(all) != 3 || !math.IsNaN(all[0]) || !math.IsInf(all[1], -1) || !math.IsInf(all[2], 1) {
		t.Errorf("read %v, %v", all, err)
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		text, want string
		cell       func(Row, int) (float64, error)
	}{
		{"", "f.csv: no header: EOF", Row.Finite},
		{"t,x\n0,1\n0,NaN\n", `f.csv:3: x = "NaN" is not a finite number`, Row.Finite},
		{"t,x\n0,-Inf\n", `f.csv:2: x = "-Inf" is not a finite number`, Row.Finite},
		{"t,x\n\n# note\n0,1e999 \n", `f.csv:4: x = "1e999" is not a finite number`, Row.Finite},
		{"t, x \n0,one\n", `f.csv:2: x = "one" is not a number`, Row.Number},
		{"t,x\n0,\n", `f.csv:2: x = "" is not a number`, Row.Number},
		{"t,x\n0\n", "f.csv: record on line 2: wrong number of fields", Row.Number},
	} {
		if _, err := readAll(c.text, 1, c.cell); err == nil || err.Error() != c.want {
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
		}
	}
}

func TestHeader(t *testing.T) {
	r, err := NewReader("f.csv", strings.NewReader("t, \"a, b\",c\n0, \"1\",2\n"))
	if err != nil {
		t.Fatal(err)
	}
	if h := r.Header(); len(h) != 3 || h[1] != "a, b" {
		t.Errorf("header %q", h)
	}
	if row, err := r.Next(); err != nil || row.Text(1) != "1" { // blanks before a quote are left out, too
		t.Errorf("%q, %v", row.Text(1), err)
	}
	cause := errors.New("no such thing")
	if err := r.HeaderError("column %d: %w", 2, cause); !errors.Is(err, cause) || err.Error() != "f.csv:1: column 2: no such thing" {
		t.Errorf("error %v", err)
	}
}
