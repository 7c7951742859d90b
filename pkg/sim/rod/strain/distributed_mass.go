package strain

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// The mass of a rod with elements of order 4 is distributed along their centre lines, which are the
// cubic Hermite interpolation of the positions p and tangents t = R e₃ of the nodes. With the
// consistent mass matrix M of each element and q = (p_a, t_a, p_b, t_b), the incremental potential
// of weight and inertia is
//
//	½ β (q − q̃)ᵀ M (q − q̃) − qᵀ M (g, 0, g, 0).
//
// The forces on p act on the nodes, and those on t are moments about them, t × f. For a straight
// element the weight is the consistent load of the cubic beam element: ½ m g on both ends, and
// moments ± m l/12 t × g, with which the nodes of a cantilever under its weight have no error for
// elements of any lengths. Mass that is lumped to the nodes leaves out these moments. A uniform
// acceleration of the base acts as gravity does, since both loads are M times a uniform vector.
//
// Elements of order 2 have lumped mass. The bending moment of lumped weight is exact at the nodes,
// and its mean over an element is too large by as much as the lever of a constant curvature is too
// short.
//
// The reference value q̃ is that of the BDF of the vectors q, so tangents and positions have the
// same error in time. The rates of the tangents are therefore part of the state. The tangent is R e₃
// also where the rod shears or stretches, which leaves an error of order 2 in proportion to the
// strain.

// distributedMass is the distributed mass, with its loads at an iterate.
type distributedMass struct {
	elements      []rod.ConsistentMass // nil: the mass is lumped to the nodes
	diagonal      []diagonalMass       // by node
	rate          []spatial.Vec        // ṫ at the start of the step, by node, 1/s
	pastRate      []spatial.Vec        // ṫ at the level before, 1/s
	hat           []spatial.Vec        // t̂, by node
	tilde         []spatial.Vec        // t̃, by node
	force         []spatial.Vec        // of weight and inertia on p, by node, attached masses included, world axes, N
	tangentForce  []spatial.Vec        // the same on t, N m
	accelerations [][2]spatial.Vec     // by node, β (p − p̃) and β (t − t̃), m/s² and 1/s²
	valid         bool                 // force, tangentForce and accelerations are those of the present poses, step and gravity
}

// diagonalMass is the diagonal block of the mass matrix for a node, and the first moment of the consistent
// load.
type diagonalMass struct {
	linear, coupled, tangent float64 // kg, attached mass included; kg m; kg m²
	moment                   float64 // kg m
}

// newDistributedMass returns the distributed mass of r, and sets mass to its consistent load.
func newDistributedMass(r *rod.Rod, mass []float64) (d distributedMass) {
	if r.Order != 4 {
		return d
	}
	n := len(mass)
	d = distributedMass{elements: make([]rod.ConsistentMass, r.Elements), diagonal: make([]diagonalMass, n), accelerations: make([][2]spatial.Vec, n)}
	for _, v := range [...]*[]spatial.Vec{&d.rate, &d.pastRate, &d.hat, &d.tilde, &d.force, &d.tangentForce} {
		*v = make([]spatial.Vec, n)
	}
	clear(mass)
	for e := range d.elements {
		d.elements[e] = r.ConsistentMass(e)
		m := &d.elements[e]
		load, moment := m.Load()
		for k := range load {
			o := &d.diagonal[e+k]
			o.linear += m[2*k][2*k]
			o.coupled += m[2*k][2*k+1]
			o.tangent += m[2*k+1][2*k+1]
			mass[e+k] += load[k]
			o.moment += moment[k]
		}
	}
	return d
}

// tangentOf returns R e₃.
func tangentOf(r *spatial.Mat3) spatial.Vec { return spatial.Vec{X: r.XZ, Y: r.YZ, Z: r.ZZ} }

