package sim

import "sinew/pkg/sim/spatial"

// Scene describes what a model looks like, in the world frame; lengths are in m. A
// model keeps the number and order of shapes, and the number of points of each, the
// same from call to call, so that storage is reused.
type Scene struct {
	// Scale is how many times larger than life the scene is drawn, about the
	// origin; 0 means 1.
	Scale float64

	Tubes     []Tube
	Disks     []Disk
	Spheres   []Sphere
	Polylines []Polyline
	Arrows    []Arrow
	Meshes    []Mesh
}

// Color has components from 0 to 1; A is opacity.
type Color struct{ R, G, B, A float32 }

// Tube is a round body along a centre line.
type Tube struct {
	Name   string
	Points []spatial.Vec // of the centre line, m, world frame
	Radius float64       // m
	Radii  []float64     // at the points where it changes, m; empty: Radius
	Color  Color
}

// Disk is a short cylinder about the z axis of its pose.
type Disk struct {
	Name      string
	Pose      spatial.Pose // of the centre, in the world frame
	Radius    float64      // m
	Thickness float64      // m, along the axis
	Color     Color
}

// Sphere is an ellipsoid with the given semi-axes along the axes of its pose.
type Sphere struct {
	Name     string
	Pose     spatial.Pose // of the centre, in the world frame
	SemiAxes spatial.Vec  // m
	Color    Color
}

// Polyline is a thin line through points.
type Polyline struct {
	Name   string
	Points []spatial.Vec // m, world frame
	Width  float64       // m
	Color  Color
}

// Arrow points from From to To.
type Arrow struct {
	Name   string
	From   spatial.Vec // m, world frame
	To     spatial.Vec // m, world frame
	Radius float64     // of the shaft, m
	Color  Color
}

// Mesh is a surface of triangles, such as a wall of the environment. Its triangles are not changed once it is
// in a scene: a mesh that moves has another pose, one that changes its shape new triangles.
type Mesh struct {
	Name    string
	Corners []spatial.Vec // three for each triangle, m, in axes at Pose, counter-clockwise seen from outside
	Pose    spatial.Pose  // in the world frame; the zero value leaves the corners where they are
	Color   Color
}

// Place returns where the axes of the corners are in the world frame.
func (m *Mesh) Place() spatial.Pose {
	if m.Pose == (spatial.Pose{}) {
		return spatial.IdentityPose()
	}
	return m.Pose
}
