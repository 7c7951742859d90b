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
func (w *Walls) Reflect(from *ContactReference, x spatial.Vec, hull *Hull, kT, h float64, n *Noise) spatial.Twist {
	var sum spatial.Twist
	var begin, end [maxTouches]contact
	for i := range w.count() {
		before, after := w.points(&begin, i, from.Position, &from.Hull), w.points(&end, i, x, hull)
		if len(before) > 0 && len(after) > 0 {
			sum = addTwist(sum, before[0].reflect(&from.Mobility, after[0].gap, kT, h, n))
		}
	}
	return sum
}

// reflect returns the displacement that a wall adds to a step at whose end its gap is gap1.
func (c *contact) reflect(m *Mobility, gap1, kT, h float64, n *Noise) (sum spatial.Twist) {
	const deviations = 10 // beyond which a wall is not reached
	unit := m.Apply(c.wrench(1))
	speed := unit.Linear.Add(unit.Angular.Cross(c.arm)).Dot(c.normal)
	variance := 2 * kT * h * speed
	gap0 := c.gap
	if gap0 > 0 && gap1 > 0 && min(gap0, gap1) > deviations*math.Sqrt(variance) {
		return sum
	}
	v := n.Vec() // half the squared length of two numbers is exponentially distributed
	d := gap1 - gap0
	if least := (gap0 + gap1 - math.Sqrt(d*d+variance*(v.X*v.X+v.Y*v.Y))) / 2; least < 0 {
		push := -least / speed
		sum.Linear, sum.Angular = unit.Linear.Scale(push), unit.Angular.Scale(push)
	}
	return sum
}

func addTwist(a, b spatial.Twist) spatial.Twist {
	return spatial.Twist{Linear: a.Linear.Add(b.Linear), Angular: a.Angular.Add(b.Angular)}
}
