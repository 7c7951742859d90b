package integrate

import "sinew/pkg/sim/spatial"

// Splitting is a method of second order that alternates between impulses of the loads at a fixed
// placement and the load-free motion. The latter is an exact rotation by L/J_b, with the angular
// momentum L and the middle principal moment J_b, and rotations about the other two axes by the
// rest of the kinetic energy (Touma and Wisdom, Astron. J. 107 (1994) 1189-1202). Each part
// conserves the momentum in world axes to round-off and is symplectic: without loads the momentum
// is constant, the energy error is bounded, and a body with two equal moments moves exactly.
// Impulses use the midpoint rule, so loads may depend on velocities; those need h d/m < 2 for a
// drag coefficient d.
type Splitting[S LoadedBody] struct {
	system              S
	body                MassProperties
	velocityIndependent bool        // loads do not depend on velocities
	aligned             bool        // body axes are principal axes
	inv                 spatial.Vec // 1/J of the principal moments, 1/(kg m²)
	base                float64     // 1/J_b
	outer, mid          energyPart  // parts of the kinetic energy besides that of base
	momenta
	last    Motion // motion at the end of the last step
	started bool   // momenta and last are known
}

// energyPart is the part L_i²/2 (1/J_i − 1/J_b) of the kinetic energy.
type energyPart struct {
	axis uint8
	rate float64 // 1/J_i − 1/J_b
}

// momenta are the state that loads change. They persist from step to step, since a conversion from
// and to velocities would add the same round-off every time.
type momenta struct {
	centre spatial.Vec // position of the centre in the world, m
	l      spatial.Vec // angular momentum about the centre, world axes, kg m²/s
	v      spatial.Vec // velocity of the centre, world axes, m/s
}

// NewSplitting returns the method for s, whose MassProperties must not change.
func NewSplitting[S LoadedBody](s S) *Splitting[S] {
	g := s.MassProperties()
	m := g.Moments
	p := &Splitting[S]{system: s, body: g, velocityIndependent: s.VelocityIndependent(), aligned: g.Axes == spatial.IdentityQuat(),
		inv: spatial.Vec{X: 1 / m.X, Y: 1 / m.Y, Z: 1 / m.Z}}
	order := [3]uint8{0, 1, 2} // by moment
	for _, pair := range [...][2]int{{0, 1}, {1, 2}, {0, 1}} {
		if i, j := pair[0], pair[1]; component(m, order[i]) > component(m, order[j]) {
			order[i], order[j] = order[j], order[i]
		}
	}
	p.base = component(p.inv, order[1])
	p.outer = energyPart{order[0], component(p.inv, order[0]) - p.base}
	p.mid = energyPart{order[2], component(p.inv, order[2]) - p.base}
	if p.outer.rate == 0 { // two equal moments: the remaining rotation needs no halves
		p.outer, p.mid = p.mid, p.outer
	}
	return p
}

func component(v spatial.Vec, axis uint8) float64 {
	switch axis {
	case 0:
		return v.X
	case 1:
		return v.Y
	default:
		return v.Z
	}
}

// Restart implements Stepper.
func (p *Splitting[S]) Restart() { p.started = false }

// Step implements Stepper. It returns ErrNonFinite if the new state is not finite.
func (p *Splitting[S]) Step(t, h float64, x *Motion) (Solve, error) {
	if !p.started || *x != p.last {
		p.begin(x)
	}
	q, m := p.axes(x.Q), &p.momenta
	p.kick(t, h/2, q)
	q, m.centre = p.rotated(h, q, m.l), m.centre.AddScaled(h, m.v)
	p.kick(t+h, h/2, q)
	q = q.Normalized()
	next := p.motion(q, m)
	if !next.IsFinite() {
		p.started = false
		return Solve{}, ErrNonFinite
	}
	p.last, *x = next, next
	return Solve{}, nil
}

// begin sets the momenta to those of the motion x.
func (p *Splitting[S]) begin(x *Motion) {
	c, v := p.body.at(x)
	p.momenta = momenta{centre: c, l: x.Q.Apply(p.body.Inertia.Apply(x.V.Angular)), v: v}
	p.last, p.started = *x, true
}

// axes returns the principal axes of a body with the attitude q.
func (p *Splitting[S]) axes(q spatial.Quat) spatial.Quat {
	if p.aligned {
		return q
	}
	return q.Mul(p.body.Axes)
}

