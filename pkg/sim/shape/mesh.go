package shape

import (
	"fmt"

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

// IsLumen reports whether the free side of the shape is within it: of a tube, or a mesh with inside.
func (s *Shape) IsLumen() bool {
	return s.kind == tubeKind || s.kind == meshKind && s.mesh.IsInside()
}

// ExplainSide says why a point (m) that should be free is in the wall of a mesh, and what to do, where the
// side of its triangles tells; otherwise it is empty. in is what is in the wall, name that of the wall.
func (s *Shape) ExplainSide(p spatial.Vec, in, name string) string {
	if s.kind != meshKind {
		return ""
	}
	switch side := s.mesh.SideOf(s.pose.Inv().Apply(p)); {
	case side == mesh.Surrounded && len(s.mesh.Rims()) > 0:
		return fmt.Sprintf("%s is in the wall of %s: it is a shell with thickness; close the wall at its ends and leave out inside, or keep only its inner face", in, name)
	case side == mesh.Surrounded && s.mesh.IsInside():
		return fmt.Sprintf("%s is in the wall of %s: it is a closed shell with thickness; leave out inside", in, name)
	case side == mesh.Beyond && s.mesh.IsInside():
		return fmt.Sprintf("%s is outside of %s, whose free side is its lumen with inside: true; move it there, or leave out inside if it is a solid body", in, name)
	case side == mesh.Enclosed && !s.mesh.IsInside():
		return fmt.Sprintf("%s is within the closed surface of %s, which is solid without inside; give inside: true if it is the lumen of a vessel, or move one of them", in, name)
	}
	return ""
}

// MeshFindings lists the flaws of the file of a mesh that are repaired or left.
func (s *Shape) MeshFindings() []mesh.Finding {
	if s.kind != meshKind {
		return nil
	}
	return s.mesh.Findings()
}

// FacetDepth returns the largest distance (m) between the facets of a mesh and the smooth surface on
// which contact acts; 0 for other shapes.
func (s *Shape) FacetDepth() float64 {
	if s.kind != meshKind {
		return 0
	}
	return s.mesh.FacetDepth()
}
