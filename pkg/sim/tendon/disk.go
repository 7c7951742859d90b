package tendon

import "sinew/pkg/sim/spatial"

// Disk is a thin round disk, its centre and centre of mass at a node of the rod.
type Disk struct {
	Node   int
	Mass   float64 // kg
	Radius float64 // m
}

// radiusPerOffset is how far a disk of unstated radius reaches beyond its hole.
const radiusPerOffset = 1.25

// Disks returns the disks of the route, each of the given mass (kg) and radius
// (m). Radius 0 stands for 1.25 times the distance of the hole from the
// centreline.
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

// Inertia returns the moments of inertia (kg m²) about d1, d2 and d3: those of a
// thin disk, m R² (¼, ¼, ½).
func (d Disk) Inertia() spatial.Vec {
	return spatial.Vec{X: 0.25, Y: 0.25, Z: 0.5}.Scale(d.Mass * d.Radius * d.Radius)
}