// attitude returns the attitude of the body with the principal axes q.
func (p *Splitting[S]) attitude(q spatial.Quat) spatial.Quat {
	if p.aligned {
		return q
	}
	return q.Mul(p.body.Axes.Conj())
}

// motion returns the motion with the principal axes q and the momenta m.
func (p *Splitting[S]) motion(q spatial.Quat, m *momenta) Motion {
	w := q.Conj().Apply(m.l).Mul(p.inv)
	if !p.aligned {
		w = p.body.Axes.Apply(w)
	}
	return p.body.motion(p.attitude(q), m.centre, m.v, w)
}

// kick changes the momenta by the loads at a fixed placement for h seconds.
func (p *Splitting[S]) kick(t, h float64, q spatial.Quat) {
	m := &p.momenta
	if p.velocityIndependent {
		x := Motion{Placement: p.body.placement(p.attitude(q), m.centre)}
		m.addImpulse(&p.body, h, x.Q, p.system.Load(t, x))
		return
	}
	mid := *m
	x := p.motion(q, m)
	mid.addImpulse(&p.body, h/2, x.Q, p.system.Load(t, x))
	m.addImpulse(&p.body, h, x.Q, p.system.Load(t, p.motion(q, &mid)))
}

// addImpulse changes m by the load f, in the body axes r, for h seconds.
func (m *momenta) addImpulse(g *MassProperties, h float64, r spatial.Quat, f spatial.Wrench) {
	m.l = m.l.AddScaled(h, r.Apply(f.Moment.Sub(g.Centre.Cross(f.Force))))
	if g.Mass > 0 {
		m.v = m.v.AddScaled(h/g.Mass, r.Apply(f.Force))
	}
}

// rotated returns q after h seconds without loads, for the angular momentum l in world axes.
func (p *Splitting[S]) rotated(h float64, q spatial.Quat, l spatial.Vec) spatial.Quat {
	b := q.Conj().Apply(l)
	q = q.Mul(expStep(b.Scale(h * p.base)))
	if p.mid.rate == 0 {
		q, _ = p.outer.rotate(q, b, h)
		return q
	}
	q, b = p.outer.rotate(q, b, h/2)
	q, b = p.mid.rotate(q, b, h)
	q, _ = p.outer.rotate(q, b, h/2)
	return q
}

// rotate returns q, and the angular momentum l in its axes, after h seconds of this part of the
// motion: a rotation about one axis, so most products vanish.
func (e energyPart) rotate(q spatial.Quat, l spatial.Vec, h float64) (spatial.Quat, spatial.Vec) {
	r := expStep(spatial.Vec{X: h * e.rate * component(l, e.axis)})
	c, s := r.W, r.X // of half the angle
	cc, ss := c*c-s*s, 2*s*c
	switch e.axis {
	case 0:
		return spatial.Quat{W: q.W*c - q.X*s, X: q.X*c + q.W*s, Y: q.Y*c + q.Z*s, Z: q.Z*c - q.Y*s},
			spatial.Vec{X: l.X, Y: cc*l.Y + ss*l.Z, Z: cc*l.Z - ss*l.Y}
	case 1:
		return spatial.Quat{W: q.W*c - q.Y*s, X: q.X*c - q.Z*s, Y: q.Y*c + q.W*s, Z: q.Z*c + q.X*s},
			spatial.Vec{X: cc*l.X - ss*l.Z, Y: l.Y, Z: cc*l.Z + ss*l.X}
	default:
		return spatial.Quat{W: q.W*c - q.Z*s, X: q.X*c + q.Y*s, Y: q.Y*c - q.X*s, Z: q.Z*c + q.W*s},
			spatial.Vec{X: cc*l.X + ss*l.Y, Y: cc*l.Y - ss*l.X, Z: l.Z}
	}
}

// splittingStateLen is the number of values that Save writes: started and the momenta.
const splittingStateLen = 10

// StateLen implements Stepper.
func (p *Splitting[S]) StateLen() int { return splittingStateLen }

// Save implements Stepper.
func (p *Splitting[S]) Save(dst []float64) {
	dst[0] = 0
	if p.started {
		dst[0] = 1
	}
	for i, v := range [...]spatial.Vec{p.centre, p.l, p.v} {
		v.Put(dst[3*i+1:])
	}
}

// Restore implements Stepper.
func (p *Splitting[S]) Restore(src []float64, x Motion) {
	p.started, p.last = src[0] != 0, x
	for i, v := range [...]*spatial.Vec{&p.centre, &p.l, &p.v} {
		*v = spatial.VecAt(src[3*i+1:])
	}
}
