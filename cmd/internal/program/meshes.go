package program

import (
	"fmt"

	"sinew/cmd/internal/progress"
	"sinew/pkg/sim/environment"
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

// MechanismMeshes is Meshes with the files that the bodies of a mechanism name.
func MechanismMeshes(f *robotfile.Mechanism, bar *progress.Bar) (environment.Meshes, error) {
	all, err := Meshes(&f.Environment.Environment, bar)
	if err != nil {
		return nil, err
	}
	for i := range f.Bodies {
		for k := range f.Bodies[i].Shapes {
			m := f.Bodies[i].Shapes[k].Mesh
			if m == nil {
				continue
			}
			if err := readMesh(all, m.File, fmt.Sprintf("bodies[%d].shapes[%d].mesh.file", i, k), bar); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
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
