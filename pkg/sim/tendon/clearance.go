package tendon

import "sinew/pkg/sim/spatial"

// DiskClearance is the relative distance of two neighbouring holes of a tendon.
type DiskClearance struct {
	// Ratio is the distance of the holes along the mean normal of their disks over their distance
	// in the stress-free rod. It is 1 in the stress-free rod, 0 where the disks touch at the hole,
	// and negative where they have passed through each other.
	Ratio  float64
	Tendon int
	Nodes  [2]int // nodes of the two disks; 0 is the base plate
}

// SetRestLengths makes the present chord lengths those of the stress-free rod.
func (b *Bundle) SetRestLengths() {
	for i := range b.chords {
		b.chords[i].restLength = b.chords[i].length
	}
}

// MinDiskClearance returns the smallest clearance at the present chords and the given poses.
// Without tendons its ratio is 1.
func (b *Bundle) MinDiskClearance(pose []spatial.Pose) DiskClearance {
	closest := DiskClearance{Ratio: 1}
	for i := range b.chords {
		c := &b.chords[i]
		n := pose[c.a].R.Col3().Add(pose[c.b].R.Col3())
		// avoids a division by zero for disks with opposite normals
		const opposite = 1e-6
		ratio := c.length * c.dir.Dot(n) / (c.restLength * max(n.Norm(), opposite))
		if ratio < closest.Ratio {
			closest = DiskClearance{Ratio: ratio, Tendon: c.tendon, Nodes: [2]int{c.a, c.b}}
		}
	}
	return closest
}
