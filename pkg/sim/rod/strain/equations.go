package strain

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Equations are the assembled equations of the nodes: their wrenches and the symmetric part of the
// tangent K = −∂(wrench)/∂(body increment).
type Equations struct {
	// Wrench is the total wrench on each node, base included, in body axes about the node.
	Wrench []spatial.Wrench
	// Skew defines the skew part of the tangent. That of the diagonal block of node i is −½ [[0,
	// [F]×], [[F]×, [C]×]] with (F, C) = Skew[i].
	Skew []spatial.Wrench
	// Diag are the diagonal blocks, lower triangles, by node. Next are the blocks that couple a
	// node to the next one. Entry 0 of both is nil unless the start is free, since the base is
	// prescribed then.
	Diag, Next []*spatial.Mat6
}

// AssembleElements sets wrenches and blocks to those of the elements. It is the first assembly call
// of an iterate.
func (s *State) AssembleElements(q *Equations) {
	var a, b spatial.Wrench
	var k stiffness
	s.condenseSlopes()
	q.Wrench[0] = spatial.Wrench{}
	for e := range s.Strain {
		x := &s.Strain[e]
		ev := &s.evenParts[e]
		ev.Set(x)
		law := &s.elements[e]
		n, m := law.stressAndStiffness(x, &s.step.hat[e], s.step.rate[e], &s.condensed[e], &k)
		if s.jenkins.elements != nil {
			m = s.addJenkinsMoments(e, m, &k)
		}
		a, b = nodalWrenches(ev, x, n, m)
		w := &q.Wrench[e]
		w.Force, w.Moment = w.Force.Add(a.Force), w.Moment.Add(a.Moment)
		q.Wrench[e+1] = b
		k.tangent(ev, &s.relativePoses[e], x, n, m, &a, &b, q.Diag[e], q.Next[e], q.Diag[e+1])
		if s.condensed[e].midpoint != nil {
			s.assembleMidpoint(e, &k, q)
		}
	}
}

// AssembleElementWrenches sets the wrenches to those of the elements, without the tangent.
func (s *State) AssembleElementWrenches(wrench []spatial.Wrench) {
	s.condenseSlopes()
	wrench[0] = spatial.Wrench{}
	for e := range s.Strain {
		x, ev, law, o := &s.Strain[e], &s.evenParts[e], &s.elements[e], &s.condensed[e]
		ev.Set(x)
		var n, m spatial.Vec
		if law.isLinear {
			n, m = conjugateStress(&o.slope, o.n, o.m)
		} else {
			n, m, _ = law.stress(x, &s.step.hat[e].mean, s.step.rate[e])
		}
		if s.jenkins.elements != nil {
			m = s.addJenkinsMoments(e, m, nil)
		}
		a, b := nodalWrenches(ev, x, n, m)
		w := &wrench[e]
		w.Force, w.Moment = w.Force.Add(a.Force), w.Moment.Add(a.Moment)
		wrench[e+1] = b
		if o.midpoint != nil {
			l, h := s.opt.MidpointLoads.Load(e, &s.placement), newMidpointMap(x)
			addEndWrenches(wrench, e, &h, &l.Wrench)
		}
	}
}

// AssembleNodes adds inertia, gravity, drag and external loads of all nodes, of the base only where the
// start is free, and sets Skew. Call it after everything else with a potential has been added.
func (s *State) AssembleNodes(q *Equations) {
	s.assembleEccentric(q)
	s.updateDistributedLoads()
	for i := s.first; i < len(s.Pose); i++ {
		w, k, l := &q.Wrench[i], q.Diag[i], &s.Loads[i]
		r := &s.Pose[i].R
		f := r.ApplyT(s.worldForce(i).Add(l.Force))
		w.Force = w.Force.Add(f)
		if s.step.beta != 0 {
			s.addMass(i, k)
		}
		// a dead force (fixed in the world): ½ [f]× below the diagonal
		k.RotLin().AddSkew(f.Scale(0.5))
		if s.distributed.elements != nil {
			moment, tangentForce := s.distributedMoment(i)
			w.Moment = w.Moment.Add(moment)
			var next *spatial.Mat6
			if i > s.first {
				next = q.Next[i-1]
			}
			s.addDistributedMass(i, &tangentForce, k, next)
		}
		skew := *w
		if s.step.beta != 0 {
			inertial, twist := s.addInertia(i, k)
			w.Moment = w.Moment.Sub(inertial)
			skew.Moment = skew.Moment.AddScaled(-2, twist)
		}
		m := r.ApplyT(l.Moment)
		w.Moment = w.Moment.Add(m).Add(l.Follower.Moment)
		w.Force = w.Force.Add(l.Follower.Force)
		skew.Moment = skew.Moment.AddScaled(2, m)
		q.Skew[i] = skew
	}
}

