package main

import (
	"encoding/csv"
	"fmt"
	"image/color"
	"os"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// drawLevitation draws a recording of launch/examples/levitation.py: the position of the
// magnet (mm) against time (s).
func drawLevitation(recording, path string) error {
	f, err := os.Open(recording)
	if err != nil {
		return err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return err
	}
	p := plot.New()
	p.Title.Text = "35 g magnet held by a controller in Python at 1 kHz over ROS topics, pushed four times"
	p.Title.TextStyle.Font.Size = vg.Points(10.5)
	p.Title.Padding = vg.Points(6)
	p.X.Label.Text, p.Y.Label.Text = "time (s)", "position (mm)"
	p.Legend.Top = true
	p.Legend.YOffs, p.Legend.XOffs = vg.Points(-60), vg.Points(-8)
	p.X.Tick.Marker = plot.ConstantTicks(tens(60))
	p.Add(plotter.NewGrid())
	for i, name := range []string{"x", "y", "z"} {
		xy, err := column(rows[1:], 1+i)
		if err != nil {
			return fmt.Errorf("%s: %w", recording, err)
		}
		line, err := plotter.NewLine(xy)
		if err != nil {
			return err
		}
		line.Color, line.Width = []color.Color{red, green, blue}[i], vg.Points(1.2)
		p.Add(line)
		p.Legend.Add(name, line)
	}
	return writePNG(p, path)
}

// tens are ticks at every ten up to the last.
func tens(last int) []plot.Tick {
	var ticks []plot.Tick
	for i := 0; i <= last; i += 10 {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: strconv.Itoa(i)})
	}
	return ticks
}

// every is how many rows of a recording at 1 kHz a point stands for.
const every = 10

// column reads column k of the rows in thousandths against the time since the first row.
func column(rows [][]string, k int) (plotter.XYs, error) {
	var xy plotter.XYs
	var start float64
	for i := 0; i < len(rows); i += every {
		t, err := strconv.ParseFloat(rows[i][0], 64)
		if err != nil {
			return nil, err
		}
		v, err := strconv.ParseFloat(rows[i][k], 64)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			start = t
		}
		xy = append(xy, plotter.XY{X: t - start, Y: 1000 * v})
	}
	return xy, nil
}
