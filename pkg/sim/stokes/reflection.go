package stokes

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Reflect returns the displacement (m and rad, world axes) that walls add to a step of h
// seconds in which thermal motion of energy kT (J) has taken a body, without them, from the
// footing to x. The reactions are without friction, so that a body turns as it is pushed
// off. For one plane at constant drift and noise the motion is exact (Lépingle, Math.
// Comput. Simul. 38 (1995) 119): the least gap on the way is that of a Brownian bridge,
//
//	(gap0 + gap1 − √((gap1 − gap0)² + 2 σ² c))/2,
//
// with the variance σ² of the gap and an exponentially distributed c, and what of it is
// negative is how far the wall has pushed the body. To move bodies out of walls instead
// leaves too many of them at the wall, in proportion to the root of h.
func (w *Walls) Reflect(from *Footing, x spatial.Vec, extent *spatial.Mat3, kT, h float64, n *Noise) spatial.Twist {
	const deviations = 10 // beyond which a wall is not reached
	var sum spatial.Twist
	for i := range w.count() {
		var points, ends [2]contact
		w.contacts(&points, i, from.Position, &from.Extent)
		w.contacts(&ends, i, x, extent)
		c := &points[0]
		unit := from.Mobility.Apply(c.wrench(1))
		speed := unit.Linear.Add(unit.Angular.Cross(c.arm)).Dot(c.normal)
		variance := 2 * kT * h * speed
		gap0, gap1 := c.gap, ends[0].gap
		if gap0 > 0 && gap1 > 0 && min(gap0, gap1) > deviations*math.Sqrt(variance) {
			continue
		}
		v := n.Vec() // half the squared length of two numbers is exponentially distributed
		d := gap1 - gap0
		least := (gap0 + gap1 - math.Sqrt(d*d+variance*(v.X*v.X+v.Y*v.Y))) / 2
		if least < 0 {
			push := -least / speed
			sum.Linear = sum.Linear.AddScaled(push, unit.Linear)
			sum.Angular = sum.Angular.AddScaled(push, unit.Angular)
		}
	}
	return sum
}
