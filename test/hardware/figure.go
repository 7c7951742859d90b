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

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

var (
	black = color.Gray{Y: 40}
	grey  = color.Gray{Y: 140}
	red   = color.RGBA{R: 200, G: 55, B: 20, A: 255}
	blue  = color.RGBA{R: 30, G: 90, B: 170, A: 255}
)

// drawValidation draws the validation: on the left where the tip was and was
// predicted to be, on the right how often the error is how large.
func drawValidation(path string, f *robotfile.Continuum, r recordings) error {
	p, err := predict(f, r.val, all(r.val))
	if err != nil {
		return err
	}
	e := errorsOf(p, r.val, all(r.val))
	b, err := linear(r.train, r.val)
	if err != nil {
		return err
	}
	left, err := topView(r.val, e)
	if err != nil {
		return err
	}
	right, err := distribution(e, errorsOf(b, r.val, all(r.val)), f.Rod.Length)
	if err != nil {
		return err
	}
	return writePair(path, left, right)
}

// topView is the tip seen along the straight robot.
func topView(rows []row, e []spatial.Vec) (*plot.Plot, error) {
	measured, predicted := make(plotter.XYs, len(rows)), make(plotter.XYs, len(rows))
	for i := range rows {
		t := rows[i].tip
		measured[i] = plotter.XY{X: 1e3 * t.X, Y: 1e3 * t.Y}
		predicted[i] = plotter.XY{X: 1e3 * (t.X + e[i].X), Y: 1e3 * (t.Y + e[i].Y)}
	}
	p := plot.New()
	p.Title.Text = "Tip on motions that were not fitted, from above"
	p.X.Label.Text, p.Y.Label.Text = "x (mm)", "y (mm)"
	p.Add(plotter.NewGrid())
	for i := range rows {
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
		points, err := plotter.NewScatter(s.xy)
		if err != nil {
			return nil, err
		}
		points.GlyphStyle = draw.GlyphStyle{Color: s.color, Radius: vg.Points(1.6), Shape: s.shape}
		p.Add(points)
		p.Legend.Add(s.name, points)
	}
	p.Legend.Top, p.Legend.Padding = true, vg.Points(3)
	const reach = 150
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -reach, reach, -reach, reach
	return p, nil
}

// distribution is the share of rows whose error is below.
func distribution(e, baseline []spatial.Vec, length float64) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = "Error of the tip"
	p.X.Label.Text, p.Y.Label.Text = "error (mm)", "share of the rows below (%)"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, ticks{0.5, 1, 2, 5, 10, 20, 50, 100}
	p.Add(plotter.NewGrid())
	for _, s := range []struct {
		e     []spatial.Vec
		name  string
		color color.Color
	}{{e, "simulated", red}, {baseline, "linear fit", blue}} {
		n := norms(s.e)
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
		p.Legend.Add(fmt.Sprintf("%s: rms %.1f mm", s.name, 1e3*rms(s.e)), l)
	}
	literature, err := plotter.NewLine(plotter.XYs{{X: 17 * length, Y: 0}, {X: 17 * length, Y: 100}})
	if err != nil {
		return nil, err
	}
	literature.Color, literature.Dashes = grey, []vg.Length{vg.Points(4), vg.Points(3)}
	p.Add(literature)
	p.Legend.Add("1.7 % of the length", literature)
	p.Legend.Padding, p.Legend.YOffs = vg.Points(3), vg.Points(8)
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

// writePair writes a PNG of two plots side by side.
func writePair(path string, left, right *plot.Plot) error {
	canvas := vgimg.NewWith(vgimg.UseWH(24*vg.Centimeter, 12*vg.Centimeter), vgimg.UseDPI(110))
	tiles := draw.Tiles{Rows: 1, Cols: 2, PadX: vg.Points(14), PadTop: vg.Points(6), PadBottom: vg.Points(4), PadLeft: vg.Points(4), PadRight: vg.Points(10)}
	plots := [][]*plot.Plot{{left, right}}
	at := plot.Align(plots, tiles, draw.New(canvas))
	left.Draw(at[0][0])
	right.Draw(at[0][1])
	var b bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: canvas}).WriteTo(&b); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
