package mechanism

import (
	"fmt"
	"math"

	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

// checkParameters checks the values of each link and joint.
func checkParameters(p *Parameters) error {
	if g := p.Gravity; !isFinite(g.X, g.Y, g.Z) {
		return fmt.Errorf("mechanism: gravity is [%g, %g, %g] m/s²; it needs finite numbers", g.X, g.Y, g.Z)
	}
	names := map[string]bool{}
	check := func(kind, name string) error {
		if names[name] {
			return fmt.Errorf("mechanism: two links have the name %q; each needs its own", name)
		}
		if names[name] = true; name == "" {
			return fmt.Errorf("mechanism: a %s has no name: the empty name is that of the world; give it one", kind)
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
		for _, s := range [...]*JointSide{&j.Parent, &j.Child} {
			if s.Frame.R != (spatial.Mat3{}) && !isRotation(&s.Frame.R) {
				return fmt.Errorf("mechanism: joint %q: the axes of its frame on %q are no rotation; they need to be orthogonal, right-handed and of length 1", j.Name, s.Link)
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
		return fmt.Errorf("mechanism: body %q has a mass of %g kg; it needs a finite one above 0", b.Name, b.Mass)
	}
	for k, j := range b.Inertia[:3] {
		if !(j > 0) || !isFinite(j) {
			return fmt.Errorf("mechanism: body %q: moment of inertia %d is %g kg m²; it needs to be finite and above 0", b.Name, k+1, j)
		}
	}
	// The triangle inequality: ½ tr J − J, the second moments Σ m x xᵀ, is positive semidefinite.
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
			return fmt.Errorf("mechanism: body %q has the inertia %g kg m² (Jxx, Jyy, Jzz, Jyz, Jxz, Jxy), which no mass distribution has: a principal moment is larger than the sum of the other two (triangle inequality); correct its entries or their order", b.Name, b.Inertia)
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

// checkStart checks limits and axes at t = 0, where all joints are closed.
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
				return fmt.Errorf("mechanism: joint %q: coordinate %d is %.6g %s at t = 0, beyond its limits from %g to %g; change the limits, the joint's position or the poses of its links", c.Name, i+1, q, c.unitName(i), x.Min, x.Max)
			}
		}
	}
	return nil
}

// checkAxes returns an error for a joint whose axes on parent and child point in opposite directions: its rows are 0 there, too.
func (w *World) checkAxes() error {
	for _, c := range w.connections {
		if c.update(w.pose); c.geometry.IsReversed(&c.relative) {
			return fmt.Errorf("mechanism: joint %q: its axes on parent and child point in opposite directions; turn the child, or one of the joint's frames, by π", c.Name)
		}
	}
	return nil
}