// AssembleNodeWrenches adds the wrenches of AssembleNodes, without a valid tangent. q needs room
// for the tangent.
func (s *State) AssembleNodeWrenches(q *Equations) {
	s.assembleEccentric(q)
	s.updateDistributedLoads()
	for i := s.first; i < len(s.Pose); i++ {
		w, l, r := &q.Wrench[i], &s.Loads[i], &s.Pose[i].R
		w.Force = w.Force.Add(r.ApplyT(s.worldForce(i).Add(l.Force))).Add(l.Follower.Force)
		if s.step.beta != 0 {
			w.Moment = w.Moment.Sub(s.inertialMoment(i))
		}
		if s.distributed.elements != nil {
			moment, _ := s.distributedMoment(i)
			w.Moment = w.Moment.Add(moment)
		}
		w.Moment = w.Moment.Add(r.ApplyT(l.Moment)).Add(l.Follower.Moment)
	}
}

// worldForce returns the force of gravity, inertia and drag on node i, world axes, N.
func (s *State) worldForce(i int) spatial.Vec {
	m := s.mass[i]
	var f spatial.Vec
	if s.distributed.elements != nil {
		f = s.distributed.force[i]
	} else {
		f = s.opt.Gravity.Scale(s.gravityScale * m)
	}
	if s.step.beta == 0 {
		return f
	}
	if s.distributed.elements == nil {
		f = f.AddScaled(-s.step.beta*m, s.Pose[i].P.Sub(s.step.posTilde[i]))
	}
	if s.opt.Drag == nil && s.opt.Quadratic == nil {
		return f
	}
	return f.Add(s.dragForce(i))
}

// dragForce returns the drag on node i at the end of the step, world axes, N.
func (s *State) dragForce(i int) spatial.Vec {
	v := s.Pose[i].P.Sub(s.step.posHat[i]).Scale(s.step.gamma)
	return v.Scale(-s.drag[i] - s.quadratic[i]*v.Norm())
}

// addMass adds the tangents of linear inertia and drag to the linear quadrant.
func (s *State) addMass(i int, k *spatial.Mat6) {
	m := s.mass[i]
	if s.distributed.elements != nil {
		m = s.distributed.diagonal[i].linear
	}
	d := s.step.beta*m + s.step.gamma*s.drag[i]
	if c := s.quadratic[i]; c > 0 {
		// c γ (|v| I + v vᵀ/|v|), in body axes
		v := s.Pose[i].R.ApplyT(s.Pose[i].P.Sub(s.step.posHat[i])).Scale(s.step.gamma)
		if norm := v.Norm(); norm > 0 {
			d += c * s.step.gamma * norm
			u := v.Scale(c * s.step.gamma / norm)
			var drag spatial.Lower3
			drag.AddOuter(&u, &v)
			k.LinLin().AddLower(drag)
		}
	}
	k.LinLin().AddDiag(d)
}

// inertialMoment returns β J (D − D̃) + ω* × J ω* of node i plus the moment of rotational drag,
// body axes, N m.
func (s *State) inertialMoment(i int) spatial.Vec {
	m := s.inertia[i].Scale(s.step.beta).Mul(s.stepRotation[i].Sub(s.step.turnTilde[i])).Add(s.step.gyroscopic[i])
	if s.opt.RotationalDrag == nil {
		return m
	}
	return m.AddScaled(s.step.gamma*s.opt.RotationalDrag[i], s.stepRotation[i].Sub(s.step.turnHat[i]))
}

// addInertia returns the inertial moment of node i. It adds the symmetric part of its tangent β J
// J_r⁻¹(D), that of drag included, to the angular quadrant, and returns the vector t of the skew
// part [t]×.
func (s *State) addInertia(i int, k *spatial.Mat6) (moment, t spatial.Vec) {
	j, jr := s.inertia[i].Scale(s.step.beta), spatial.RightJacobianInv(s.stepRotation[i])
	if s.opt.RotationalDrag != nil {
		d := s.step.gamma * s.opt.RotationalDrag[i]
		j = j.Add(spatial.Vec{X: d, Y: d, Z: d})
	}
	moment = s.inertialMoment(i)
	m := diagTimes(&j, &jr)
	k.RotRot().AddLower(spatial.Lower3{
		XX: m.XX,
		YX: 0.5 * (m.YX + m.XY), YY: m.YY,
		ZX: 0.5 * (m.ZX + m.XZ), ZY: 0.5 * (m.ZY + m.YZ), ZZ: m.ZZ,
	})
	return moment, spatial.Vec{X: 0.5 * (m.ZY - m.YZ), Y: 0.5 * (m.XZ - m.ZX), Z: 0.5 * (m.YX - m.XY)}
}

