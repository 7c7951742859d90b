package program

import (
	"fmt"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/surroundings"
)

// Meshes reads the files of meshes that the environment of a robot file names.
func Meshes(e *robotfile.Environment) (surroundings.Meshes, error) {
	const most = 256 << 20 // bytes
	all := surroundings.Meshes{}
	for i := range e.Shapes {
		m := e.Shapes[i].Mesh
		if m == nil || all[m.File] != nil {
			continue
		}
		key := fmt.Sprintf("environment.shapes[%d].mesh.file", i)
		data, err := ReadFile(string(m.File), most)
		if err != nil {
			return nil, &KeyError{Key: key, Err: err}
		}
		stl, err := mesh.ReadSTL(data)
		if err != nil {
			return nil, &KeyError{Key: key, Err: fmt.Errorf("%s: %w", m.File, err)}
		}
		all[m.File] = stl
	}
	return all, nil
}
