// Package environment makes the shapes of a robot file's environment, and meshes for drawing
// them, for every kind of robot.
package environment

import (
	"errors"
	"fmt"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
)

// Meshes holds the mesh files that a robot file names.
type Meshes map[robotfile.FileName]*mesh.STL

// Shapes makes the shapes of the environment, in order. reach (m) is the largest distance at which
// meshes are queried: the contact surface of the robot is within it of the queried points. The
// error joins those of all shapes.
func Shapes(e *robotfile.Environment, meshes Meshes, reach float64) ([]shape.Shape, error) {
	var errs []error
	all := make([]shape.Shape, len(e.Shapes))
	for i := range e.Shapes {
		s := &e.Shapes[i]
		var err error
		if all[i], err = newShape(s, meshes, reach); err != nil {
			errs = append(errs, &ShapeError{Index: i, Name: s.Name, Err: err})
		}
	}
	return all, errors.Join(errs...)
}

// ShapeError is the error of a shape that cannot be made.
type ShapeError struct {
	Index int // in the environment
	Name  string
	Err   error
}

func (e *ShapeError) Error() string { return fmt.Sprintf("%s (%s): %v", e.Key(), e.Name, e.Err) }

// Unwrap returns its cause.
func (e *ShapeError) Unwrap() error { return e.Err }

// Key returns the path of the shape in the robot file.
func (e *ShapeError) Key() string { return fmt.Sprintf("environment.shapes[%d]", e.Index) }

func newShape(s *robotfile.EnvironmentShape, meshes Meshes, reach float64) (shape.Shape, error) {
	switch {
	case s.Plane != nil:
		return shape.NewPlane(s.Plane.Point, s.Plane.Normal)
	case s.Sphere != nil:
		return shape.NewSphere(s.Sphere.Center, s.Sphere.Radius)
	case s.Capsule != nil:
		return shape.NewCapsule(s.Capsule.From, s.Capsule.To, s.Capsule.Radius)
	case s.Mesh != nil:
		stl := meshes[s.Mesh.File]
		if stl == nil {
			return shape.Shape{}, fmt.Errorf("mesh.file %q is not given", s.Mesh.File)
		}
		return shape.NewMesh(stl, mesh.Options{Inside: s.Mesh.Inside, Scale: s.Mesh.Scale, Reach: reach})
	default:
		return shape.NewTube(s.Tube.Points, s.Tube.Radius, s.Tube.Closed)
	}
}

// ShapeDistances returns for each shape of an environment, made by Shapes, the largest distance (m) of its points
// from a point (m, world frame). For a plane it is the distance of the plane's own point.
func ShapeDistances(e *robotfile.Environment, shapes []shape.Shape, from spatial.Vec) []float64 {
	all := make([]float64, len(shapes))
	for i := range shapes {
		switch s := &e.Shapes[i]; {
		case s.Plane != nil:
			all[i] = s.Plane.Point.Sub(from).Norm()
		case s.Tube != nil:
			for k, p := range s.Tube.Points {
				all[i] = max(all[i], p.Sub(from).Norm()+s.Tube.Radius[min(k, len(s.Tube.Radius)-1)])
			}
		default:
			lo, hi := shapes[i].Bounds()
			all[i] = max(lo.Sub(from).Norm(), hi.Sub(from).Norm())
		}
	}
	return all
}

// MeshFindings returns for each shape of an environment, made by Shapes, the flaws of its file that were
// repaired or left, as one clause; empty for none.
func MeshFindings(e *robotfile.Environment, meshes Meshes, shapes []shape.Shape) []string {
	all := make([]string, len(shapes))
	for i := range shapes {
		if m := e.Shapes[i].Mesh; m != nil {
			all[i] = mesh.Describe(meshes[m.File], shapes[i].MeshFindings())
		}
	}
	return all
}

// MeshNotes says for each mesh of an environment how far from its facets contact acts.
func MeshNotes(e *robotfile.Environment, shapes []shape.Shape) (notes []string) {
	const mm = 1e3
	for i := range shapes {
		if e.Shapes[i].Mesh != nil {
			notes = append(notes, fmt.Sprintf("%s: contact acts on the smooth surface through the corners of the mesh, which is up to %.2g mm from its facets", e.Shapes[i].Name, mm*shapes[i].FacetDepth()))
		}
	}
	return notes
}

// AppendContact writes a contact of a port of kind sim.Contacts to dst and returns the rest of dst.
func AppendContact(dst []float64, wall int, arcLength, gap, force float64, point, normal, friction spatial.Vec) []float64 {
	dst[0], dst[1], dst[2], dst[3] = float64(wall), arcLength, gap, force
	point.Put(dst[4:])
	normal.Put(dst[7:])
	friction.Put(dst[10:])
	return dst[sim.ContactWidth:]
}

// EndContacts writes that there are no more contacts.
func EndContacts(dst []float64) {
	clear(dst)
	for ; len(dst) > 0; dst = dst[sim.ContactWidth:] {
		dst[0] = -1
	}
}

// color is translucent, so that a robot is visible inside a lumen.
var color = sim.Color{R: 0.75, G: 0.70, B: 0.65, A: 0.35}

// ShapeMesh is a shape where it was made as one sees it, enlarged about the origin of the world: of a plane the
// square of the given half width (m) about the point nearest to the centre.
func ShapeMesh(name string, s *shape.Shape, center spatial.Vec, half, scale float64) sim.Mesh {
	m := sim.Mesh{Name: name, Color: color}
	for _, t := range s.Triangles(center, half) {
		for _, p := range t {
			m.Corners = append(m.Corners, p.Scale(scale))
		}
	}
	return m
}
