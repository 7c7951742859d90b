package main

import (
	"encoding/csv"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sinew/pkg/sim/spatial"
)

// tentacle is a soft tapered robot of tud-phi/soromox, hanging, with two converging tendons
// of known tension: eleven equilibria, each a recording of its own.
var tentacle = robot{
	name: "tentacle", program: "tendonsim", data: "tentacle",
	convert: convertTentacle, table: tentacleTable, figure: tentacleFigure,
}

// tentaclePoints are the markers of the robot file, and their columns in the recording.
var tentaclePoints = []struct{ name, column string }{{"m1", "m1"}, {"m2", "m2"}, {"m3", "m3"}, {"end", "tip"}}

// convertTentacle writes a file for each equilibrium: both tensions and four markers.
func convertTentacle(from, to string) (files []string, err error) {
	cases, err := readTentacle(from)
	if err != nil {
		return nil, err
	}
	header := []string{"tendon_1", "tendon_2"}
	for _, p := range tentaclePoints {
		header = append(header, p.name+"_x_m", p.name+"_y_m", p.name+"_z_m")
	}
	for _, c := range cases {
		row := []float64{c.tension[0], c.tension[1]}
		for _, m := range c.markers {
			row = append(row, m.X, m.Y, m.Z)
		}
		name := c.name + ".csv"
		if err := writeCSV(filepath.Join(to, name), header, [][]float64{row}); err != nil {
			return nil, err
		}
		files = append(files, name)
	}
	return files, nil
}

// tentacleCase is one equilibrium.
type tentacleCase struct {
	name    string
	tension [2]float64    // N
	markers []spatial.Vec // in the order of tentaclePoints, m
}

func readTentacle(dir string) (cases []tentacleCase, err error) {
	file := filepath.Join(dir, "equilibria.csv")
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	records, err := csv.NewReader(in).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(records) < 2 {
		return nil, fmt.Errorf("%s: no equilibria", file)
	}
	for line, r := range records[1:] {
		number := func(column string) float64 {
			k := slices.Index(records[0], column)
			if k < 0 {
				err = fmt.Errorf("%s: no column %s", file, column)
				return 0
			}
			x, wrong := strconv.ParseFloat(r[k], 64)
			if wrong != nil || math.IsNaN(x) || math.IsInf(x, 0) {
				err = fmt.Errorf("%s:%d: %s: %q is not a number", file, line+2, column, r[k])
			}
			return x
		}
		c := tentacleCase{name: r[0], tension: [2]float64{number("tension1_n"), number("tension2_n")}}
		for _, p := range tentaclePoints {
			c.markers = append(c.markers, spatial.Vec{X: number(p.column + "_x_m"), Y: number(p.column + "_y_m"), Z: number(p.column + "_z_m")})
		}
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// tentacleMarker returns the errors of one marker, fitted or left out.
func (p *prediction) tentacleMarker(name string, leftOut bool) []spatial.Vec {
	return errorsOf(p.where(func(q *point) bool { return q.name == name && q.leftOut == leftOut }))
}

// tentacleTable has each case's errors, and those of all.
func tentacleTable(p *prediction) ([]line, error) {
	cases, err := readTentacle(p.from)
	if err != nil {
		return nil, err
	}
	lines := []line{{"case", "tensions", "m1", "m2", "m3", "tip", "tip, left out"}}
	mm := func(e []spatial.Vec) string {
		if len(e) == 0 {
			return "not asked"
		}
		return fmt.Sprintf("%.1f mm", 1e3*rms(e))
	}
	add := func(name, tensions string, of func(marker string, leftOut bool) []spatial.Vec) {
		l := line{name, tensions}
		for _, m := range tentaclePoints {
			l = append(l, mm(of(m.name, false)))
		}
		lines = append(lines, append(l, mm(of("end", true))))
	}
	for _, c := range cases {
		add(c.name, fmt.Sprintf("%.2f, %.2f N", c.tension[0], c.tension[1]), func(marker string, leftOut bool) []spatial.Vec {
			return errorsOf(p.where(func(q *point) bool {
				return strings.TrimSuffix(q.file, ".csv") == c.name && q.name == marker && q.leftOut == leftOut
			}))
		})
	}
	add("**all, rms**", "", p.tentacleMarker)
	return lines, nil
}

// tentacleFigure draws markers from the side and from above.
func tentacleFigure(p *prediction) ([]*plot.Plot, error) {
	left, err := tentacleView(p, "tentacle from the side", "x", "z", func(v spatial.Vec) (x, y float64) { return v.X, v.Z })
	if err != nil {
		return nil, err
	}
	left.X.Min, left.X.Max, left.Y.Min, left.Y.Max = -50, 250, -400, -100
	right, err := tentacleView(p, "From above", "y", "x", func(v spatial.Vec) (x, y float64) { return v.Y, v.X })
	if err != nil {
		return nil, err
	}
	right.X.Min, right.X.Max, right.Y.Min, right.Y.Max = -200, 200, -150, 250
	return []*plot.Plot{left, right}, nil
}

// tentacleView draws the markers of each case, joined from base to tip.
func tentacleView(p *prediction, title, right, up string, view func(spatial.Vec) (x, y float64)) (*plot.Plot, error) {
	cases, err := readTentacle(p.from)
	if err != nil {
		return nil, err
	}
	plotted := plot.New()
	plotted.Title.Text = title
	plotted.X.Label.Text, plotted.Y.Label.Text = right+" (mm)", up+" (mm)"
	plotted.Add(plotter.NewGrid())
	for n, c := range cases {
		points := p.where(func(q *point) bool { return !q.leftOut && strings.TrimSuffix(q.file, ".csv") == c.name })
		for _, s := range []struct {
			name  string
			at    func(q *point) spatial.Vec
			color color.Color
			shape draw.GlyphDrawer
		}{
			{"measured", func(q *point) spatial.Vec { return q.measured }, black, draw.CircleGlyph{}},
			{"simulated", func(q *point) spatial.Vec { return q.predicted }, red, draw.RingGlyph{}},
		} {
			var xy plotter.XYs
			for i := range points {
				x, y := view(s.at(&points[i]))
				xy = append(xy, plotter.XY{X: 1e3 * x, Y: 1e3 * y})
			}
			l, dots, err := plotter.NewLinePoints(xy)
			if err != nil {
				return nil, err
			}
			l.Color, l.Width = s.color, vg.Points(0.6)
			dots.GlyphStyle = draw.GlyphStyle{Color: s.color, Radius: vg.Points(2), Shape: s.shape}
			plotted.Add(l, dots)
			if n == 0 {
				plotted.Legend.Add(s.name, dots)
			}
		}
	}
	plotted.Legend.Top, plotted.Legend.Padding = true, vg.Points(3)
	return plotted, nil
}
