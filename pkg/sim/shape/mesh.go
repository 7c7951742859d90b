package shape

import (
	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
)

// NewMesh returns the surface of the triangles, whose errors it names by their places in the
// file.
func NewMesh(f *mesh.STL, o mesh.Options) (Shape, error) {
	field, err := mesh.Shared(f, o)
	if err != nil {
		return Shape{}, err
	}
	return Shape{kind: meshKind, pose: spatial.IdentityPose(), mesh: field}, nil
}