// tangentRate returns R (ω × e₃).
func tangentRate(r *spatial.Mat3, omega spatial.Vec) spatial.Vec {
	return r.Apply(spatial.Vec{X: omega.Y, Y: -omega.X})
}

// beginDistributedMass sets the reference values of a step.
func (s *State) beginDistributedMass(f integrate.BDF) {
	d := &s.distributed
	d.valid = false
	for i := range d.tilde {
		now := &s.Pose[i].R
		back := spatial.ExpRot(s.past.rotation[i].Neg())
		d.hat[i] = f.Hat(tangentOf(now), now.Apply(tangentOf(&back)))
		d.tilde[i] = d.hat[i].Add(f.VelocityTerm(d.rate[i], d.pastRate[i]))
	}
}

// setDistributedMassAtRest sets the reference values to those of the present configuration at rest.
func (s *State) setDistributedMassAtRest() {
	s.distributed.valid = false
	for i := range s.distributed.tilde {
		t := tangentOf(&s.Pose[i].R)
		s.distributed.hat[i], s.distributed.tilde[i] = t, t
	}
}

// commitDistributedMass makes the rates at the end of the step the state.
func (s *State) commitDistributedMass() {
	d := &s.distributed
	d.valid = false
	for i := range d.rate {
		d.pastRate[i], d.rate[i] = d.rate[i], tangentOf(&s.Pose[i].R).Sub(d.hat[i]).Scale(s.step.gamma).Flush()
	}
}

// moveTangentRates changes the rates of the tangent of node i at both levels by the difference that
// the given rotations and angular velocities make to R (ω × e₃).
func (s *State) moveTangentRates(i int, now, was *spatial.Mat3, omega, pastOmega spatial.Vec) {
	d := &s.distributed
	if d.elements == nil {
		return
	}
	r := &s.Pose[i].R
	before := r.Mul(spatial.ExpRot(s.past.rotation[i].Neg()))
	d.rate[i] = d.rate[i].Add(tangentRate(now, omega).Sub(tangentRate(r, s.omega[i])))
	d.pastRate[i] = d.pastRate[i].Add(tangentRate(was, pastOmega).Sub(tangentRate(&before, s.past.omega[i])))
}

// updateDistributedLoads computes the loads of the distributed mass at the present poses.
func (s *State) updateDistributedLoads() {
	d := &s.distributed
	if d.elements == nil || d.valid {
		return
	}
	d.valid = true
	g, beta := s.opt.Gravity.Scale(s.gravityScale), s.step.beta
	if beta == 0 {
		for i := range d.diagonal {
			d.force[i], d.tangentForce[i] = g.Scale(s.mass[i]), g.Scale(d.diagonal[i].moment)
		}
		return
	}
	var pa, ta spatial.Vec // of the node before
	for i := range d.diagonal {
		o, r := &d.diagonal[i], &s.Pose[i].R
		p := s.Pose[i].P.Sub(s.step.posTilde[i]).Scale(beta)
		t := spatial.Vec{X: beta * (r.XZ - d.tilde[i].X), Y: beta * (r.YZ - d.tilde[i].Y), Z: beta * (r.ZZ - d.tilde[i].Z)}
		d.accelerations[i] = [2]spatial.Vec{p, t}
		force := combine3(s.mass[i], &g, -o.linear, &p, -o.coupled, &t)
		tangentForce := combine3(o.moment, &g, -o.coupled, &p, -o.tangent, &t)
		if i > 0 {
			m := &d.elements[i-1]
			subtract2(&d.force[i-1], m[0][2], &p, m[0][3], &t)
			subtract2(&d.tangentForce[i-1], m[1][2], &p, m[1][3], &t)
			subtract2(&force, m[0][2], &pa, m[1][2], &ta)
			subtract2(&tangentForce, m[0][3], &pa, m[1][3], &ta)
		}
		d.force[i], d.tangentForce[i] = force, tangentForce
		pa, ta = p, t
	}
}

