package tendon

import "sinew/pkg/sim/spatial"

// Approach says how near two neighbouring holes of a tendon have come.
type DiskClearance struct {
	// Ratio is the distance of the holes along the mean normal of their disks over
	// their distance in the stress-free rod: 1 there, 0 where the disks touch at the
	// hole, negative where they have passed through one another.
	Ratio  float64
	Tendon int
	Nodes  [2]int // of the two disks, 0 for the base plate
}

// RememberRest makes the measured lengths those of the stress-free rod.
func (b *Bundle) SetRestLengths() {
	for i := range b.chords {
		b.chords[i].restLength = b.chords[i].length
	}
}

// Closest returns the two holes that have come nearest to one another, in the measured
// shape of a rod with these poses. Without tendons its ratio is 1.
func (b *Bundle) MinDiskClearance(pose []spatial.Pose) DiskClearance {
	closest := DiskClearance{Ratio: 1}
	for i := range b.chords {
		c := &b.chords[i]
		n := pose[c.a].R.Col3().Add(pose[c.b].R.Col3())
		// disks that face away from one another have no mean normal
		const opposite = 1e-6
		ratio := c.length * c.dir.Dot(n) / (c.restLength * max(n.Norm(), opposite))
		if ratio < closest.Ratio {
			closest = DiskClearance{Ratio: ratio, Tendon: c.tendon, Nodes: [2]int{c.a, c.b}}
		}
	}
	return closest
}
