package strain

import "sinew/pkg/sim/spatial"

// dual is the 6×6 matrix [[a, b], [0, a]], the form of the Jacobians within an element.
type dual struct{ a, b spatial.Mat3 }

// block6 is a 6×6 matrix of four 3×3 blocks, linear part first.
type block6 struct{ linLin, linRot, rotLin, rotRot spatial.Mat3 }

// strainJacobians returns S_a and S_b, the derivatives of x with respect to the body increments of
// the ends.
func strainJacobians(ev *spatial.Even, x *spatial.Twist) (a, b dual) {
	v, u := x.Linear.Scale(0.5), x.Angular.Scale(0.5)
	a = dual{minusSkew(&ev.A, &u).Scale(-1), minusSkew(&ev.B, &v).Scale(-1)}
	return a, dual{plusSkew(&ev.A, &u), plusSkew(&ev.B, &v)}
}

// times returns m d.
func (m *block6) times(d *dual) (r block6) {
	r.linLin, r.linRot = prod(&m.linLin, &d.a), prod2(&m.linLin, &d.b, &m.linRot, &d.a)
	r.rotLin, r.rotRot = prod(&m.rotLin, &d.a), prod2(&m.rotLin, &d.b, &m.rotRot, &d.a)
	return r
}

// addTimes adds m d to o.
func (m *block6) addTimes(o *block6, d *dual) {
	r := m.times(d)
	addMat3(&o.linLin, &r.linLin)
	addMat3(&o.linRot, &r.linRot)
	addMat3(&o.rotLin, &r.rotLin)
	addMat3(&o.rotRot, &r.rotRot)
}

// transposedTimes returns dᵀ m.
func (d *dual) transposedTimes(m *block6) (r block6) {
	d.addTransposedTimes(&r, m)
	return r
}

// addTransposedTimes adds dᵀ m to o.
func (d *dual) addTransposedTimes(o, m *block6) {
	addTProd(&o.linLin, &d.a, &m.linLin)
	addTProd(&o.linRot, &d.a, &m.linRot)
	addTProd2(&o.rotLin, &d.b, &m.linLin, &d.a, &m.rotLin)
	addTProd2(&o.rotRot, &d.b, &m.linRot, &d.a, &m.rotRot)
}

// transposed returns mᵀ.
func (m *block6) transposed() block6 {
	return block6{m.linLin.T(), m.rotLin.T(), m.linRot.T(), m.rotRot.T()}
}

// addDiagonalBlock adds sᵀ x + hᵀ y, which is symmetric, to the lower triangle of a diagonal block.
func addDiagonalBlock(to *spatial.Mat6, s *dual, x *block6, h *dual, y *block6) {
	var rotLin, rotRot spatial.Mat3
	addTProd2(&rotLin, &s.b, &x.linLin, &s.a, &x.rotLin)
	addTProd2(&rotLin, &h.b, &y.linLin, &h.a, &y.rotLin)
	addTProd2(&rotRot, &s.b, &x.linRot, &s.a, &x.rotRot)
	addTProd2(&rotRot, &h.b, &y.linRot, &h.a, &y.rotRot)
	to.LinLin().AddLower(lowerTProd(&s.a, &x.linLin))
	to.LinLin().AddLower(lowerTProd(&h.a, &y.linLin))
	to.RotLin().Add(rotLin)
	to.RotRot().AddLower(lowerOf(&rotRot))
}

// addSymmetric adds scale (m + mᵀ), m = [[0, q], [q, r]], to the lower triangle of a diagonal
// block.
func addSymmetric(to *spatial.Mat6, scale float64, q, r *spatial.Mat3) {
	xy, xz, yz := scale*(q.XY+q.YX), scale*(q.XZ+q.ZX), scale*(q.YZ+q.ZY)
	to.RotLin().Add(spatial.Mat3{XX: 2 * scale * q.XX, XY: xy, XZ: xz, YX: xy, YY: 2 * scale * q.YY, YZ: yz, ZX: xz, ZY: yz, ZZ: 2 * scale * q.ZZ})
	to.RotRot().AddLower(spatial.Lower3{
		XX: 2 * scale * r.XX,
		YX: scale * (r.YX + r.XY), YY: 2 * scale * r.YY,
		ZX: scale * (r.ZX + r.XZ), ZY: scale * (r.ZY + r.YZ), ZZ: 2 * scale * r.ZZ,
	})
}

// halfMinusTransposed returns ½ (m − aᵀ).
func halfMinusTransposed(m, a *spatial.Mat3) spatial.Mat3 {
	return spatial.Mat3{
		XX: 0.5 * (m.XX - a.XX), XY: 0.5 * (m.XY - a.YX), XZ: 0.5 * (m.XZ - a.ZX),
		YX: 0.5 * (m.YX - a.XY), YY: 0.5 * (m.YY - a.YY), YZ: 0.5 * (m.YZ - a.ZY),
		ZX: 0.5 * (m.ZX - a.XZ), ZY: 0.5 * (m.ZY - a.YZ), ZZ: 0.5 * (m.ZZ - a.ZZ),
	}
}

// addMat3 adds a to o.
func addMat3(o, a *spatial.Mat3) {
	o.XX += a.XX
	o.XY += a.XY
	o.XZ += a.XZ
	o.YX += a.YX
	o.YY += a.YY
	o.YZ += a.YZ
	o.ZX += a.ZX
	o.ZY += a.ZY
	o.ZZ += a.ZZ
}

func lowerOf(m *spatial.Mat3) spatial.Lower3 {
	return spatial.Lower3{XX: m.XX, YX: m.YX, YY: m.YY, ZX: m.ZX, ZY: m.ZY, ZZ: m.ZZ}
}
