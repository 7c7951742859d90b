package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/table"
)

const (
	trunkMotors = 6
	trunkDisks  = 3
)

// trunkRow is what was measured at one time.
type trunkRow struct {
	t        float64              // s; NaN in equilibria
	commands [trunkMotors]float64 // rad
	shaft    [trunkMotors]float64 // as a curve through its readings; NaN in equilibria, rad
	disks    [trunkDisks]spatial.Vec
	ok       bool
}

// readTrunkRows reads a recording. Shafts were read more slowly than the camera took pictures, and a
// reading was held until the next: between readings they are taken to move evenly.
func readTrunkRows(file string) ([]trunkRow, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r, err := table.NewReader(file, in)
	if err != nil {
		return nil, err
	}
	column := map[string]int{}
	for i, name := range r.Header() {
		column[name] = i
	}
	var rows []trunkRow
	read := 0 // the row of the last reading of the shafts
	for {
		cells, err := r.Next()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		c := trunkCells{cells, column, nil}
		one, fresh := c.row()
		if c.err != nil {
			return nil, c.err
		}
		rows = append(rows, one)
		if fresh {
			joinShafts(rows[read:])
			read = len(rows) - 1
		}
	}
}

// joinShafts lets the shafts move evenly from the first row to the last one.
func joinShafts(rows []trunkRow) {
	last := len(rows) - 1
	for k := 1; k < last; k++ {
		for m := range trunkMotors {
			a, b := rows[0].shaft[m], rows[last].shaft[m]
			rows[k].shaft[m] = a + (b-a)*float64(k)/float64(last)
		}
	}
}

// trunkCells are the cells of a row by the names of their columns, and the first mistake.
type trunkCells struct {
	cells  table.Row
	column map[string]int
	err    error
}

func (c *trunkCells) number(name string) float64 {
	i, ok := c.column[name]
	if !ok {
		c.err = errors.Join(c.err, c.cells.Errorf("no column %s", name))
	}
	if c.err != nil {
		return 0
	}
	v, err := c.cells.Finite(i)
	c.err = err
	return v
}

// row reads a row, and whether the shafts were read anew in it.
func (c *trunkCells) row() (r trunkRow, fresh bool) {
	const degree = math.Pi / 180
	_, still := c.column["visit"]
	r.t, r.ok = math.NaN(), true
	if !still {
		r.t, r.ok, fresh = c.number("t_s"), c.number("ok") != 0, c.number("phi_age_s") == 0
	}
	for m := range trunkMotors {
		r.commands[m], r.shaft[m] = degree*c.number(fmt.Sprintf("u%d_deg", m+1)), math.NaN()
		if !still {
			r.shaft[m] = degree * c.number(fmt.Sprintf("phi%d_deg", m+1))
		}
	}
	for d := range trunkDisks {
		r.disks[d] = spatial.Vec{X: c.number(fmt.Sprintf("x%d_m", d+1)), Y: c.number(fmt.Sprintf("y%d_m", d+1)), Z: c.number(fmt.Sprintf("z%d_m", d+1))}
	}
	return r, fresh
}

// convertTrunk writes the measured shafts, or where there are none the commanded angles, and
// the three disks.
func convertTrunk(from, to string) ([]string, error) {
	files := []string{trunkFree, trunkLoaded, trunkCircles, trunkSteps, trunkEquilibria}
	for _, f := range files {
		rows, err := readTrunkRows(filepath.Join(from, f))
		if err != nil {
			return nil, err
		}
		if err := writeTrunkRows(filepath.Join(to, f), rows, math.IsNaN(rows[0].t)); err != nil {
			return nil, err
		}
		if still, ok := trunkStill[f]; ok {
			if err := writeTrunkRows(filepath.Join(to, still), sparse(rows), true); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// trunkStill are the files of rows of the fitted motions that count as equilibria.
var trunkStill = map[string]string{trunkFree: "still_0g.csv", trunkLoaded: "still_100g.csv"}

// sparse is a row in sixty of those that may be fitted.
func sparse(rows []trunkRow) (list []trunkRow) {
	const every = 60
	count := 0
	for _, r := range rows {
		if r.ok && r.t >= trunkBegin && r.t < trunkFitted {
			if count%every == 0 {
				list = append(list, r)
			}
			count++
		}
	}
	return list
}

// writeTrunkRows writes rows of a motion, or without their times as equilibria.
func writeTrunkRows(file string, rows []trunkRow, still bool) error {
	header, unit, withoutShafts := []string{"t", "ok"}, "shaft_rad", math.IsNaN(rows[0].shaft[0])
	if still {
		header = nil
	}
	if withoutShafts {
		unit = "rad"
	}
	for m := range trunkMotors {
		header = append(header, fmt.Sprintf("m%d:%s", m+1, unit))
	}
	for d := range trunkDisks {
		header = append(header, strings.Split(fmt.Sprintf("disk%[1]d_x_m disk%[1]d_y_m disk%[1]d_z_m", d+1), " ")...)
	}
	var out [][]float64
	for i := range rows {
		r := &rows[i]
		var numbers []float64
		angles := r.shaft
		if withoutShafts {
			angles = r.commands
		}
		if !still {
			numbers = append(numbers, r.t, 0)
			if r.ok {
				numbers[1] = 1
			}
		}
		numbers = append(numbers, angles[:]...)
		for _, p := range r.disks {
			numbers = append(numbers, p.X, p.Y, p.Z)
		}
		out = append(out, numbers)
	}
	return writeCSV(file, header, out)
}
