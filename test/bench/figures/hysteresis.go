package main

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
)

// wireWithTendon is a nitinol wire with one tendon, weightless so that nothing but
// the tendon bends it.
const wireWithTendon = `
rod: {length_m: 0.2, radius_m: 0.0005, density_kg_per_m3: 6450, youngs_modulus_pa: 60e9,
  shear_modulus_pa: 23.077e9, elements: 20, damping: {kelvin_voigt_s: 0.01}}
base: {position_m: [0, 0, 0], direction: [0, 0, 1], normal: [1, 0, 0]}
gravity_m_per_s2: [0, 0, 0]
tendons:
  - name: tendon
    offset_m: [0.008, 0]
    disks: {count: 10, first_m: 0.02, last_m: 0.2, mass_kg: 0.0005}
    friction_coefficient: %g
solver: {method: implicit, step_s: 0.001}
`

const (
	highest = 3.0  // N
	period  = 16.0 // s
	cycles  = 2    // the first one starts from the straight rod
	step    = 0.001
	samples = 20 // steps from one to the next
)

// cycle pulls and releases the tendon sinusoidally and returns the deflection of
// the tip (mm) against the tension at the base (N).
func cycle(friction float64) (plotter.XYs, error) {
	file, err := robotfile.Parse[robotfile.Continuum]("wire", fmt.Appendf(nil, wireWithTendon, friction))
	if err != nil {
		return nil, err
	}
	m, err := continuum.New(file)
	if err != nil {
		return nil, err
	}
	pull, tip := portOf(m, "servo_jf"), portOf(m, "measured_cp")
	pose := make([]float64, 7)
	var xy plotter.XYs
	for i := range int(cycles * period / step) {
		tension := highest / 2 * (1 - math.Cos(2*math.Pi*float64(i+1)*step/period))
		m.Command(pull, []float64{tension})
		if err := m.Step(step); err != nil {
			return nil, err
		}
		if i%samples == 0 {
			m.Value(tip, pose)
			xy = append(xy, plotter.XY{X: tension, Y: 1000 * pose[0]})
		}
	}
	return xy, nil
}

func portOf(m sim.Model, name string) int {
	for i, p := range m.Ports() {
		if p.Name == name {
			return i
		}
	}
	panic("no port " + name)
}

// drawHysteresis draws the loop that friction between tendon and disks makes of a
// slow cycle of tension.
func drawHysteresis(path string) error {
	p := plot.New()
	p.Title.Text = "Tendon pulled and released at 1/16 Hz: nitinol, 0.2 m, ten disks"
	p.Title.Padding = vg.Points(6)
	p.X.Label.Text = "tension at the base (N)"
	p.Y.Label.Text = "deflection of the tip (mm)"
	p.X.Min, p.X.Max = 0, highest*1.03
	p.Y.Min = 0
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.Padding, p.Legend.XOffs = vg.Points(4), vg.Points(8)
	p.Add(plotter.NewGrid())
	for _, c := range []struct {
		friction float64
		label    string
		color    color.Color
		dashes   []vg.Length
	}{
		{0, "no friction", color.Gray{Y: 110}, []vg.Length{vg.Points(6), vg.Points(4)}},
		{0.3, "friction coefficient 0.3", color.RGBA{R: 200, G: 55, B: 20, A: 255}, nil},
	} {
		xy, err := cycle(c.friction)
		if err != nil {
			return err
		}
		if c.friction == 0 { // pull and release follow the same line
			xy = xy[:len(xy)/(2*cycles)]
		}
		line, err := plotter.NewLine(xy)
		if err != nil {
			return err
		}
		line.Color, line.Width, line.Dashes = c.color, vg.Points(1.8), c.dashes
		p.Add(line)
		p.Legend.Add(c.label, line)
		if c.friction > 0 {
			p.Add(arrows{xy[len(xy)/cycles:], c.color})
		}
	}
	p.Y.Max *= 1.06
	return writePNG(p, path)
}

// arrows marks a closed loop with its direction, half way up and half way down.
type arrows struct {
	loop  plotter.XYs
	color color.Color
}

// Plot implements plot.Plotter.
func (a arrows) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := draw.TextStyle{Color: a.color, Font: p.Legend.TextStyle.Font, Handler: p.TextHandler}
	for _, at := range []struct {
		part   float64 // of the loop
		label  string
		dx, dy vg.Length
	}{{0.25, "pull", 12, -16}, {0.75, "release", -58, 8}} {
		i := int(at.part * float64(len(a.loop)))
		from := vg.Point{X: x(a.loop[i-5].X), Y: y(a.loop[i-5].Y)}
		to := vg.Point{X: x(a.loop[i+5].X), Y: y(a.loop[i+5].Y)}
		d := to.Sub(from)
		d = d.Scale(1 / vg.Length(math.Hypot(float64(d.X), float64(d.Y))))
		const length, half = 12, 5
		back := to.Sub(d.Scale(length))
		side := vg.Point{X: -d.Y, Y: d.X}.Scale(half)
		c.FillPolygon(a.color, []vg.Point{to, back.Add(side), back.Sub(side)})
		c.FillText(style, to.Add(vg.Point{X: at.dx, Y: at.dy}), at.label)
	}
}

// writePNG draws p into a PNG file.
func writePNG(p *plot.Plot, path string) error {
	canvas := vgimg.NewWith(vgimg.UseWH(16*vg.Centimeter, 10.5*vg.Centimeter), vgimg.UseDPI(130))
	p.Draw(draw.Crop(draw.New(canvas), vg.Points(4), -vg.Points(12), vg.Points(4), -vg.Points(6)))
	var b bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: canvas}).WriteTo(&b); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
