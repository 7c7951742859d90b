package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"sinew/pkg/sim/spatial"
)

// ftdcrV4 is a robot of the OpenCR project: three segments of three tendons each. Nine
// servos pull the tendons by known lengths while motion capture follows a marker near
// the tip. Every row counts as an equilibrium.
var ftdcrV4 = robot{
	name: "ftdcr_v4", program: "tendonsim", data: "opencr_sysid_v4",
	convert: convertServos, table: servoTable, figure: servoFigure,
}

const (
	servoLength = 0.1865 // of the robot, m
	servoPulley = 0.01   // radius, m
	// servoLatency is by how much the tip is later than the servos (s), as fitted to the rows
	// that were fitted, with all else.
	servoLatency = 0.1
)

// These files are made of the recordings, by how many segments or tendons pull.
const (
	oneTendon     = "one_tendon.csv" // all others slack
	oneSegment    = "one_segment.csv"
	twoSegments   = "two_segments.csv"
	threeSegments = "three_segments.csv"
)

// convertServos writes the commanded angles of the servos and the marker.
func convertServos(from, to string) ([]string, error) {
	train, val, err := readServoRecordings(from)
	if err != nil {
		return nil, err
	}
	files := []string{oneTendon, oneSegment, twoSegments, threeSegments}
	for _, f := range files {
		rows := train
		if f == threeSegments {
			rows = val
		}
		if err := writeServoRows(filepath.Join(to, f), rows, servoRowsOf(f, rows)); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// servoRowsOf are the rows that a file has.
func servoRowsOf(file string, rows []servoRow) (index []int) {
	for i := range rows {
		kind := oneSegment
		switch label := rows[i].label; {
		case strings.Contains(label, "_pull"):
			kind = oneTendon
		case strings.Contains(label, "_pair"):
			kind = twoSegments
		case strings.Contains(label, "_all3"):
			kind = threeSegments
		}
		if kind == file {
			index = append(index, i)
		}
	}
	return index
}

func writeServoRows(file string, rows []servoRow, index []int) error {
	var header []string
	for k := range servoCount {
		header = append(header, fmt.Sprintf("servo_%d:rad", k+1))
	}
	header = append(header, "marker_x_m", "marker_y_m", "marker_z_m")
	var out [][]float64
	for _, i := range index {
		var numbers []float64
		for _, x := range servoAt(rows, i, servoLatency) {
			numbers = append(numbers, x/servoPulley)
		}
		m := rows[i].marker
		out = append(out, append(numbers, m.X, m.Y, m.Z))
	}
	return writeCSV(file, header, out)
}

// servoTable has the errors less their mean, of which the last file and its kinds of motion
// were not fitted.
func servoTable(p *prediction) ([]line, error) {
	train, val, err := readServoRecordings(p.from)
	if err != nil {
		return nil, err
	}
	of := func(name string, is func(p *point) bool) line {
		return errorsLine(name, lessMean(errorsOf(p.where(is))), servoLength)
	}
	in := func(files ...string) func(*point) bool {
		return func(q *point) bool { return strings.Contains(strings.Join(files, " "), q.file) }
	}
	lines := []line{
		errorsHeader,
		of("one and two segments (every eighth row fitted)", in(oneSegment, twoSegments)),
		of("**three segments, not fitted**", in(threeSegments)),
	}
	e := lessMean(errorsOf(p.where(in(threeSegments))))
	for _, kind := range []struct{ label, name string }{{"same", "all one way"}, {"scurve", "S curves"}, {"spiral", "spirals"}} {
		var part []spatial.Vec
		for n, i := range servoRowsOf(threeSegments, val) {
			if strings.Contains(val[i].label, "all3_"+kind.label) {
				part = append(part, e[n])
			}
		}
		lines = append(lines, errorsLine("– "+kind.name, part, servoLength))
	}
	baseline, err := linearErrors(train, val)
	if err != nil {
		return nil, err
	}
	return append(lines,
		errorsLine("linear in the pulls, three segments", baseline, servoLength),
		of("one tendon, all others slack, not fitted", in(oneTendon))), nil
}

// servoFigure draws the motions that were not fitted.
func servoFigure(p *prediction) ([]*plot.Plot, error) {
	points := p.where(func(q *point) bool { return q.file == threeSegments })
	e := lessMean(errorsOf(points))
	train, val, err := readServoRecordings(p.from)
	if err != nil {
		return nil, err
	}
	baseline, err := linearErrors(train, val)
	if err != nil {
		return nil, err
	}
	for i := range points {
		points[i].predicted = points[i].measured.Add(e[i])
	}
	left, err := pathPlot("ftdcr_v4: tip on motions that were not fitted, from above", points,
		func(v spatial.Vec) (x, y float64) { return v.X, v.Y }, "x", "y")
	if err != nil {
		return nil, err
	}
	left.X.Min, left.X.Max, left.Y.Min, left.Y.Max = -150, 150, -150, 150
	right, err := distributionPlot("Error of the tip", []distribution{{e, "simulated", red}, {baseline, "linear fit", blue}}, []mark{{17 * servoLength, "1.7 % of the length"}})
	if err != nil {
		return nil, err
	}
	right.Legend.YOffs = vg.Points(8)
	return []*plot.Plot{left, right}, nil
}
