package lint

import (
	"fmt"

	"sinew/pkg/sim/robotfile"
)

// Shapes farther from a robot than this are probably not in metres: in lengths of a rod, as the largest dish (m)
// of a body and, for large bodies, in half-widths.
const (
	lengthsAway = 30
	dish        = 1
	sizesAway   = 1000
)

// Meshes returns the warnings of flaws of the files of meshes, by the number of their shape; empty for none.
func Meshes(flaws []string) []robotfile.Mistake {
	var f findings
	for i, text := range flaws {
		if text != "" {
			f.add(robotfile.MeshFlaws, fmt.Sprintf("environment.shapes[%d].mesh.file", i), "has flaws: %s; expected: a closed surface of two sides, in which each edge has two triangles", text)
		}
	}
	return f
}

// Shapes returns the warnings of shapes around a rod that are probably in millimetres, as Continuum does.
func Shapes(r *robotfile.Continuum, away []float64) []robotfile.Mistake {
	var f findings
	f.shapes(&r.Environment, away, lengthsAway*r.Rod.Length, "the base")
	return f
}

// shapes finds shapes that reach so far from the robot that their numbers, or those of their file, are probably in
// millimetres.
func (f *findings) shapes(e *robotfile.Environment, away []float64, limit float64, from string) {
	for i, d := range away {
		if d <= limit {
			continue
		}
		s := &e.Shapes[i]
		key, hint := "sphere", "is it in mm?"
		switch {
		case s.Plane != nil:
			key = "plane"
		case s.Capsule != nil:
			key = "capsule"
		case s.Tube != nil:
			key = "tube"
		case s.Mesh != nil:
			key, hint = "mesh.file", fmt.Sprintf("is the file in mm? mesh.scale is %g", s.Mesh.Scale)
			if d/1000 <= limit {
				hint = fmt.Sprintf("the file is likely in mm: set mesh.scale: %g, it is %g", s.Mesh.Scale/1000, s.Mesh.Scale)
			}
		}
		f.add(robotfile.Size, fmt.Sprintf("environment.shapes[%d].%s", i, key), "reaches %s m from %s; expected: up to %s m; %s", about(d), from, about(limit), hint)
	}
}
