package tendon

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/staggered"
	"sinew/pkg/sim/spatial"
)

// ErrOriginal is the error, in the sense of errors.Is, of a route that TendonForces handles wrongly
// or not at all.
var ErrOriginal = errors.New("TendonForces cannot do this")

// Original is a tendon on an explicitly stepped rod as in the TendonForces module for PyElastica,
// with its faults: a hole rotates with the element after its disk, but the couple acts on the
// element before it; disks have weight, along world −z at 9.80665 m/s² whatever gravity is, and no
// inertia, and each tendon adds that weight again.
type Original struct {
	nodes  []int
	hole   spatial.Vec // hole of the base plate and of every disk
	weight float64     // of one disk, N
}

// standardGravity is the gravity of TendonForces, m/s².
const standardGravity = 9.80665

// NewOriginal returns the tendon on route t with disks of the given mass (kg). It returns
// ErrOriginal for a single disk (the module divides by zero), for a disk at the last node (the
// module reads past the directors and loses the couple), and for holes that differ.
func NewOriginal(t *Route, r *rod.Rod, mass float64) (*Original, error) {
	last := len(t.Nodes) - 1
	switch {
	case last < 1:
		return nil, fmt.Errorf("%w: %d disk; it needs at least 2", ErrOriginal, last+1)
	case t.Nodes[last] >= r.Elements:
		return nil, fmt.Errorf("%w: a disk at the tip node %d; the last one possible is node %d at %g m",
			ErrOriginal, t.Nodes[last], r.Elements-1, r.Length-r.ElementLength)
	}
	for i, h := range t.Holes {
		if h != t.Base {
			return nil, fmt.Errorf("%w: the hole of disk %d is at (%g, %g) m, that of the base plate at (%g, %g) m",
				ErrOriginal, i+1, h.X, h.Y, t.Base.X, t.Base.Y)
		}
	}
	return &Original{nodes: t.Nodes, hole: t.Base, weight: mass * standardGravity}, nil
}

// AddLoads adds the forces and couples of the tendon under a tension (N), and the weight of its
// disks, to the external loads of the rod. It returns the wrench of the base on the tendon: force
// in world axes, moment about the base origin in world axes.
func (t *Original) AddLoads(x *staggered.State, tension float64) spatial.Wrench {
	pos, dir, force, couple := x.Positions(), x.Directors(), x.Forces(), x.Couples()
	h := t.hole
	arm := holeOffset(&dir[0], h)
	at, u := chordForce(pos[0].Add(arm), holePosition(pos, dir, t.nodes[0], h), tension)
	base := spatial.Wrench{Force: u.Neg(), Moment: u.Cross(arm)}
	for i, k := range t.nodes {
		var next spatial.Vec // force of the chord after the disk; 0 after the last disk
		if i+1 < len(t.nodes) {
			at, next = chordForce(at, holePosition(pos, dir, t.nodes[i+1], h), tension)
		}
		f := spatial.Vec{X: next.X - u.X, Y: next.Y - u.Y, Z: next.Z - u.Z}
		u = next
		p := &force[k]
		p.X += f.X
		p.Y += f.Y
		p.Z += f.Z - t.weight
		q := &dir[k-1]
		f1, f2, f3 := q.D1.Dot(f), q.D2.Dot(f), q.D3.Dot(f)
		c := &couple[k-1]
		c.X += h.Y * f3
		c.Y -= h.X * f3
		c.Z += h.X*f2 - h.Y*f1
	}
	return base
}

// holeOffset returns the body vector h, which has no component along d3, in world axes.
func holeOffset(d *staggered.Directors, h spatial.Vec) spatial.Vec {
	return spatial.Vec{
		X: d.D1.X*h.X + d.D2.X*h.Y,
		Y: d.D1.Y*h.X + d.D2.Y*h.Y,
		Z: d.D1.Z*h.X + d.D2.Z*h.Y,
	}
}

// holePosition returns the position of the hole h at node k, which rotates with the element after
// it.
func holePosition(pos []spatial.Vec, dir []staggered.Directors, k int, h spatial.Vec) spatial.Vec {
	return pos[k].Add(holeOffset(&dir[k], h))
}

// chordForce returns b, and the force on a of the chord to b with the given tension.
func chordForce(a, b spatial.Vec, tension float64) (end, pull spatial.Vec) {
	d := spatial.Vec{X: b.X - a.X, Y: b.Y - a.Y, Z: b.Z - a.Z}
	s := tension / math.Sqrt(d.X*d.X+d.Y*d.Y+d.Z*d.Z)
	return b, spatial.Vec{X: d.X * s, Y: d.Y * s, Z: d.Z * s}
}

// Length returns the length (m) of the tendon from the base plate to its last disk, and its rate
// (m/s).
func (t *Original) Length(x *staggered.State) (length, rate float64) {
	pos, dir := x.Positions(), x.Directors()
	vel, omega := x.Velocities(), x.AngularVelocities()
	a, va := holePosition(pos, dir, 0, t.hole), holeVelocity(vel, dir, omega, 0, t.hole)
	for _, k := range t.nodes {
		b, vb := holePosition(pos, dir, k, t.hole), holeVelocity(vel, dir, omega, k, t.hole)
		d := b.Sub(a)
		l := d.Norm()
		length += l
		rate += d.Dot(vb.Sub(va)) / l
		a, va = b, vb
	}
	return length, rate
}

// holeVelocity returns the velocity of the hole h at node k, world, m/s.
func holeVelocity(vel []spatial.Vec, dir []staggered.Directors, omega []spatial.Vec, k int, h spatial.Vec) spatial.Vec {
	return vel[k].Add(dir[k].World(omega[k].Cross(h)))
}
