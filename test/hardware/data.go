package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"sinew/pkg/sim/spatial"
)

// tendonCount is the number of tendons, three per segment from the base on.
const tendonCount = 9

// row is what was measured at one time.
type row struct {
	time  float64 // s
	label string  // name of the pattern of motion
	servo [tendonCount]float64
	tip   spatial.Vec // position of the marker in the motion capture's frame, m
}

// gap is the longest time (s) between rows of one motion: longer ones hide what
// the servos did meanwhile.
const gap = 1.5

// readRows reads a recording: a header, then time, label, nine tendon displacements
// (mm, positive pulls) and the tip (mm).
func readRows(file string) ([]row, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	const millimetre = 1e-3
	cr := csv.NewReader(f)
	cr.FieldsPerRecord = 2 + tendonCount + 3
	if _, err := cr.Read(); err != nil {
		return nil, fmt.Errorf("%s: no header: %w", file, err)
	}
	var rows []row
	for {
		fields, err := cr.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		var x [1 + tendonCount + 3]float64
		for i, s := range append([]string{fields[0]}, fields[2:]...) {
			x[i], err = strconv.ParseFloat(s, 64)
			if err != nil || math.IsInf(x[i], 0) || math.IsNaN(x[i]) {
				line, column := cr.FieldPos(min(i, 1) + i)
				return nil, fmt.Errorf("%s:%d:%d: %q is not a number", file, line, column, s)
			}
		}
		r := row{time: x[0], label: fields[1]}
		for k := range r.servo {
			r.servo[k] = millimetre * x[1+k]
		}
		r.tip = spatial.Vec{X: x[10], Y: x[11], Z: x[12]}.Scale(millimetre)
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

// servoAt are the displacements of the servos (m) by latency seconds before row i:
// between rows of one motion they move evenly.
func servoAt(rows []row, i int, latency float64) [tendonCount]float64 {
	t := rows[i].time - latency
	for i > 0 && t < rows[i].time && rows[i].time-rows[i-1].time <= gap {
		a, b := &rows[i-1], &rows[i]
		if part := (t - a.time) / (b.time - a.time); part >= 0 {
			var x [tendonCount]float64
			for k := range x {
				x[k] = a.servo[k] + part*(b.servo[k]-a.servo[k])
			}
			return x
		}
		i--
	}
	return rows[i].servo
}

// held are the rows of motions that keep every segment under tension, loose those
// of motions that pull one tendon while all others are slack: then friction alone
// holds the other segments, whose shape depends on motions long before.
func held(rows []row) []int { return where(rows, func(r *row) bool { return !single(r) }) }

func loose(rows []row) []int { return where(rows, single) }

func single(r *row) bool { return strings.Contains(r.label, "_pull") }

// all are all rows.
func all(rows []row) []int { return where(rows, func(*row) bool { return true }) }

func where(rows []row, is func(*row) bool) (index []int) {
	for i := range rows {
		if is(&rows[i]) {
			index = append(index, i)
		}
	}
	return index
}