// AddShift adds shift times a positive diagonal to the blocks (Levenberg shift), which has the
// magnitude of mass and bending stiffness of the adjacent elements.
func (s *State) AddShift(q *Equations, shift float64) {
	for i := s.first; i < len(s.Pose); i++ {
		linear, l := s.shift(i)
		d := shift * linear
		k := q.Diag[i]
		k.LinLin().AddDiag(d)
		k.RotRot().AddDiag(d * l * l)
	}
}

// shift returns the diagonal of AddShift at node i for translations, N/m, and the length, m, whose square it has
// for rotations.
func (s *State) shift(i int) (linear, l float64) {
	l, b := s.minSpacing[i], s.maxBending[i]
	return s.step.beta*s.mass[i] + b/(l*l*l), l
}

// Potential returns the incremental potential of the rod and its loads, J. Tendons, contacts and
// other force elements are not part of it. It is the merit function of a step: its gradient is the
// residual up to second-order terms of the rotary inertia. Loads without a potential do the work of
// the frozen ones; see FreezeLoads.
func (s *State) Potential() float64 {
	sum := 0.0
	s.condenseSlopes()
	for e := range s.Strain {
		sum += s.elements[e].potential(&s.Strain[e], &s.step.hat[e], s.step.rate[e], &s.condensed[e])
	}
	sum += s.jenkinsPotential()
	sum += s.eccentricPotential()
	sum += s.distributedPotential()
	for i := s.first; i < len(s.Pose); i++ {
		p, m := s.Pose[i].P, s.lumpedMass(i)
		sum -= s.gravityScale*m*s.opt.Gravity.Dot(p) + s.Loads[i].Force.Dot(p)
		sum -= s.frozen.force[i].Dot(p) + s.frozen.moment[i].Dot(s.stepRotation[i])
		if s.step.beta == 0 {
			continue
		}
		d := s.stepRotation[i].Sub(s.step.turnTilde[i])
		sum += 0.5 * s.step.beta * (m*p.Sub(s.step.posTilde[i]).Norm2() + d.Dot(s.inertia[i].Mul(d)))
		sum += s.step.gyroscopic[i].Dot(s.stepRotation[i])
		if c := s.opt.RotationalDrag; c != nil {
			sum += 0.5 * s.step.gamma * c[i] * s.stepRotation[i].Sub(s.step.turnHat[i]).Norm2()
		}
		if s.opt.Drag != nil || s.opt.Quadratic != nil {
			v2 := s.step.gamma * s.step.gamma * p.Sub(s.step.posHat[i]).Norm2()
			sum += 0.5*s.drag[i]*v2/s.step.gamma + s.quadratic[i]*v2*math.Sqrt(v2)/(3*s.step.gamma)
		}
	}
	return sum
}

// SkewResidual sets x to known − A x with A the skew part of the tangent. This is the right-hand
// side of an iterative refinement of K x = known with a factorisation of the symmetric part. Both
// start with node 1.
func (q *Equations) SkewResidual(known, x []spatial.Vec6) {
	for i := range x {
		s, d, w := &q.Skew[i+1], x[i].Linear(), x[i].Angular()
		f := s.Force.Cross(w).Scale(0.5)
		m := s.Force.Cross(d).Add(s.Moment.Cross(w)).Scale(0.5)
		k := &known[i]
		x[i] = spatial.Vec6{k[0] + f.X, k[1] + f.Y, k[2] + f.Z, k[3] + m.X, k[4] + m.Y, k[5] + m.Z}
	}
}

// SkewPart returns the skew part of the diagonal block of node i.
func (q *Equations) SkewPart(i int) spatial.Mat6 {
	f, m := spatial.Skew(q.Skew[i].Force).Scale(-0.5), spatial.Skew(q.Skew[i].Moment).Scale(-0.5)
	return spatial.Blocks6(spatial.Mat3{}, f, f, m)
}