// accelerate sets the loads to those that give the nodes whose poses are given, the last ones, the accelerations x, linear in
// world axes and angular in body axes, while a node before them stays.
func (d *distributedMass) accelerate(pose []spatial.Pose, x []spatial.Vec6) {
	d.valid = false
	d.force[0], d.tangentForce[0] = spatial.Vec{}, spatial.Vec{}
	first := len(d.diagonal) - len(x)
	var pa, ta spatial.Vec // of the node before
	for k := range x {
		i := k + first
		o := &d.diagonal[i]
		p, t := x[k].Linear(), tangentRate(&pose[k].R, x[k].Angular())
		d.force[i], d.tangentForce[i] = combine(o.linear, &p, o.coupled, &t), combine(o.coupled, &p, o.tangent, &t)
		if i > 0 {
			m := &d.elements[i-1]
			d.force[i-1] = d.force[i-1].AddScaled(m[0][2], p).AddScaled(m[0][3], t)
			d.tangentForce[i-1] = d.tangentForce[i-1].AddScaled(m[1][2], p).AddScaled(m[1][3], t)
			d.force[i] = d.force[i].AddScaled(m[0][2], pa).AddScaled(m[1][2], ta)
			d.tangentForce[i] = d.tangentForce[i].AddScaled(m[0][3], pa).AddScaled(m[1][3], ta)
		}
		pa, ta = p, t
	}
}

// subtract2 subtracts s a + t b from o.
func subtract2(o *spatial.Vec, s float64, a *spatial.Vec, t float64, b *spatial.Vec) {
	o.X -= s*a.X + t*b.X
	o.Y -= s*a.Y + t*b.Y
	o.Z -= s*a.Z + t*b.Z
}

// combine3 returns r a + s b + t c.
func combine3(r float64, a *spatial.Vec, s float64, b *spatial.Vec, t float64, c *spatial.Vec) spatial.Vec {
	return spatial.Vec{X: r*a.X + s*b.X + t*c.X, Y: r*a.Y + s*b.Y + t*c.Y, Z: r*a.Z + s*b.Z + t*c.Z}
}

// baseWeightMoment returns the moment of the weight about node 0, body axes, N m.
func (s *State) baseWeightMoment() spatial.Vec {
	w := s.Base.R.ApplyT(s.opt.Gravity.Scale(s.gravityScale * s.distributed.diagonal[0].moment))
	return spatial.Vec{X: -w.Y, Y: w.X}
}

// addBaseInertia adds the inertia of the distributed mass at the end of the step to the inertial wrench
// of node 0.
func (s *State) addBaseInertia() {
	d, beta, r := &s.distributed, s.step.beta, &s.Pose[0].R
	o, m := &d.diagonal[0], &d.elements[0]
	accelerationsOf := func(i int) (p, t spatial.Vec) {
		return s.Pose[i].P.Sub(s.step.posTilde[i]).Scale(beta), tangentOf(&s.Pose[i].R).Sub(d.tilde[i]).Scale(beta)
	}
	pa, ta := accelerationsOf(0)
	pb, tb := accelerationsOf(1)
	force := combine3(o.linear, &pa, o.coupled, &ta, m[0][2], &pb).AddScaled(m[0][3], tb)
	tangentForce := r.ApplyT(combine3(o.coupled, &pa, o.tangent, &ta, m[1][2], &pb).AddScaled(m[1][3], tb))
	w := &s.baseReaction.inertialWrench
	w.Force, w.Moment = w.Force.Add(force), w.Moment.Add(spatial.Vec{X: -tangentForce.Y, Y: tangentForce.X})
}

// distributedMoment returns the moment of the tangentForce on node i, body axes, and the tangentForce in these
// axes, N m.
func (s *State) distributedMoment(i int) (moment, tangentForce spatial.Vec) {
	c := s.Pose[i].R.ApplyT(s.distributed.tangentForce[i])
	return spatial.Vec{X: -c.Y, Y: c.X}, c
}

