package main

import (
	"encoding/csv"
	"fmt"
	"image/color"
	"math"
	"os"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/robotfile"
)

// measuredSwimmers are speeds of artificial bacterial flagella (Mhanna et al., Small
// 10 (2014) 1953-1957, digitised).
const measuredSwimmers = "pkg/sim/microrobot/testdata/abf_speed_vs_frequency.csv"

// swimmer is a helix of given resistance, magnetised across its axis.
const swimmer = `
body:
  shape: {resistance: {trans_kg_per_s: [1.5e-7, 2.2e-7, 2.2e-7], rot_kg_m2_per_s: [2.3e-18, 2.0e-16, 2.0e-16], coupling_kg_m_per_s: [1.6e-14, 0, 0]}}
  magnet: {moment_a_m2: [0, 1e-13, 0]}
field: {rotating: {axis: [1, 0, 0], amplitude_t: %.17g, frequency_hz: %.17g}}
gravity_m_per_s2: [0, 0, 0]
`

// stepOutField is the amplitude (T) with which the swimmer steps out at the frequency:
// Ω_so = m B A/(A C − B²) with the axial resistance [A B; B C].
func stepOutField(frequency float64) float64 {
	const a, b, c, moment = 1.5e-7, 1.6e-14, 2.3e-18, 1e-13
	return 2 * math.Pi * frequency * (a*c - b*b) / (moment * a)
}

// swim is the mean speed (m/s) of the simulated swimmer.
func swim(frequency, stepOut float64) (float64, error) {
	file, err := robotfile.Parse[robotfile.Microrobot]("swimmer", fmt.Appendf(nil, swimmer, stepOutField(stepOut), frequency))
	if err != nil {
		return 0, err
	}
	m, err := microrobot.New(file, nil)
	if err != nil {
		return 0, err
	}
	pose, port := make([]float64, 7), portOf(m, "measured_cp")
	at := func() float64 { m.Value(port, pose); return pose[0] }
	run := func(n int, h float64) error {
		for range n {
			if err := m.Step(h); err != nil {
				return err
			}
		}
		return nil
	}
	const settling = 1000
	if err := run(settling, step); err != nil {
		return 0, err
	}
	span := 3.0
	if frequency > stepOut { // whole slips
		slips := math.Sqrt(frequency*frequency - stepOut*stepOut)
		span = math.Ceil(span*slips) / slips
	}
	start, n := at(), int(math.Ceil(span/step))
	err = run(n, span/float64(n))
	return math.Abs(at()-start) / span, err
}

// fitSwimmer returns the step-out frequency and the gain with which the simulated
// speeds are nearest to the measured ones.
func fitSwimmer(points plotter.XYs) (stepOut, gain float64, err error) {
	const low, high, stride = 9.05, 9.6, 0.01
	least := math.Inf(1)
	for s := low; s < high; s += stride {
		var uv, uu, vv float64
		for _, p := range points {
			u, err := swim(p.X, s)
			if err != nil {
				return 0, 0, err
			}
			uv, uu, vv = uv+u*p.Y, uu+u*u, vv+p.Y*p.Y
		}
		if e := vv - uv*uv/uu; e < least {
			least, stepOut, gain = e, s, uv/uu
		}
	}
	return stepOut, gain, nil
}

// drawSwimmers draws the measured speeds with the fit of the simulator.
func drawSwimmers(path string) error {
	points, err := readColumns(measuredSwimmers)
	if err != nil {
		return err
	}
	stepOut, gain, err := fitSwimmer(points)
	if err != nil {
		return err
	}
	var curve plotter.XYs
	const stride, last = 0.05, 11.6
	for f := stride; f < last; f += stride {
		u, err := swim(f, stepOut)
		if err != nil {
			return err
		}
		curve = append(curve, plotter.XY{X: f, Y: gain * u})
	}
	p := newPlot("Helical swimmers: measured speeds, and the simulator with two parameters fitted",
		"frequency of the rotating field (Hz)", "speed (µm/s)")
	p.Legend.Left = true
	fit := fmt.Sprintf("simulated, step-out %.2f Hz", stepOut)
	return drawCurve(p, path, curve, fit, points, "measured (Mhanna et al. 2014, digitised)")
}

// drawCurve adds a line and points to the plot and writes it.
func drawCurve(p *plot.Plot, path string, curve plotter.XYs, curveLabel string, points plotter.XYs, pointLabel string) error {
	line, err := plotter.NewLine(curve)
	if err != nil {
		return err
	}
	line.Color, line.Width = color.RGBA{R: 30, G: 90, B: 190, A: 255}, vg.Points(1.6)
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: color.RGBA{R: 200, G: 55, B: 20, A: 255}, Radius: vg.Points(3.2), Shape: draw.CircleGlyph{}}
	p.Add(line, dots)
	p.Legend.Add(pointLabel, dots)
	p.Legend.Add(curveLabel, line)
	p.X.Min, p.Y.Min = 0, 0
	p.Y.Max *= 1.08
	return writePNG(p, path)
}

// newPlot returns an empty plot in the style of the figures.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.Padding = vg.Points(6)
	p.Legend.Top = true
	p.Legend.Padding = vg.Points(4)
	p.Legend.XOffs = vg.Points(8)
	p.Add(plotter.NewGrid())
	return p
}

// readColumns reads the first two columns of a CSV file with a header.
func readColumns(path string) (plotter.XYs, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r := csv.NewReader(in)
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	var xy plotter.XYs
	for _, row := range rows[1:] {
		x, errX := strconv.ParseFloat(row[0], 64)
		y, errY := strconv.ParseFloat(row[1], 64)
		if errX != nil || errY != nil {
			return nil, fmt.Errorf("%s: row %v", path, row)
		}
		xy = append(xy, plotter.XY{X: x, Y: y})
	}
	return xy, nil
}
