package integrate

import "sinew/pkg/sim/spatial"

// RKMK4Body is RKMK4 for a rigid body with inertia. It integrates the rotation vector u of the
// step, the angular velocity in body axes, and position and velocity of the centre in the world.
// About the centre, only loads couple translation and rotation, so the free fall of a body is exact
// and a fixed centre stays fixed.
type RKMK4Body[S LoadedBody] struct {
	stateless
	system              S
	body                MassProperties
	velocityIndependent bool // loads do not depend on velocities
}

// NewRKMK4 returns the method for s, whose MassProperties must not change.
func NewRKMK4[S LoadedBody](s S) *RKMK4Body[S] {
	return &RKMK4Body[S]{system: s, body: s.MassProperties(), velocityIndependent: s.VelocityIndependent()}
}

// Step implements Stepper. It returns ErrNonFinite if the new state is not finite.
func (p *RKMK4Body[S]) Step(t, h float64, x *Motion) (Solve, error) {
	half := 0.5 * h
	q, w := x.Q, x.V.Angular
	c, v := p.body.at(x)
	a1, b1 := p.rates(t, q, c, v, w)

	u := w.Scale(half)
	v2, w2 := v.AddScaled(half, a1), w.AddScaled(half, b1)
	a2, b2 := p.rates(t+half, q.Mul(expStep(u)), c.AddScaled(half, v), v2, w2)
	k2 := dexpInv(u, w2)

	u = k2.Scale(half)
	v3, w3 := v.AddScaled(half, a2), w.AddScaled(half, b2)
	a3, b3 := p.rates(t+half, q.Mul(expStep(u)), c.AddScaled(half, v2), v3, w3)
	k3 := dexpInv(u, w3)

	u = k3.Scale(h)
	v4, w4 := v.AddScaled(h, a3), w.AddScaled(h, b3)
	a4, b4 := p.rates(t+h, q.Mul(expStep(u)), c.AddScaled(h, v3), v4, w4)
	k4 := dexpInv(u, w4)

	sixth := h / 6
	q = q.Mul(expStep(weightedSum(sixth, w, k2, k3, k4))).Normalized()
	if p.body.Mass > 0 {
		c = c.Add(weightedSum(sixth, v, v2, v3, v4))
		v = v.Add(weightedSum(sixth, a1, a2, a3, a4))
	}
	next := p.body.motion(q, c, v, w.Add(weightedSum(sixth, b1, b2, b3, b4)))
	if !next.IsFinite() {
		return Solve{}, ErrNonFinite
	}
	*x = next
	return Solve{}, nil
}

// rates returns the acceleration of the centre in world axes and the rate of change of the
// angular velocity w in the body axes q, from the equations of Newton and Euler.
func (p *RKMK4Body[S]) rates(t float64, q spatial.Quat, c, v, w spatial.Vec) (linear, angular spatial.Vec) {
	g := &p.body
	var x Motion
	if p.velocityIndependent {
		x.Placement = g.placement(q, c)
	} else {
		x = g.motion(q, c, v, w)
	}
	f := p.system.Load(t, x)
	if g.Mass > 0 {
		linear = q.Apply(f.Force).Scale(1 / g.Mass)
	}
	m := f.Moment.Sub(g.Centre.Cross(f.Force)).Sub(w.Cross(g.Inertia.Apply(w)))
	return linear, g.Inverse.Apply(m)
}
