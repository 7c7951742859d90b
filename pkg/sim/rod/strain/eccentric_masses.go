package strain

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// eccentricMasses are the masses of attached bodies whose centres of mass are not at their nodes,
// each at q = p + R c with a history of its own. The rotary inertia about the centre of mass is
// part of that of the node.
type eccentricMasses struct {
	bodies  []eccentricMass
	pos     []spatial.Vec // at the start of the step, m
	past    []spatial.Vec // at the level before, m
	vel     []spatial.Vec // m/s
	pastVel []spatial.Vec // at the level before, m/s
	hat     []spatial.Vec // q̂, m
	tilde   []spatial.Vec // q̃, m
}

// eccentricMass is one such mass.
type eccentricMass struct {
	node int
	mass float64     // kg
	arm  spatial.Vec // c, body axes, m
}

// newEccentricMasses returns the state of the given bodies.
func newEccentricMasses(bodies []eccentricMass) eccentricMasses {
	n := len(bodies)
	x := eccentricMasses{bodies: bodies}
	for _, v := range []*[]spatial.Vec{&x.pos, &x.past, &x.vel, &x.pastVel, &x.hat, &x.tilde} {
		*v = make([]spatial.Vec, n)
	}
	return x
}

// eccentricPosition returns the position q of the centre of mass of b, world, m.
func (s *State) eccentricPosition(b *eccentricMass) spatial.Vec { return s.Pose[b.node].Apply(b.arm) }

// beginEccentric sets the reference values of a step.
func (s *State) beginEccentric(f integrate.BDF) {
	o := &s.eccentric
	for k := range o.bodies {
		o.pos[k] = s.eccentricPosition(&o.bodies[k])
		o.hat[k] = f.Hat(o.pos[k], o.past[k])
		o.tilde[k] = o.hat[k].Add(f.VelocityTerm(o.vel[k], o.pastVel[k]))
	}
}

// commitEccentric makes the end of the step the state.
func (s *State) commitEccentric() {
	o := &s.eccentric
	for k := range o.bodies {
		o.past[k] = o.pos[k]
		o.pastVel[k], o.vel[k] = o.vel[k], s.eccentricPosition(&o.bodies[k]).Sub(o.hat[k]).Scale(s.step.gamma).Flush()
	}
}

// stopEccentric sets the bodies at rest at the present configuration.
func (s *State) stopEccentric() {
	o := &s.eccentric
	for k := range o.bodies {
		o.past[k] = s.eccentricPosition(&o.bodies[k])
	}
	clear(o.vel)
	clear(o.pastVel)
}

// assembleEccentric adds weight and inertia of the bodies to wrenches and tangents. With f their
// force in body axes and B = [1, −[c]×], the wrench is (f, c × f) and the tangent m β Bᵀ B plus the
// second derivative of q along geodesics.
func (s *State) assembleEccentric(q *Equations) {
	o := &s.eccentric
	for k := range o.bodies {
		b := &o.bodies[k]
		r, c := &s.Pose[b.node].R, b.arm
		world := s.opt.Gravity.Scale(s.gravityScale * b.mass)
		inertia := s.step.beta * b.mass
		if inertia != 0 {
			world = world.AddScaled(-inertia, s.eccentricPosition(b).Sub(o.tilde[k]))
		}
		f := r.ApplyT(world)
		w, t := &q.Wrench[b.node], q.Diag[b.node]
		w.Force, w.Moment = w.Force.Add(f), w.Moment.Add(c.Cross(f))
		t.LinLin().AddDiag(inertia)
		t.RotLin().AddSkew(c.Scale(inertia).Add(f.Scale(0.5)))
		d := inertia*c.Norm2() + f.Dot(c)
		m := spatial.Lower3{XX: d, YY: d, ZZ: d}
		u := c.Scale(-inertia).Sub(f.Scale(0.5))
		m.AddOuter(&u, &c)
		u = c.Scale(-0.5)
		m.AddOuter(&u, &f)
		t.RotRot().AddLower(m)
	}
}

// eccentricPotential returns the incremental potential of the bodies, J.
func (s *State) eccentricPotential() (sum float64) {
	o := &s.eccentric
	for k := range o.bodies {
		b := &o.bodies[k]
		at := s.eccentricPosition(b)
		sum -= s.gravityScale * b.mass * s.opt.Gravity.Dot(at)
		if s.step.beta != 0 {
			sum += 0.5 * s.step.beta * b.mass * at.Sub(o.tilde[k]).Norm2()
		}
	}
	return sum
}

// eccentricEnergy returns the kinetic energy of the masses, J.
func (s *State) eccentricEnergy() (sum float64) {
	for k := range s.eccentric.bodies {
		sum += 0.5 * s.eccentric.bodies[k].mass * s.eccentric.vel[k].Norm2()
	}
	return sum
}
