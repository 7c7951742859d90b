package simtest

import (
	"errors"
	"fmt"
	"reflect"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// checkScene wants scenes whose shapes have names and keep their numbers and order, and that are the same in storage
// that is reused as in new storage.
func (c *contract) checkScene() error {
	r, err := c.begin()
	if err != nil {
		return err
	}
	reused := new(sim.Scene)
	r.model.Draw(reused)
	first := outline(reused)
	for r.step < c.Steps {
		if err := r.advanceTo(min(r.step+max(1, c.Steps/10), c.Steps)); err != nil {
			return err
		}
		r.model.Draw(reused)
		fresh := new(sim.Scene)
		r.model.Draw(fresh)
		switch now := outline(fresh); {
		case !reflect.DeepEqual(now, first):
			return fmt.Errorf("after %d steps the scene has the shapes %v, at first %v", r.step, now, first)
		case !areEqual(reused, fresh):
			return fmt.Errorf("after %d steps a scene in reused storage differs from one in new storage", r.step)
		}
		if err := errors.Join(finiteScene(fresh), consistentScene(fresh)); err != nil {
			return fmt.Errorf("after %d steps %w", r.step, err)
		}
	}
	return nil
}

// areEqual reports whether two scenes are the same, empty slices being nil ones.
func areEqual(a, b *sim.Scene) bool {
	x, y := *a, *b
	x.Meshes, y.Meshes = nil, nil // whose corners are shared
	for i := range a.Meshes {
		p, q := &a.Meshes[i], &b.Meshes[i]
		if p.Name != q.Name || p.Pose != q.Pose || p.Color != q.Color || len(p.Corners) != len(q.Corners) {
			return false
		}
	}
	return fmt.Sprintf("%v", x) == fmt.Sprintf("%v", y)
}

// shape is what of a shape in a scene does not change.
type shape struct {
	kind, name string
	points     int
}

// outline lists the shapes of a scene. Triangles of a mesh may change.
func outline(s *sim.Scene) (all []shape) {
	for i := range s.Tubes {
		all = append(all, shape{"tube", s.Tubes[i].Name, len(s.Tubes[i].Points)})
	}
	for i := range s.Disks {
		all = append(all, shape{"disk", s.Disks[i].Name, 0})
	}
	for i := range s.Spheres {
		all = append(all, shape{"sphere", s.Spheres[i].Name, 0})
	}
	for i := range s.Polylines {
		all = append(all, shape{"polyline", s.Polylines[i].Name, len(s.Polylines[i].Points)})
	}
	for i := range s.Arrows {
		all = append(all, shape{"arrow", s.Arrows[i].Name, 0})
	}
	for i := range s.Meshes {
		all = append(all, shape{"mesh", s.Meshes[i].Name, 0})
	}
	return all
}

// consistentScene wants shapes with names and as many radii and corners as they need.
func consistentScene(s *sim.Scene) error {
	for _, x := range outline(s) {
		if x.name == "" {
			return fmt.Errorf("a %s of the scene has no name", x.kind)
		}
	}
	for i := range s.Tubes {
		if t := &s.Tubes[i]; len(t.Radii) != 0 && len(t.Radii) != len(t.Points) {
			return fmt.Errorf("tube %s has %d radii for %d points", t.Name, len(t.Radii), len(t.Points))
		}
	}
	for i := range s.Meshes {
		if m := &s.Meshes[i]; len(m.Corners)%3 != 0 {
			return fmt.Errorf("mesh %s has %d corners", m.Name, len(m.Corners))
		}
	}
	return nil
}

// finiteScene returns an error if a number of the scene is not finite.
func finiteScene(s *sim.Scene) error {
	var bad error
	check := func(kind, name string, all ...float64) {
		if bad == nil && !spatial.AllFinite(all) {
			bad = fmt.Errorf("%s %s of the scene is not finite: %v", kind, name, all)
		}
	}
	vec := func(kind, name string, all ...spatial.Vec) {
		for _, v := range all {
			check(kind, name, v.X, v.Y, v.Z)
		}
	}
	pose := func(kind, name string, p *spatial.Pose) {
		vec(kind, name, p.P, p.R.Col1(), p.R.Col2(), p.R.Col3())
	}
	check("scale", "", s.Scale)
	for i := range s.Tubes {
		t := &s.Tubes[i]
		vec("tube", t.Name, t.Points...)
		check("tube", t.Name, append([]float64{t.Radius}, t.Radii...)...)
	}
	for i := range s.Disks {
		d := &s.Disks[i]
		pose("disk", d.Name, &d.Pose)
		check("disk", d.Name, d.Radius, d.Thickness)
	}
	for i := range s.Spheres {
		b := &s.Spheres[i]
		pose("sphere", b.Name, &b.Pose)
		vec("sphere", b.Name, b.SemiAxes)
	}
	for i := range s.Polylines {
		l := &s.Polylines[i]
		vec("polyline", l.Name, l.Points...)
		check("polyline", l.Name, l.Width)
	}
	for i := range s.Arrows {
		a := &s.Arrows[i]
		vec("arrow", a.Name, a.From, a.To)
		check("arrow", a.Name, a.Radius)
	}
	for i := range s.Meshes {
		m := &s.Meshes[i]
		vec("mesh", m.Name, m.Corners...)
		place := m.Place()
		pose("mesh", m.Name, &place)
	}
	return bad
}
