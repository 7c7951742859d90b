package mechanism

import (
	"fmt"
	"math"

	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

// checkParameters checks what each link and joint is given.
func checkParameters(p *Parameters) error {
	if g := p.Gravity; !isFinite(g.X, g.Y, g.Z) {
		return fmt.Errorf("mechanism: gravity is %g m/s²; it needs finite numbers", g)
	}
	names := map[string]bool{}
	check := func(kind, name string) error {
		if names[name] {
			return fmt.Errorf("mechanism: two links have the name %q; each needs its own", name)
		}
		if names[name] = true; name == "" {
			return fmt.Errorf("mechanism: a %s has no name, which is the world; it needs one", kind)
		}
		return nil
	}
	for i := range p.Rods {
		if err := check("rod", p.Rods[i].Name); err != nil {
			return err
		}
	}
	for i := range p.Bodies {
		if err := check("body", p.Bodies[i].Name); err != nil {
			return err
		}
		if err := checkBody(&p.Bodies[i]); err != nil {
			return err
		}
	}
	for i := range p.Joints {
		j := &p.Joints[i]
		for _, s := range [...]*Side{&j.Parent, &j.Child} {
			if s.Frame.R != (spatial.Mat3{}) && !isRotation(&s.Frame.R) {
				return fmt.Errorf("mechanism: joint %q: the frame on %q has axes that are no rotation: they need to be orthogonal and right-handed, of length 1", j.Name, s.Link)
			}
		}
	}
	return nil
}

func checkBody(b *Body) error {
	if b.IsFixed {
		return nil
	}
	if !(b.Mass > 0) || !isFinite(b.Mass) {
		return fmt.Errorf("mechanism: body %q has a mass of %g kg; it needs more than 0", b.Name, b.Mass)
	}
	for k, j := range b.Inertia[:3] {
		if !(j > 0) || !isFinite(j) {
			return fmt.Errorf("mechanism: body %q has a moment of inertia %d of %g kg m²; it needs more than 0", b.Name, k+1, j)
		}
	}
	// No mass is negative: ½ tr J − J, of which the entries are sums of m x², is positive semidefinite.
	j := rigid.Symmetric(b.Inertia)
	trace := j.XX + j.YY + j.ZZ
	e := spatial.Diag3(spatial.Vec{X: trace / 2, Y: trace / 2, Z: trace / 2}).Add(j.Scale(-1))
	minors := [...]float64{
		e.XX / trace, e.YY / trace, e.ZZ / trace,
		(e.XX*e.YY - e.XY*e.YX) / (trace * trace), (e.XX*e.ZZ - e.XZ*e.ZX) / (trace * trace), (e.YY*e.ZZ - e.YZ*e.ZY) / (trace * trace),
		(e.XX*(e.YY*e.ZZ-e.YZ*e.ZY) - e.XY*(e.YX*e.ZZ-e.YZ*e.ZX) + e.XZ*(e.YX*e.ZY-e.YY*e.ZX)) / (trace * trace * trace),
	}
	for _, m := range minors {
		if !(m >= -1e-9) { // thin bodies are given with few digits
			return fmt.Errorf("mechanism: body %q has the inertia %g kg m² (Jxx, Jyy, Jzz, Jyz, Jxz, Jxy), which no body has: each of the principal moments is at most the sum of the others", b.Name, b.Inertia)
		}
	}
	return nil
}

// isRotation reports whether the axes of r are orthogonal and right-handed, of length 1.
func isRotation(r *spatial.Mat3) bool {
	const most = 1e-6
	x, y, z := spatial.Vec{X: r.XX, Y: r.YX, Z: r.ZX}, spatial.Vec{X: r.XY, Y: r.YY, Z: r.ZY}, spatial.Vec{X: r.XZ, Y: r.YZ, Z: r.ZZ}
	return math.Abs(x.Norm()-1) < most && math.Abs(y.Norm()-1) < most && x.Cross(y).Sub(z).Norm() < most
}

func isFinite(all ...float64) bool {
	for _, x := range all {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// moves reports whether the name is that of a rod or of a body that is not fixed.
func (w *World) moves(name string) bool {
	l := w.link(name)
	return l != nil && l.nodeCount() > 0
}

// checkStart checks coordinates and axes where joints are closed.
func (w *World) checkStart() error {
	if w.isOpen {
		return nil
	}
	if err := w.checkAxes(); err != nil {
		return err
	}
	for _, c := range w.connections {
		for i, x := range c.Limits {
			if q, least := c.coordinate[i], contradiction*w.unit(c, i); q < x.Min-least || q > x.Max+least {
				return fmt.Errorf("mechanism: joint %q: coordinate %d is %.6g at t = 0, beyond its limits from %g to %g; give a position within them", c.Name, i+1, q, x.Min, x.Max)
			}
		}
	}
	return nil
}

// checkAxes returns an error for a joint of which the axes of parent and child are opposite: its rows are 0 there, too.
func (w *World) checkAxes() error {
	for _, c := range w.connections {
		if c.update(w.pose); c.geometry.IsReversed(&c.relative) {
			return fmt.Errorf("mechanism: joint %q: its axis on the child is opposite to that on the parent; turn the child, or one of the frames, by π", c.Name)
		}
	}
	return nil
}
