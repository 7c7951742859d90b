package mechanism

import (
	"fmt"

	"sinew/pkg/sim/spatial"
)

// Disks are those of a rod through whose holes a tendon runs.
type Disks struct {
	Rod        string
	ArcLengths []float64 // of the section of each hole, m; the plate at the start of the rod is at 0
}

// LeastDiskDistance is the share of their distance in the straight rod that two disks keep at each hole of a tendon.
const LeastDiskDistance = 0.02

// DiskCollisionError is the error of a motion or an equilibrium in which two disks meet at the holes of a tendon. Where the holes pass each
// other the direction of the tendon jumps, and the iterations have no end.
type DiskCollisionError struct {
	Tendon, Rod string
	ArcLengths  [2]float64 // of the disks, m
	Ratio       float64    // of their distance at the holes to that in the straight rod
}

func (e *DiskCollisionError) Error() string {
	return fmt.Sprintf("mechanism: the disks at %.4g m and %.4g m of %q collide at the holes of tendon %q: their distance there is %.2g of that of the straight rod, allowed: above %g; use less tension or pull, slower commands, or disks nearer to the rod",
		e.ArcLengths[0], e.ArcLengths[1], e.Rod, e.Tendon, e.Ratio, LeastDiskDistance)
}

// disk is the node of a section with a hole.
type disk struct {
	node int
	at   float64 // arc length, m
}

// placeDisks finds the nodes of the disks.
func (t *routedTendon) placeDisks(w *World, first []int) {
	for _, at := range t.Disks.ArcLengths {
		s := w.side(&JointSide{Link: t.Disks.Rod, At: at, Frame: spatial.Pose{R: spatial.Identity3()}}, first)
		t.disks = append(t.disks, disk{s.node, at})
	}
}

// closestDisks returns the least distance of two disks of the tendon at its holes along their mean normal, in parts of that in the straight
// rod, and where. It is below 0 where they have passed through each other, and 1 without disks.
func (t *routedTendon) closestDisks(w *World) (least float64, segment int) {
	least = 1
	if len(t.disks) == 0 {
		return least, 0
	}
	t.measure(w)
	for i := range t.path {
		a, b := t.disks[i], t.disks[i+1]
		n := w.pose[a.node].R.Col3().Add(w.pose[b.node].R.Col3())
		l, u := t.path.Chord(i)
		const opposite = 1e-6 // avoids a division by 0 for disks with opposite normals
		if ratio := l * u.Dot(n) / ((b.at - a.at) * max(n.Norm(), opposite)); ratio < least {
			least, segment = ratio, i
		}
	}
	return least, segment
}

// DiskDistance returns the least distance of two disks at the holes of a tendon, in parts of that in the straight rod; 1 without disks.
func (w *World) DiskDistance() float64 {
	least := 1.0
	for _, t := range w.tendons {
		d, _ := t.closestDisks(w)
		least = min(least, d)
	}
	return least
}

// checkDisks refuses disks that collide.
func (w *World) checkDisks() error {
	for _, t := range w.tendons {
		if ratio, i := t.closestDisks(w); ratio < LeastDiskDistance {
			return &DiskCollisionError{Tendon: t.Name, Rod: t.Disks.Rod, ArcLengths: [2]float64{t.disks[i].at, t.disks[i+1].at}, Ratio: ratio}
		}
	}
	return nil
}
