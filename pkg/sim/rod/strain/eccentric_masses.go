package strain

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// offCentre are the masses of attached bodies whose centres of mass are not at their nodes:
// each at q = p + R c, with a history of its own. Their rotary inertia about the centre is
// that of the node.
type eccentricMasses struct {
	bodies  []eccentricMass
	pos     []spatial.Vec // at the beginning of the step, m
	past    []spatial.Vec // of the level before, m
	vel     []spatial.Vec // m/s
	pastVel []spatial.Vec // velocities of the level before, m/s
	hat     []spatial.Vec // q̂
	tilde   []spatial.Vec // q̃
}

// eccentric is one such mass.
type eccentricMass struct {
	node int
	mass float64     // kg
	arm  spatial.Vec // c, body axes, m
}

// newOffCentre makes room for the bodies.
func newEccentricMasses(bodies []eccentricMass) eccentricMasses {
	n := len(bodies)
	x := eccentricMasses{bodies: bodies}
	for _, v := range []*[]spatial.Vec{&x.pos, &x.past, &x.vel, &x.pastVel, &x.hat, &x.tilde} {
		*v = make([]spatial.Vec, n)
	}
	return x
}

// centre is where body b is.
func (s *State) eccentricPosition(b *eccentricMass) spatial.Vec { return s.Pose[b.node].Apply(b.arm) }

// beginOffCentre starts a step.
func (s *State) beginEccentric(f integrate.BDF) {
	o := &s.eccentric
	for k := range o.bodies {
		o.pos[k] = s.eccentricPosition(&o.bodies[k])
		o.hat[k] = f.Hat(o.pos[k], o.past[k])
		o.tilde[k] = o.hat[k].Add(f.Lead(o.vel[k], o.pastVel[k]))
	}
}

// acceptOffCentre ends a step.
func (s *State) commitEccentric() {
	o := &s.eccentric
	for k := range o.bodies {
		o.past[k] = o.pos[k]
		o.pastVel[k], o.vel[k] = o.vel[k], s.eccentricPosition(&o.bodies[k]).Sub(o.hat[k]).Scale(s.step.gamma).Flush()
	}
}

// restOffCentre stops the bodies where they are.
func (s *State) stopEccentric() {
	o := &s.eccentric
	for k := range o.bodies {
		o.past[k] = s.eccentricPosition(&o.bodies[k])
	}
	clear(o.vel)
	clear(o.pastVel)
}

// addOffCentre adds weight and inertia of the bodies to wrenches and tangents: with f their
// force in body axes and B = [1, −[c]×], f and c × f, and m β Bᵀ B with the second derivative
// of q along geodesics.
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

// potentialOffCentre is the incremental potential of the bodies, J.
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

// energyOffCentre is the kinetic energy of the masses, J.
func (s *State) eccentricEnergy() (sum float64) {
	for k := range s.eccentric.bodies {
		sum += 0.5 * s.eccentric.bodies[k].mass * s.eccentric.vel[k].Norm2()
	}
	return sum
}