// addDistributedMass adds the tangent of the tangentForce c, in body axes, and of the inertia of the
// distributed mass to the diagonal block k of node i and to the block next that couples it to the
// node before; next is nil for node 1.
func (s *State) addDistributedMass(i int, c *spatial.Vec, k, next *spatial.Mat6) {
	beta, o := s.step.beta, &s.distributed.diagonal[i]
	d := beta*o.tangent + c.Z
	k.RotRot().AddLower(spatial.Lower3{XX: d, YY: d, ZX: -0.5 * c.X, ZY: -0.5 * c.Y})
	if beta == 0 {
		return
	}
	k.RotLin().AddSkew(spatial.Vec{Z: beta * o.coupled})
	if next == nil {
		return
	}
	m, q := &s.distributed.elements[i-1], &s.relativePoses[i-1].R
	pp, pt, tp, tt := beta*m[0][2], -beta*m[0][3], beta*m[1][2], beta*m[1][3]
	a := next.LinLin()
	a[0] += pp * q.XX
	a[1] += pp * q.XY
	a[2] += pp * q.XZ
	a[6] += pp * q.YX
	a[7] += pp * q.YY
	a[8] += pp * q.YZ
	a[12] += pp * q.ZX
	a[13] += pp * q.ZY
	a[14] += pp * q.ZZ
	b := next.LinRot() // −[·] Q [e₃]
	b[0] += pt * q.XY
	b[1] -= pt * q.XX
	b[6] += pt * q.YY
	b[7] -= pt * q.YX
	b[12] += pt * q.ZY
	b[13] -= pt * q.ZX
	l := next.RotLin() // [e₃] Q
	l[0] -= tp * q.YX
	l[1] -= tp * q.YY
	l[2] -= tp * q.YZ
	l[6] += tp * q.XX
	l[7] += tp * q.XY
	l[8] += tp * q.XZ
	r := next.RotRot() // −[e₃] Q [e₃]
	r[0] += tt * q.YY
	r[1] -= tt * q.YX
	r[6] -= tt * q.XY
	r[7] += tt * q.XX
}

// distributedPotential returns the incremental potential of the distributed mass and the masses
// attached at nodes, J.
func (s *State) distributedPotential() float64 {
	s.updateDistributedLoads()
	d := &s.distributed
	g := s.opt.Gravity.Scale(s.gravityScale)
	weight, inertia := 0.0, 0.0
	for i := range d.diagonal {
		m, moment := s.mass[i], d.diagonal[i].moment
		weight -= m*g.Dot(s.Pose[i].P) + moment*g.Dot(tangentOf(&s.Pose[i].R))
		if s.step.beta != 0 { // M times the deviations is the weight minus the loads
			p, t := &d.accelerations[i][0], &d.accelerations[i][1]
			inertia += m*g.Dot(*p) - d.force[i].Dot(*p) + moment*g.Dot(*t) - d.tangentForce[i].Dot(*t)
		}
	}
	if s.step.beta != 0 {
		inertia /= 2 * s.step.beta
	}
	return weight + inertia
}

// product returns qᵀ M q for the vectors q = (p, t) of the nodes, attached masses included.
func (d *distributedMass) product(p, t []spatial.Vec) (sum float64) {
	for i := range d.diagonal {
		o := &d.diagonal[i]
		sum += o.linear*p[i].Norm2() + 2*o.coupled*p[i].Dot(t[i]) + o.tangent*t[i].Norm2()
		if i > 0 {
			m := &d.elements[i-1]
			sum += 2 * (p[i].Dot(p[i-1].Scale(m[0][2]).AddScaled(m[1][2], t[i-1])) + t[i].Dot(p[i-1].Scale(m[0][3]).AddScaled(m[1][3], t[i-1])))
		}
	}
	return sum
}
