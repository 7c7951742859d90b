package stokes

import (
	"errors"
	"fmt"

	"sinew/pkg/sim/spatial"
)

// Poiseuille is steady laminar flow in a round tube: Peak (1 − ρ²/Radius²) along
// Axis at the distance ρ from the axis, and none outside of the tube.
type Poiseuille struct {
	Axis   spatial.Vec // any length but 0
	Center spatial.Vec // a point of the axis, m
	Radius float64     // m
	Peak   float64     // velocity on the axis, m/s
}

// tube is flow along the axis of a round tube that depends on s = ρ²/R² only.
type tube struct {
	axis, center spatial.Vec
	perR2        float64 // 1/R²
	peak         float64
}

func newTube(axis, center spatial.Vec, radius, peak float64) (tube, error) {
	err := errors.Join(checkDirection("axis", axis), checkPositive("radius", radius, "m"))
	if !spatial.IsFinite(peak) {
		err = errors.Join(err, fmt.Errorf("stokes: peak velocity is %g m/s; it must be finite", peak))
	}
	if !center.IsFinite() {
		err = errors.Join(err, fmt.Errorf("stokes: center %v m is not finite", center))
	}
	return tube{axis: axis.Unit(), center: center, perR2: 1 / (radius * radius), peak: peak}, err
}

func checkDirection(name string, v spatial.Vec) error {
	if !v.IsFinite() || v == (spatial.Vec{}) {
		return fmt.Errorf("stokes: %s %v has no direction", name, v)
	}
	return nil
}

// locate returns s at x and the vector d from the axis to x (m).
func (p *tube) locate(x spatial.Vec) (s float64, d spatial.Vec) {
	d = x.Sub(p.center)
	d = d.AddScaled(-d.Dot(p.axis), p.axis)
	return d.Norm2() * p.perR2, d
}

// add adds the flow u = g(s) along the axis, of derivatives g1 and g2 in s, to a.
func (p *tube) add(a *Ambient, d spatial.Vec, faxen *spatial.Mat3, g, g1, g2 float64) {
	// ∇s = 2d/R² and ∇∇s = 2(I − axis axisᵀ)/R²
	k := 2 * p.perR2
	across := faxen.Trace() - p.axis.Dot(faxen.Apply(p.axis))
	along := d.Dot(faxen.Apply(d))
	u := g + g1*k*across + g2*k*k*along
	a.Velocity = a.Velocity.AddScaled(u, p.axis)
	a.Gradient = a.Gradient.Add(spatial.Outer(p.axis, d.Scale(g1*k)))
}
