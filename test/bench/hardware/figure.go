package main

import (
	"bytes"
	"fmt"
	"image/color"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"sinew/pkg/sim/spatial"
)

var (
	black = color.Gray{Y: 40}
	grey  = color.Gray{Y: 140}
	red   = color.RGBA{R: 200, G: 55, B: 20, A: 255}
	blue  = color.RGBA{R: 30, G: 90, B: 170, A: 255}
)

// pathPlot draws points where they were and where they were predicted to be, in mm, in a
// view: what of a position is right and up.
func pathPlot(title string, points []point, view func(v spatial.Vec) (x, y float64), right, up string) (*plot.Plot, error) {
	measured, predicted := make(plotter.XYs, len(points)), make(plotter.XYs, len(points))
	for i := range points {
		x, y := view(points[i].measured)
		measured[i] = plotter.XY{X: 1e3 * x, Y: 1e3 * y}
		x, y = view(points[i].predicted)
		predicted[i] = plotter.XY{X: 1e3 * x, Y: 1e3 * y}
	}
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text, p.Y.Label.Text = right+" (mm)", up+" (mm)"
	p.Add(plotter.NewGrid())
	for i := range points {
		l, err := plotter.NewLine(plotter.XYs{measured[i], predicted[i]})
		if err != nil {
			return nil, err
		}
		l.Color = grey
		p.Add(l)
	}
	for _, s := range []struct {
		xy    plotter.XYs
		name  string
		color color.Color
		shape draw.GlyphDrawer
	}{{measured, "measured", black, draw.CircleGlyph{}}, {predicted, "simulated", red, draw.RingGlyph{}}} {
		dots, err := plotter.NewScatter(s.xy)
		if err != nil {
			return nil, err
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: s.color, Radius: vg.Points(1.6), Shape: s.shape}
		p.Add(dots)
		p.Legend.Add(s.name, dots)
	}
	p.Legend.Top, p.Legend.Padding = true, vg.Points(3)
	return p, nil
}

// distribution is a set of errors (m) to be drawn.
type distribution struct {
	errors []spatial.Vec
	name   string
	color  color.Color
}

// mark is a dashed line at an error, mm.
type mark struct {
	mm   float64
	name string
}

// distributionPlot draws which share of errors is below how much.
func distributionPlot(title string, all []distribution, marks []mark) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text, p.Y.Label.Text = "error (mm)", "share of the points below (%)"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, ticks{0.5, 1, 2, 5, 10, 20, 50, 100}
	p.Add(plotter.NewGrid())
	for _, s := range all {
		n := norms(s.errors)
		xy := make(plotter.XYs, len(n))
		for i := range n {
			xy[i] = plotter.XY{X: 1e3 * n[i], Y: 100 * float64(i+1) / float64(len(n))}
		}
		l, err := plotter.NewLine(xy)
		if err != nil {
			return nil, err
		}
		l.Color, l.Width = s.color, vg.Points(1.8)
		p.Add(l)
		p.Legend.Add(fmt.Sprintf("%s: rms %.1f mm", s.name, 1e3*rms(s.errors)), l)
	}
	for _, m := range marks {
		l, err := plotter.NewLine(plotter.XYs{{X: m.mm, Y: 0}, {X: m.mm, Y: 100}})
		if err != nil {
			return nil, err
		}
		l.Color, l.Dashes = grey, []vg.Length{vg.Points(4), vg.Points(3)}
		p.Add(l)
		p.Legend.Add(m.name, l)
	}
	p.Legend.Padding = vg.Points(3)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0.5, 100, 0, 100
	return p, nil
}

// ticks marks an axis at these values, each with a label.
type ticks []float64

// Ticks implements plot.Ticker.
func (t ticks) Ticks(_, _ float64) (marks []plot.Tick) {
	for _, x := range t {
		marks = append(marks, plot.Tick{Value: x, Label: fmt.Sprint(x)})
	}
	return marks
}

// writePlots writes a PNG of plots side by side.
func writePlots(path string, plots []*plot.Plot) error {
	canvas := vgimg.NewWith(vgimg.UseWH(vg.Length(len(plots))*12*vg.Centimeter, 12*vg.Centimeter), vgimg.UseDPI(110))
	tiles := draw.Tiles{Rows: 1, Cols: len(plots), PadX: vg.Points(14), PadTop: vg.Points(6), PadBottom: vg.Points(4), PadLeft: vg.Points(4), PadRight: vg.Points(10)}
	at := plot.Align([][]*plot.Plot{plots}, tiles, draw.New(canvas))
	for i, p := range plots {
		p.Draw(at[0][i])
	}
	var b bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: canvas}).WriteTo(&b); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
