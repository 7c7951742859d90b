package main

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// recordings are the two sessions of the robot.
type recordings struct{ train, val []row }

func readRecordings(dir string) (r recordings, err error) {
	if r.train, err = readRows(filepath.Join(dir, "train.csv")); err != nil {
		return r, err
	}
	r.val, err = readRows(filepath.Join(dir, "val.csv"))
	return r, err
}

// evaluate writes how well robot file f and the linear baseline predict.
func evaluate(w io.Writer, f *robotfile.Continuum, r recordings) error {
	for _, c := range []struct {
		name  string
		rows  []row
		index []int
	}{
		{"fitted rows and those between", r.train, held(r.train)},
		{"single tendons, not fitted", r.train, loose(r.train)},
		{"validation", r.val, all(r.val)},
	} {
		p, err := predict(f, c.rows, c.index)
		if err != nil {
			return err
		}
		e := errorsOf(p, c.rows, c.index)
		fmt.Fprintf(w, "%-30s %4d rows: %s\n", c.name, len(e), summary(e, f.Rod.Length))
		if c.name == "validation" {
			byPattern(w, c.rows, e, f.Rod.Length)
		}
	}
	p, err := linear(r.train, r.val)
	if err != nil {
		return err
	}
	e := errorsOf(p, r.val, all(r.val))
	_, err = fmt.Fprintf(w, "%-30s %4d rows: %s\n", "linear baseline, validation", len(e), summary(e, f.Rod.Length))
	return err
}

// byPattern writes the errors of each kind of motion.
func byPattern(w io.Writer, rows []row, e []spatial.Vec, length float64) {
	parts := map[string][]spatial.Vec{}
	var names []string
	for i := range rows {
		name, _, _ := strings.Cut(strings.TrimPrefix(rows[i].label, "rep1_"), "_dir")
		if parts[name] == nil {
			names = append(names, name)
		}
		parts[name] = append(parts[name], e[i])
	}
	for _, name := range names {
		fmt.Fprintf(w, "  %-28s %4d rows: %s\n", name, len(parts[name]), summary(parts[name], length))
	}
}

// summary is rms, median and largest error.
func summary(e []spatial.Vec, length float64) string {
	norm := norms(e)
	r := rms(e)
	return fmt.Sprintf("rms %6.2f mm (%.2f %% of the length), median %.2f mm, largest %.2f mm",
		1e3*r, 100*r/length, 1e3*norm[len(norm)/2], 1e3*norm[len(norm)-1])
}

// norms are the lengths of errors, ascending.
func norms(e []spatial.Vec) []float64 {
	n := make([]float64, len(e))
	for i := range e {
		n[i] = e[i].Norm()
	}
	slices.Sort(n)
	return n
}

// rms is the root mean square length.
func rms(e []spatial.Vec) float64 {
	sum := 0.0
	for _, v := range e {
		sum += v.Norm2()
	}
	return math.Sqrt(sum / float64(len(e)))
}
