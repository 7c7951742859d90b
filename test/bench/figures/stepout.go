package main

import (
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// recordedSweep is what test/testdata/sweep_stepout.py recorded from the running node
// through ROS 1; the file says how.
const recordedSweep = "test/testdata/stepout_sweep.csv"

// drawStepOut draws the recorded mean rate of a sphere in a rotating field with the
// solution of Adler's equation: f up to the step-out frequency f_c of 20 Hz, and
// f − √(f² − f_c²) above.
func drawStepOut(path string) error {
	const stepOut, stride, last = 20., 0.1, 62.
	points, err := readColumns(recordedSweep)
	if err != nil {
		return err
	}
	var curve plotter.XYs
	for f := 0.0; f < last; f += stride {
		curve = append(curve, plotter.XY{X: f, Y: f - math.Sqrt(math.Max(0, f*f-stepOut*stepOut))})
	}
	p := newPlot("Through step-out: a magnetic sphere in a rotating field, 10 mT",
		"frequency of the field (Hz)", "mean rate of the sphere (Hz)")
	p.Legend.XOffs = -vg.Points(8)
	return drawCurve(p, path, curve, "theory: f, and f − √(f² − 20²) Hz above 20 Hz", points, "recorded through ROS 1")
}
