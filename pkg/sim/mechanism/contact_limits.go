package mechanism

import "sinew/pkg/sim/spatial"

// deepest is the largest penetration that an iteration may cause, over the radius of the normal law.
const deepest = 0.5

// contactShare returns the step length, at most 1, along the increment: that of lineSearch, limited so that no collider
// passes through another.
func (w *World) contactShare() (share float64) {
	c := &w.contacts
	if share = 1; len(c.pairs) == 0 {
		return share
	}
	most := 0.0
	for i := range c.colliders {
		a := &c.colliders[i]
		most = max(most, w.colliderShift(a))
	}
	if 2*(c.travel+most) > (1-listShare)*c.margin {
		w.listNear(2 * most)
		for _, p := range c.listed {
			p.update(w.frames)
		}
	}
	for _, p := range c.listed {
		depth := deepest * min(p.a.lawRadius, p.b.lawRadius)
		room := max(p.gap+depth, 0.5*depth)
		shift := w.colliderShift(p.a) + w.colliderShift(p.b)
		if p.isNear && shift*share > room {
			shift = -p.gapChange(w)
		}
		if shift*share > room {
			share = room / shift
		}
	}
	return min(share, w.lineSearch())
}

// gapChange returns the change of the gap by the increment, to first order, m.
func (c *contactPoint) gapChange(w *World) float64 {
	return c.normal.Dot(w.relativeIncrement(&c.nodePoints))
}

// lineSearch returns the step length, at most 1, along the increment at which the energy is least, with the exact
// energy of contact and the second-order model of all else. The tangent of contact changes where a point
// touches or slips: without the line search, Newton's method cycles, as between two corners of a box that rocks.
func (w *World) lineSearch() float64 {
	const near, halvings = 0.5, 20
	isPressed := false
	for _, p := range w.contacts.listed {
		if p.isNear {
			p.gapRate = p.gapChange(w)
			isPressed = isPressed || p.isActive() || p.forceAt(p.gap+p.gapRate) > 0
		}
	}
	if !isPressed {
		return 1
	}
	w.matrix.MultiplyFirst(w.increment, w.residual, len(w.pose))
	curvature := 0.0 // ηᵀ K η, which is the fall of the energy per share at the start
	for i := range w.pose {
		curvature += dot(&w.increment[i], &w.residual[i])
	}
	if curvature <= 0 { // rows of open joints drive the increment
		return 1
	}
	rest := curvature
	for _, p := range w.contacts.listed {
		if !p.isNear {
			continue
		}
		rest -= p.slope * p.gapRate * p.gapRate
		if b := &p.friction; b.law.Limit > 0 {
			b.rate = w.relativeIncrement(&b.nodePoints)
			b.rate = b.rate.AddScaled(-b.rate.Dot(b.plane), b.plane)
			columns, n := b.columns()
			for _, q := range columns[:n] {
				rest -= q.stiffness * q.v.Dot(b.rate) * q.v.Dot(b.rate)
			}
		}
	}
	before := w.contactPower(0)
	slope := func(share float64) float64 { return share*rest - curvature + w.contactPower(share) - before }
	if slope(1) <= near*curvature {
		return 1
	}
	lo, hi := 0.0, 1.0
	for range halvings {
		mid := 0.5 * (lo + hi)
		if d := slope(mid); d < -near/10*curvature {
			lo = mid
		} else if d > near/10*curvature {
			hi = mid
		} else {
			return mid
		}
	}
	return hi
}

// contactPower returns the derivative of the energy of contact with respect to the share of the increment, J.
func (w *World) contactPower(share float64) (sum float64) {
	for _, p := range w.contacts.listed {
		if !p.isNear {
			continue
		}
		sum -= p.forceAt(p.gap+share*p.gapRate) * p.gapRate
		if b := &p.friction; b.law.Limit > 0 {
			sum -= b.law.Force(b.trial.AddScaled(share, b.rate)).Dot(b.rate)
		}
	}
	return sum
}

// relativeIncrement returns the change of relativePosition by the increment, to first order, m.
func (w *World) relativeIncrement(nodePoints *[4]nodePoint) (sum spatial.Vec) {
	for i := range nodePoints {
		if s := &nodePoints[i]; w.isUnknown(s.node) {
			x := &w.increment[s.node]
			d := x.Linear().Scale(s.weight).Add(x.Angular().Cross(s.arm))
			sum = sum.AddScaled(sideSign(i), w.pose[s.node].R.Apply(d))
		}
	}
	return sum
}

// colliderShift returns a bound of the displacement of a collider by the increment, to first order, m.
func (w *World) colliderShift(c *collider) (most float64) {
	if c.kind == fieldCollider {
		if !w.isUnknown(c.node) {
			return 0
		}
		x := &w.increment[c.node]
		return x.Linear().Norm() + x.Angular().Norm()*(c.local.Norm()+c.bound)
	}
	for i := range c.endpoints {
		k := &c.endpoints[i]
		if !w.isUnknown(k.node) {
			continue
		}
		x := &w.increment[k.node]
		d := x.Linear().Add(x.Angular().Cross(k.at))
		most = max(most, d.Norm()+0.25*c.length*x.Angular().Cross(k.tangent).Norm())
	}
	return most
}
