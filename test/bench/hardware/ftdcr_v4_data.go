package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/spatial"
)

// servoCount is the number of servos, three per segment from the base on.
const servoCount = 9

// servoRow is what was measured at one time.
type servoRow struct {
	time   float64 // s
	label  string  // name of the pattern of motion
	pull   [servoCount]float64
	marker spatial.Vec // in the motion capture's frame, m
}

// servoGap is the longest time (s) between rows of one motion: longer ones hide what
// the servos did meanwhile.
const servoGap = 1.5

// readServoRecordings reads both sessions.
func readServoRecordings(dir string) (train, val []servoRow, err error) {
	if train, err = readServoRows(filepath.Join(dir, "train.csv")); err != nil {
		return nil, nil, err
	}
	val, err = readServoRows(filepath.Join(dir, "val.csv"))
	return train, val, err
}

// readServoRows reads a recording: a header, then time, label, nine tendon displacements
// (mm, positive pulls) and the marker (mm).
func readServoRows(file string) ([]servoRow, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	const millimetre = 1e-3
	cr := csv.NewReader(f)
	cr.FieldsPerRecord = 2 + servoCount + 3
	if _, err := cr.Read(); err != nil {
		return nil, fmt.Errorf("%s: no header: %w", file, err)
	}
	var rows []servoRow
	for {
		fields, err := cr.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		var x [1 + servoCount + 3]float64
		for i, s := range append([]string{fields[0]}, fields[2:]...) {
			x[i], err = strconv.ParseFloat(s, 64)
			if err != nil || math.IsInf(x[i], 0) || math.IsNaN(x[i]) {
				line, column := cr.FieldPos(min(i, 1) + i)
				return nil, fmt.Errorf("%s:%d:%d: %q is not a number", file, line, column, s)
			}
		}
		r := servoRow{time: x[0], label: fields[1]}
		for k := range r.pull {
			r.pull[k] = millimetre * x[1+k]
		}
		r.marker = spatial.Vec{X: x[10], Y: x[11], Z: x[12]}.Scale(millimetre)
		if n := len(rows); n > 0 && r.time <= rows[n-1].time {
			return nil, fmt.Errorf("%s: time %.6f s does not follow %.6f s", file, r.time, rows[n-1].time)
		}
		rows = append(rows, r)
	}
	if len(rows) < 2 {
		return nil, fmt.Errorf("%s: %d rows; there must be at least 2", file, len(rows))
	}
	return rows, nil
}

// servoAt are the pulls of the servos (m) by latency seconds before row i: between rows
// of one motion they move evenly.
func servoAt(rows []servoRow, i int, latency float64) [servoCount]float64 {
	t := rows[i].time - latency
	for i > 0 && t < rows[i].time && rows[i].time-rows[i-1].time <= servoGap {
		a, b := &rows[i-1], &rows[i]
		if part := (t - a.time) / (b.time - a.time); part >= 0 {
			var x [servoCount]float64
			for k := range x {
				x[k] = a.pull[k] + part*(b.pull[k]-a.pull[k])
			}
			return x
		}
		i--
	}
	return rows[i].pull
}

// linearErrors are the errors on others, less their mean, of a baseline: the marker as a linear
// function of how far each tendon is pulled, fitted to rows.
func linearErrors(rows, others []servoRow) ([]spatial.Vec, error) {
	markers := mat.NewDense(len(rows), 3, nil)
	for i := range rows {
		t := &rows[i].marker
		markers.SetRow(i, []float64{t.X, t.Y, t.Z})
	}
	var slope, product mat.Dense
	if err := slope.Solve(pulls(rows), markers); err != nil {
		return nil, err
	}
	product.Mul(pulls(others), &slope)
	e := make([]spatial.Vec, len(others))
	for i := range e {
		e[i] = spatial.Vec{X: product.At(i, 0), Y: product.At(i, 1), Z: product.At(i, 2)}.Sub(others[i].marker)
	}
	return lessMean(e), nil
}

// pulls has a row max(pull, 0) … 1 for every row.
func pulls(rows []servoRow) *mat.Dense {
	m := mat.NewDense(len(rows), servoCount+1, nil)
	for i := range rows {
		for k, x := range rows[i].pull {
			m.Set(i, k, max(x, 0))
		}
		m.Set(i, servoCount, 1)
	}
	return m
}
