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
	const most = 256 << 20 // bytes
	all := environment.Meshes{}
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
		stl.Loading = loading(string(m.File), len(stl.Triangles), bar)
		all[m.File] = stl
	}
	return all, nil
}
