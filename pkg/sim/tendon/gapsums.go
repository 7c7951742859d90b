package tendon

import "sinew/pkg/sim/spatial"

// gapSums are sums over the chords of one gap, all in the body axes of node a.
// With κ = T/length, u the direction, r_a and r_b the holes as seen from their
// own node, and w = r × u, a chord contributes to the tangent
//
//	K_xy = ±κ [I; [r_x]×] (I − u uᵀ) [I, −[r_y]×], + for x = y,
//
// and on a diagonal block the rotation of its own force. Only the ends of the sum
// are turned into the axes of node b, once per gap instead of once per chord.
type gapSums struct {
	force            spatial.Vec  // Σ T u, the force on a and minus that on b
	momentA, momentB spatial.Vec  // Σ T w_a, Σ T w_b
	stiff            float64      // Σ κ
	uu               lower3       // Σ κ u uᵀ
	ra, rb           spatial.Vec  // Σ κ r
	wau, wbu         spatial.Mat3 // Σ κ w uᵀ
	aa, bb           lower3       // angular quadrants of K_aa and K_bb
	ab               spatial.Mat3 // minus the angular quadrant of K_ab
}

// lower3 is the lower triangle of a symmetric matrix.
type lower3 struct{ XX, YX, YY, ZX, ZY, ZZ float64 }

// add adds chord c, with ra3 the rotation of node a and rel that of b seen from a.
func (s *gapSums) add(c *chord, ra3, rel *spatial.Mat3) {
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
	s.uu.add(&ku, &u)
	s.ra = s.ra.AddScaled(k, ra)
	s.rb = s.rb.AddScaled(k, rb)
	s.wau.AddOuter(&wa, &ku)
	s.wbu.AddOuter(&wb, &ku)
	s.aa.addAngular(k, t, &ra, &u, &wa)
	s.bb.addAngular(k, -t, &rb, &u, &wb)
	// κ ((r_a·r_b) I − r_b r_aᵀ − w_a w_bᵀ)
	d := k * ra.Dot(rb)
	s.ab.XX += d
	s.ab.YY += d
	s.ab.ZZ += d
	krb, kwa := rb.Scale(-k), wa.Scale(-k)
	s.ab.AddOuter(&krb, &ra)
	s.ab.AddOuter(&kwa, &wb)
}

// addAngular adds κ (r² I − r rᵀ − w wᵀ) and the symmetric part of −[r]×[T u]×,
// which is T (r·u) I − ½ T (u rᵀ + r uᵀ).
func (l *lower3) addAngular(k, t float64, r, u, w *spatial.Vec) {
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

// add adds a bᵀ, symmetric.
func (l *lower3) add(a, b *spatial.Vec) {
	l.XX += a.X * b.X
	l.YX += a.Y * b.X
	l.YY += a.Y * b.Y
	l.ZX += a.Z * b.X
	l.ZY += a.Z * b.Y
	l.ZZ += a.Z * b.Z
}

// full returns both triangles.
func (l *lower3) full() spatial.Mat3 {
	return spatial.Mat3{
		XX: l.XX, XY: l.YX, XZ: l.ZX,
		YX: l.YX, YY: l.YY, YZ: l.ZY,
		ZX: l.ZX, ZY: l.ZY, ZZ: l.ZZ,
	}
}

// wrenchB is the wrench on node b, in its axes.
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

// near adds the symmetric part of K_aa to k.
func (s *gapSums) near(k *spatial.Mat6) {
	k[0] += s.stiff - s.uu.XX
	k[6] -= s.uu.YX
	k[7] += s.stiff - s.uu.YY
	k[12] -= s.uu.ZX
	k[13] -= s.uu.ZY
	k[14] += s.stiff - s.uu.ZZ
	al := plusSkew(&s.wau, -1, s.ra.AddScaled(0.5, s.force))
	k.AddQuadrant(18, &al)
	addLower(k, 21, &s.aa)
}

// far adds the symmetric part of K_bb to k.
func (s *gapSums) far(k *spatial.Mat6, rel *spatial.Mat3) {
	ll := s.uu.congruence(rel)
	k[0] += s.stiff - ll.XX
	k[6] -= ll.YX
	k[7] += s.stiff - ll.YY
	k[12] -= ll.ZX
	k[13] -= ll.ZY
	k[14] += s.stiff - ll.ZZ
	al := plusSkew(&s.wbu, -1, s.rb.AddScaled(-0.5, s.force))
	al = al.Mul(*rel)
	al = rel.TMul(al)
	k.AddQuadrant(18, &al)
	aa := s.bb.congruence(rel)
	addLower(k, 21, &aa)
}

// congruence returns relᵀ l rel.
func (l *lower3) congruence(rel *spatial.Mat3) lower3 {
	m := l.full().Mul(*rel)
	r := rel
	return lower3{
		XX: r.XX*m.XX + r.YX*m.YX + r.ZX*m.ZX,
		YX: r.XY*m.XX + r.YY*m.YX + r.ZY*m.ZX,
		YY: r.XY*m.XY + r.YY*m.YY + r.ZY*m.ZY,
		ZX: r.XZ*m.XX + r.YZ*m.YX + r.ZZ*m.ZX,
		ZY: r.XZ*m.XY + r.YZ*m.YY + r.ZZ*m.ZY,
		ZZ: r.XZ*m.XZ + r.YZ*m.YZ + r.ZZ*m.ZZ,
	}
}

// couple adds K_ab to k.
func (s *gapSums) couple(k *spatial.Mat6, rel *spatial.Mat3) {
	ll := s.uu.full()
	ll.XX -= s.stiff
	ll.YY -= s.stiff
	ll.ZZ -= s.stiff
	wbu := s.wbu.T()
	la := plusSkew(&wbu, 1, s.rb)
	al := plusSkew(&s.wau, 1, s.ra.Neg())
	m := ll.Mul(*rel)
	k.AddQuadrant(0, &m)
	m = la.Mul(*rel)
	k.AddQuadrant(3, &m)
	m = al.Mul(*rel)
	k.AddQuadrant(18, &m)
	m = s.ab.Mul(*rel)
	subQuadrant(k, 21, &m)
}

// subQuadrant subtracts m from the quadrant of k at the index.
func subQuadrant(k *spatial.Mat6, at int, m *spatial.Mat3) {
	r := k[at : at+15 : at+15]
	r[0] -= m.XX
	r[1] -= m.XY
	r[2] -= m.XZ
	r[6] -= m.YX
	r[7] -= m.YY
	r[8] -= m.YZ
	r[12] -= m.ZX
	r[13] -= m.ZY
	r[14] -= m.ZZ
}

// addLower adds m to the lower triangle of the diagonal quadrant at the index.
func addLower(k *spatial.Mat6, at int, m *lower3) {
	r := k[at : at+15 : at+15]
	r[0] += m.XX
	r[6] += m.YX
	r[7] += m.YY
	r[12] += m.ZX
	r[13] += m.ZY
	r[14] += m.ZZ
}
