package main

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

// heavyTopAt1s is the centre of mass of the heavy top of Brüls and Cardona at 1 s (m), by
// Gragg-Bulirsch-Stoer extrapolation of order 20 with 32 digits.
var heavyTopAt1s = spatial.Vec{X: 0.173343964098386, Y: 0.640088592070569, Z: -0.748490791133581}

// solver is a method with its rotation coordinates, and how it is drawn.
type solver struct {
	label  string
	method rigid.Method
	coords rigid.Parametrization
	color  color.Color
	dashes []vg.Length
}

var (
	solid  []vg.Length
	dashed = []vg.Length{vg.Points(6), vg.Points(3)}
	dotted = []vg.Length{vg.Points(1.5), vg.Points(2.5)}

	blue   = color.RGBA{R: 20, G: 90, B: 190, A: 255}
	red    = color.RGBA{R: 200, G: 55, B: 20, A: 255}
	green  = color.RGBA{R: 30, G: 130, B: 60, A: 255}
	purple = color.RGBA{R: 120, G: 50, B: 150, A: 255}
	grey   = color.Gray{Y: 110}
)

var solvers = []solver{
	{"lie-euler", rigid.LieEuler, "", grey, solid},
	{"trapezoidal, tait-bryan-xyz", rigid.Trapezoidal, rigid.TaitBryanXYZ, red, dotted},
	{"trapezoidal, rotation-vector", rigid.Trapezoidal, rigid.RotationVectorXYZ, red, dashed},
	{"trapezoidal, quaternion", rigid.Trapezoidal, rigid.QuaternionCoordinates, red, solid},
	{"generalized-alpha 0.9, tait-bryan-xyz", rigid.GeneralizedAlpha, rigid.TaitBryanXYZ, purple, dotted},
	{"generalized-alpha 0.9, rotation-vector", rigid.GeneralizedAlpha, rigid.RotationVectorXYZ, purple, dashed},
	{"generalized-alpha 0.9, quaternion", rigid.GeneralizedAlpha, rigid.QuaternionCoordinates, purple, solid},
	{"splitting", rigid.Splitting, "", green, solid},
	{"cg4-rational", rigid.CG4Rational, "", blue, dotted},
	{"cg4", rigid.CG4, "", blue, solid},
	{"rkmk4", rigid.RKMK4, "", blue, dashed},
}

// heavyTopError is how far the top's centre of mass is off after 1 s in n steps (m), NaN
// where the method does not get there.
func heavyTopError(s solver, n int) float64 {
	pivot := spatial.Vec{Y: -1}
	body, err := rigid.NewBody(rigid.Params{Mass: 15, Inertia: [6]float64{0.234375, 0.46875, 0.234375}, Pivot: &pivot})
	if err != nil {
		panic(err)
	}
	loads := &rigid.Constant{Body: body, Gravity: spatial.Vec{Z: -9.81}}
	m, err := rigid.NewStepper(rigid.Options{Method: s.method, Parametrization: s.coords, SpectralRadius: 0.9}, body, loads, spatial.Vec{})
	if err != nil {
		panic(err)
	}
	x := integrate.Motion{Placement: integrate.Placement{Q: spatial.IdentityQuat(), P: spatial.Vec{Y: 1}}}
	x.V = spatial.Twist{Linear: spatial.Vec{X: 4.61538}, Angular: spatial.Vec{Y: 150, Z: -4.61538}}
	h := 1 / float64(n)
	for i := range n {
		if _, err := m.Step(float64(i)*h, h, &x); err != nil {
			return math.NaN()
		}
	}
	return x.P.Sub(heavyTopAt1s).Norm()
}

// decades marks the powers of ten, and their multiples without a label.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(least, most float64) []plot.Tick {
	const slack = 1 + 1e-9
	var ticks []plot.Tick
	for k := int(math.Floor(math.Log10(least))); math.Pow10(k) <= most*slack; k++ {
		for m := 1.0; m < 10; m++ {
			t := plot.Tick{Value: m * math.Pow10(k)}
			if m == 1 {
				t.Label = fmt.Sprintf("1e%d", k)
			}
			if t.Value*slack >= least && t.Value <= most*slack {
				ticks = append(ticks, t)
			}
		}
	}
	return ticks
}

// drawIntegrators draws the error of every method on the heavy top against its step.
func drawIntegrators(path string) error {
	p := plot.New()
	p.Title.Text = "Heavy top (15 kg, 150 rad/s), centre of mass after 1 s"
	p.Title.Padding = vg.Points(6)
	p.X.Label.Text, p.Y.Label.Text = "step (s)", "error (m)"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = decades{}, decades{}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 1e-5, 3e-3, 1e-12, 10
	p.Legend.Padding = vg.Points(2)
	p.Legend.YOffs, p.Legend.XOffs = vg.Points(4), vg.Points(-4)
	p.Legend.TextStyle.Font.Size = vg.Points(8)
	p.Add(plotter.NewGrid())
	for _, s := range solvers {
		var xy plotter.XYs
		for n := 500; n <= 64000; n *= 2 {
			if e := heavyTopError(s, n); e <= p.Y.Max {
				xy = append(xy, plotter.XY{X: 1 / float64(n), Y: e})
			}
		}
		line, points, err := plotter.NewLinePoints(xy)
		if err != nil {
			return err
		}
		line.Color, line.Width, line.Dashes = s.color, vg.Points(1.4), s.dashes
		points.Color, points.Radius, points.Shape = s.color, vg.Points(1.8), draw.CircleGlyph{}
		p.Add(line, points)
		p.Legend.Add(s.label, line)
	}
	return writePNG(p, path)
}
