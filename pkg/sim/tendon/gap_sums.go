package tendon

import (
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// gapSums are sums over the chords of one gap in the body axes of node a. With κ = T/length, u the
// direction, r_a and r_b the holes relative to their own node, and w = r × u, a chord adds
//
//	K_xy = ±κ [I; [r_x]×] (I − u uᵀ) [I, −[r_y]×], + for x = y,
//
// to the tangent, and on a diagonal block the rotation of its own force. The sums are rotated into
// the axes of node b once per gap instead of once per chord.
type gapSums struct {
	force            spatial.Vec    // Σ T u, the force on a and minus that on b
	momentA, momentB spatial.Vec    // Σ T w_a, Σ T w_b
	stiff            float64        // Σ κ
	uu               spatial.Lower3 // Σ κ u uᵀ
	ra, rb           spatial.Vec    // Σ κ r
	wau, wbu         spatial.Mat3   // Σ κ w uᵀ
	aa, bb           spatial.Lower3 // angular quadrants of K_aa and K_bb
	ab               spatial.Mat3   // minus the angular quadrant of K_ab
}

// addChord adds chord c. ra3 is the rotation of node a and rel that of b relative to a.
func (s *gapSums) addChord(c *chord, ra3, rel *spatial.Mat3) {
	t := c.tension
	if t == 0 {
		return
	}
	k := t / c.length
	u := ra3.ApplyT(c.dir)
	ra, rb := c.ra, rel.Apply(c.rb)
	wa, wb := ra.Cross(u), rb.Cross(u)
	s.force = s.force.AddScaled(t, u)
	s.momentA = s.momentA.AddScaled(t, wa)
	s.momentB = s.momentB.AddScaled(t, wb)
	s.stiff += k
	ku := u.Scale(k)
	s.uu.AddOuter(&ku, &u)
	s.ra = s.ra.AddScaled(k, ra)
	s.rb = s.rb.AddScaled(k, rb)
	s.wau.AddOuter(&wa, &ku)
	s.wbu.AddOuter(&wb, &ku)
	addAngular(&s.aa, k, t, &ra, &u, &wa)
	addAngular(&s.bb, k, -t, &rb, &u, &wb)
	// κ ((r_a·r_b) I − r_b r_aᵀ − w_a w_bᵀ)
	d := k * ra.Dot(rb)
	s.ab.XX += d
	s.ab.YY += d
	s.ab.ZZ += d
	krb, kwa := rb.Scale(-k), wa.Scale(-k)
	s.ab.AddOuter(&krb, &ra)
	s.ab.AddOuter(&kwa, &wb)
}

// addAngular adds to l κ (r² I − r rᵀ − w wᵀ) and the symmetric part of −[r]×[T u]×,
// which is T (r·u) I − ½ T (u rᵀ + r uᵀ).
func addAngular(l *spatial.Lower3, k, t float64, r, u, w *spatial.Vec) {
	d := k*r.Norm2() + t*r.Dot(*u)
	h := r.Scale(k).AddScaled(0.5*t, *u)
	g := r.Scale(0.5 * t)
	kw := w.Scale(k)
	l.XX += d - h.X*r.X - g.X*u.X - kw.X*w.X
	l.YX -= h.Y*r.X + g.Y*u.X + kw.Y*w.X
	l.YY += d - h.Y*r.Y - g.Y*u.Y - kw.Y*w.Y
	l.ZX -= h.Z*r.X + g.Z*u.X + kw.Z*w.X
	l.ZY -= h.Z*r.Y + g.Z*u.Y + kw.Z*w.Y
	l.ZZ += d - h.Z*r.Z - g.Z*u.Z - kw.Z*w.Z
}

// addForce adds the force of chord c and its moments as addChord does, without the tangent.
func (s *gapSums) addForce(c *chord, ra3, rel *spatial.Mat3) {
	f := ra3.ApplyT(c.dir).Scale(c.tension)
	s.force = s.force.Add(f)
	s.momentA = s.momentA.Add(c.ra.Cross(f))
	s.momentB = s.momentB.Add(rel.Apply(c.rb).Cross(f))
}

// wrenchB returns the wrench on node b in its body axes.
func (s *gapSums) wrenchB(rel *spatial.Mat3) spatial.Wrench {
	return spatial.Wrench{Force: rel.ApplyT(s.force).Neg(), Moment: rel.ApplyT(s.momentB).Neg()}
}

// plusSkew returns s m + [u]×.
func plusSkew(m *spatial.Mat3, s float64, u spatial.Vec) spatial.Mat3 {
	return spatial.Mat3{
		XX: s * m.XX, XY: s*m.XY - u.Z, XZ: s*m.XZ + u.Y,
		YX: s*m.YX + u.Z, YY: s * m.YY, YZ: s*m.YZ - u.X,
		ZX: s*m.ZX - u.Y, ZY: s*m.ZY + u.X, ZZ: s * m.ZZ,
	}
}

// complement returns s I − l.
func complement(s float64, l *spatial.Lower3) spatial.Lower3 {
	return spatial.Lower3{
		XX: s - l.XX,
		YX: -l.YX, YY: s - l.YY,
		ZX: -l.ZX, ZY: -l.ZY, ZZ: s - l.ZZ,
	}
}

// addBlockA adds the symmetric part of K_aa to k.
func (s *gapSums) addBlockA(k *spatial.Mat6) {
	k.LinLin().AddLower(complement(s.stiff, &s.uu))
	al := plusSkew(&s.wau, -1, s.ra.AddScaled(0.5, s.force))
	k.RotLin().Add(al)
	k.RotRot().AddLower(s.aa)
}

// addBlockB adds the symmetric part of K_bb to k.
func (s *gapSums) addBlockB(k *spatial.Mat6, rel *spatial.Mat3) {
	ll := congruence(&s.uu, rel)
	k.LinLin().AddLower(complement(s.stiff, &ll))
	al := plusSkew(&s.wbu, -1, s.rb.AddScaled(-0.5, s.force))
	al = al.Mul(*rel)
	al = rel.TMul(al)
	k.RotLin().Add(al)
	k.RotRot().AddLower(congruence(&s.bb, rel))
}

// congruence returns relᵀ l rel.
func congruence(l *spatial.Lower3, rel *spatial.Mat3) spatial.Lower3 {
	m := l.Full().Mul(*rel)
	r := rel
	return spatial.Lower3{
		XX: r.XX*m.XX + r.YX*m.YX + r.ZX*m.ZX,
		YX: r.XY*m.XX + r.YY*m.YX + r.ZY*m.ZX,
		YY: r.XY*m.XY + r.YY*m.YY + r.ZY*m.ZY,
		ZX: r.XZ*m.XX + r.YZ*m.YX + r.ZZ*m.ZX,
		ZY: r.XZ*m.XY + r.YZ*m.YY + r.ZZ*m.ZY,
		ZZ: r.XZ*m.XZ + r.YZ*m.YZ + r.ZZ*m.ZZ,
	}
}

// addBlockAB adds K_ab to k.
func (s *gapSums) addBlockAB(k *spatial.Mat6, rel *spatial.Mat3) {
	ll := s.uu.Full()
	ll.XX -= s.stiff
	ll.YY -= s.stiff
	ll.ZZ -= s.stiff
	wbu := s.wbu.T()
	la := plusSkew(&wbu, 1, s.rb)
	al := plusSkew(&s.wau, 1, s.ra.Neg())
	k.LinLin().Add(ll.Mul(*rel))
	k.LinRot().Add(la.Mul(*rel))
	k.RotLin().Add(al.Mul(*rel))
	k.RotRot().Sub(s.ab.Mul(*rel))
}

// Assemble adds the wrenches and the tangent at constant tensions of all chords to q. pair has, for
// each gap of Gaps that does not begin at the base, the block that couples its nodes.
func (b *Bundle) Assemble(pose []spatial.Pose, q *strain.Equations, pair []*spatial.Mat6) {
	var s gapSums
	for i := range b.gaps {
		g := &b.gaps[i]
		s = gapSums{}
		ga, gb := &pose[g.a], &pose[g.b]
		rel := ga.R.TMul(gb.R)
		for j := g.first; j < g.last; j++ {
			s.addChord(&b.chords[j], &ga.R, &rel)
		}
		fb := s.wrenchB(&rel)
		addWrench(&q.Wrench[g.a], s.force, s.momentA)
		addWrench(&q.Wrench[g.b], fb.Force, fb.Moment)
		s.addBlockB(q.Diag[g.b], &rel)
		if g.a > 0 {
			s.addBlockA(q.Diag[g.a])
			s.addBlockAB(pair[i], &rel)
		}
	}
}

// AddWrenches adds the wrenches of all chords (body axes of the nodes), without the tangent.
func (b *Bundle) AddWrenches(pose []spatial.Pose, wrench []spatial.Wrench) {
	for i := range b.gaps {
		g := &b.gaps[i]
		s := gapSums{}
		ga, gb := &pose[g.a], &pose[g.b]
		rel := ga.R.TMul(gb.R)
		for j := g.first; j < g.last; j++ {
			s.addForce(&b.chords[j], &ga.R, &rel)
		}
		fb := s.wrenchB(&rel)
		addWrench(&wrench[g.a], s.force, s.momentA)
		addWrench(&wrench[g.b], fb.Force, fb.Moment)
	}
}
