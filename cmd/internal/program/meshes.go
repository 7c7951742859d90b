package program

import (
	"fmt"

	"sinew/cmd/internal/progress"
	"sinew/pkg/sim/environment"
	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/multibody"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/shape/mesh"
)

// Meshes reads the files of meshes that the environment of a robot file names. While the field of one is built, its
// share is noted on the bar.
func Meshes(e *robotfile.Environment, bar *progress.Bar) (environment.Meshes, error) {
	all := environment.Meshes{}
	for i := range e.Shapes {
		m := e.Shapes[i].Mesh
		if m == nil {
			continue
		}
		if err := readMesh(all, m.File, fmt.Sprintf("environment.shapes[%d].mesh.file", i), bar); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// MechanismFiles reads the files that a mechanism names: meshes, those of bodies too, and the deformations of rods.
func MechanismFiles(f *robotfile.Mechanism, bar *progress.Bar) (files multibody.Files, err error) {
	if files.Meshes, err = Meshes(&f.Environment.Environment, bar); err != nil {
		return files, err
	}
	for i := range f.Bodies {
		for k := range f.Bodies[i].Shapes {
			m := f.Bodies[i].Shapes[k].Mesh
			if m == nil {
				continue
			}
			if err := readMesh(files.Meshes, m.File, fmt.Sprintf("bodies[%d].shapes[%d].mesh.file", i, k), bar); err != nil {
				return files, err
			}
		}
	}
	files.Deformations = make([]*mechanism.Deformation, len(f.Rods))
	for i := range f.Rods {
		r := &f.Rods[i]
		if r.InitialShape.File == "" {
			continue
		}
		if files.Deformations[i], err = readDeformation(string(r.InitialShape.File), r.Name, r.Length); err != nil {
			return files, &KeyError{Key: fmt.Sprintf("rods[%d].initial_shape.file", i), Err: err}
		}
	}
	return files, nil
}

// readMesh adds a file that the key of a robot file names.
func readMesh(all environment.Meshes, name robotfile.FileName, key string, bar *progress.Bar) error {
	const most = 256 << 20 // bytes
	if all[name] != nil {
		return nil
	}
	data, err := ReadFile(string(name), most)
	if err != nil {
		return &KeyError{Key: key, Err: err}
	}
	stl, err := mesh.ReadSTL(data)
	if err != nil {
		return &KeyError{Key: key, Err: fmt.Errorf("%s: %w", name, err)}
	}
	stl.Loading = loading(string(name), len(stl.Triangles), bar)
	all[name] = stl
	return nil
}
