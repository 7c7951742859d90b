package tendon

import "sinew/pkg/sim/spatial"

// Disk is a thin round disk whose centre of mass is at a node of the rod.
type Disk struct {
	Node   int
	Mass   float64 // kg
	Radius float64 // m
}

// radiusPerOffset is the radius of a disk without given radius over the distance of its hole from
// the centre line.
const radiusPerOffset = 1.25

// Disks returns the disks of the route with the given mass (kg) and radius (m). Radius 0 stands for
// 1.25 times the distance of the hole from the centre line.
func (t *Route) Disks(mass, radius float64) []Disk {
	disks := make([]Disk, len(t.Nodes))
	for i, k := range t.Nodes {
		disks[i] = Disk{Node: k, Mass: mass, Radius: radius}
		if radius == 0 {
			disks[i].Radius = radiusPerOffset * t.Holes[i].Norm()
		}
	}
	return disks
}

// Inertia returns the moments of inertia about d1, d2 and d3 of a thin disk, m R² (¼, ¼, ½), kg m².
func (d Disk) Inertia() spatial.Vec {
	return spatial.Vec{X: 0.25, Y: 0.25, Z: 0.5}.Scale(d.Mass * d.Radius * d.Radius)
}
