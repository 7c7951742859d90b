package spatial

// Vec6 is a six-vector, linear part first, laid out for the block kernels.
type Vec6 [6]float64

// Vec6Of returns (a, b).
func Vec6Of(a, b Vec) Vec6 { return Vec6{a.X, a.Y, a.Z, b.X, b.Y, b.Z} }

// Linear returns the first three components.
func (v *Vec6) Linear() Vec { return Vec{v[0], v[1], v[2]} }

// Angular returns the last three components.
func (v *Vec6) Angular() Vec { return Vec{v[3], v[4], v[5]} }

// Mat6 is a 6×6 matrix, row-major: a block of a rod's stiffness matrix. Its
// kernels are written out so that the compiler keeps a row in registers; they
// serve factorisations LDLᵀ with blocks as entries, of which they are the steps.
type Mat6 [36]float64

// Blocks6 returns [[ll, la], [al, aa]].
func Blocks6(ll, la, al, aa Mat3) Mat6 {
	return Mat6{
		ll.XX, ll.XY, ll.XZ, la.XX, la.XY, la.XZ,
		ll.YX, ll.YY, ll.YZ, la.YX, la.YY, la.YZ,
		ll.ZX, ll.ZY, ll.ZZ, la.ZX, la.ZY, la.ZZ,
		al.XX, al.XY, al.XZ, aa.XX, aa.XY, aa.XZ,
		al.YX, al.YY, al.YZ, aa.YX, aa.YY, aa.YZ,
		al.ZX, al.ZY, al.ZZ, aa.ZX, aa.ZY, aa.ZZ,
	}
}

// Mirror makes the upper triangle that of the symmetric matrix with the lower triangle of m.
func (m *Mat6) Mirror() {
	m[1], m[2], m[3], m[4], m[5] = m[6], m[12], m[18], m[24], m[30]
	m[8], m[9], m[10], m[11] = m[13], m[19], m[25], m[31]
	m[15], m[16], m[17] = m[20], m[26], m[32]
	m[22], m[23] = m[27], m[33]
	m[29] = m[34]
}

// Apply returns m x.
func (m *Mat6) Apply(x *Vec6) (y Vec6) {
	for i := range y {
		r := m[6*i : 6*i+6 : 6*i+6]
		y[i] = r[0]*x[0] + r[1]*x[1] + r[2]*x[2] + r[3]*x[3] + r[4]*x[4] + r[5]*x[5]
	}
	return y
}

// singularPivot is the ratio of a pivot to the largest diagonal entry of its
// block below which the block counts as singular.
const singularPivot = 1e-13

// FactorLDL replaces the lower triangle of the symmetric m by its factors
// L D Lᵀ: L, of unit diagonal, below the diagonal and 1/D on it. The part above
// the diagonal is neither read nor written. There is no pivoting. It returns the
// number of negative pivots, which is that of negative eigenvalues, and whether
// every pivot was larger than 1e-13 of the largest diagonal entry.
func (m *Mat6) FactorLDL() (negative int, ok bool) {
	big := max(m[0], -m[0], m[7], -m[7], m[14], -m[14], m[21], -m[21], m[28], -m[28], m[35], -m[35])
	d0 := m[0]
	i0 := 1 / d0
	t10 := m[6]
	l10 := t10 * i0
	t20 := m[12]
	l20 := t20 * i0
	t30 := m[18]
	l30 := t30 * i0
	t40 := m[24]
	l40 := t40 * i0
	t50 := m[30]
	l50 := t50 * i0
	d1 := m[7] - l10*t10
	i1 := 1 / d1
	t21 := m[13] - l20*t10
	l21 := t21 * i1
	t31 := m[19] - l30*t10
	l31 := t31 * i1
	t41 := m[25] - l40*t10
	l41 := t41 * i1
	t51 := m[31] - l50*t10
	l51 := t51 * i1
	d2 := m[14] - l20*t20 - l21*t21
	i2 := 1 / d2
	t32 := m[20] - l30*t20 - l31*t21
	l32 := t32 * i2
	t42 := m[26] - l40*t20 - l41*t21
	l42 := t42 * i2
	t52 := m[32] - l50*t20 - l51*t21
	l52 := t52 * i2
	d3 := m[21] - l30*t30 - l31*t31 - l32*t32
	i3 := 1 / d3
	t43 := m[27] - l40*t30 - l41*t31 - l42*t32
	l43 := t43 * i3
	t53 := m[33] - l50*t30 - l51*t31 - l52*t32
	l53 := t53 * i3
	d4 := m[28] - l40*t40 - l41*t41 - l42*t42 - l43*t43
	i4 := 1 / d4
	t54 := m[34] - l50*t40 - l51*t41 - l52*t42 - l53*t43
	l54 := t54 * i4
	d5 := m[35] - l50*t50 - l51*t51 - l52*t52 - l53*t53 - l54*t54
	i5 := 1 / d5
	m[0] = i0
	m[6] = l10
	m[12] = l20
	m[18] = l30
	m[24] = l40
	m[30] = l50
	m[7] = i1
	m[13] = l21
	m[19] = l31
	m[25] = l41
	m[31] = l51
	m[14] = i2
	m[20] = l32
	m[26] = l42
	m[32] = l52
	m[21] = i3
	m[27] = l43
	m[33] = l53
	m[28] = i4
	m[34] = l54
	m[35] = i5
	floor := singularPivot * big
	ok = true
	for _, d := range [6]float64{d0, d1, d2, d3, d4, d5} {
		if d < 0 {
			negative++
			d = -d
		}
		ok = ok && d > floor // false for NaN too
	}
	return negative, ok
}

// SolveL replaces x by L⁻¹ x and y by D⁻¹ L⁻¹ x, with the factors of FactorLDL
// in f.
func (f *Mat6) SolveL(x, y *Mat6) {
	for c := 0; c < 6; c++ {
		x0 := x[c]
		x1 := x[6+c] - f[6]*x0
		x2 := x[12+c] - f[12]*x0 - f[13]*x1
		x3 := x[18+c] - f[18]*x0 - f[19]*x1 - f[20]*x2
		x4 := x[24+c] - f[24]*x0 - f[25]*x1 - f[26]*x2 - f[27]*x3
		x5 := x[30+c] - f[30]*x0 - f[31]*x1 - f[32]*x2 - f[33]*x3 - f[34]*x4
		x[0+c], y[0+c] = x0, x0*f[0]
		x[6+c], y[6+c] = x1, x1*f[7]
		x[12+c], y[12+c] = x2, x2*f[14]
		x[18+c], y[18+c] = x3, x3*f[21]
		x[24+c], y[24+c] = x4, x4*f[28]
		x[30+c], y[30+c] = x5, x5*f[35]
	}
}

// SubTMul subtracts yᵀ x from m.
func (m *Mat6) SubTMul(y, x *Mat6) {
	for r := 0; r < 6; r++ {
		y0, y1, y2, y3, y4, y5 := y[r], y[6+r], y[12+r], y[18+r], y[24+r], y[30+r]
		o := m[6*r : 6*r+6 : 6*r+6]
		o[0] -= y0*x[0] + y1*x[6] + y2*x[12] + y3*x[18] + y4*x[24] + y5*x[30]
		o[1] -= y0*x[1] + y1*x[7] + y2*x[13] + y3*x[19] + y4*x[25] + y5*x[31]
		o[2] -= y0*x[2] + y1*x[8] + y2*x[14] + y3*x[20] + y4*x[26] + y5*x[32]
		o[3] -= y0*x[3] + y1*x[9] + y2*x[15] + y3*x[21] + y4*x[27] + y5*x[33]
		o[4] -= y0*x[4] + y1*x[10] + y2*x[16] + y3*x[22] + y4*x[28] + y5*x[34]
		o[5] -= y0*x[5] + y1*x[11] + y2*x[17] + y3*x[23] + y4*x[29] + y5*x[35]
	}
}

// SubTMulLower subtracts the lower triangle of yᵀ x from that of m.
func (m *Mat6) SubTMulLower(y, x *Mat6) {
	var y0, y1, y2, y3, y4, y5 float64
	y0, y1, y2, y3, y4, y5 = y[0], y[6], y[12], y[18], y[24], y[30]
	m[0] -= y0*x[0] + y1*x[6] + y2*x[12] + y3*x[18] + y4*x[24] + y5*x[30]
	y0, y1, y2, y3, y4, y5 = y[1], y[7], y[13], y[19], y[25], y[31]
	m[6] -= y0*x[0] + y1*x[6] + y2*x[12] + y3*x[18] + y4*x[24] + y5*x[30]
	m[7] -= y0*x[1] + y1*x[7] + y2*x[13] + y3*x[19] + y4*x[25] + y5*x[31]
	y0, y1, y2, y3, y4, y5 = y[2], y[8], y[14], y[20], y[26], y[32]
	m[12] -= y0*x[0] + y1*x[6] + y2*x[12] + y3*x[18] + y4*x[24] + y5*x[30]
	m[13] -= y0*x[1] + y1*x[7] + y2*x[13] + y3*x[19] + y4*x[25] + y5*x[31]
	m[14] -= y0*x[2] + y1*x[8] + y2*x[14] + y3*x[20] + y4*x[26] + y5*x[32]
	y0, y1, y2, y3, y4, y5 = y[3], y[9], y[15], y[21], y[27], y[33]
	m[18] -= y0*x[0] + y1*x[6] + y2*x[12] + y3*x[18] + y4*x[24] + y5*x[30]
	m[19] -= y0*x[1] + y1*x[7] + y2*x[13] + y3*x[19] + y4*x[25] + y5*x[31]
	m[20] -= y0*x[2] + y1*x[8] + y2*x[14] + y3*x[20] + y4*x[26] + y5*x[32]
	m[21] -= y0*x[3] + y1*x[9] + y2*x[15] + y3*x[21] + y4*x[27] + y5*x[33]
	y0, y1, y2, y3, y4, y5 = y[4], y[10], y[16], y[22], y[28], y[34]
	m[24] -= y0*x[0] + y1*x[6] + y2*x[12] + y3*x[18] + y4*x[24] + y5*x[30]
	m[25] -= y0*x[1] + y1*x[7] + y2*x[13] + y3*x[19] + y4*x[25] + y5*x[31]
	m[26] -= y0*x[2] + y1*x[8] + y2*x[14] + y3*x[20] + y4*x[26] + y5*x[32]
	m[27] -= y0*x[3] + y1*x[9] + y2*x[15] + y3*x[21] + y4*x[27] + y5*x[33]
	m[28] -= y0*x[4] + y1*x[10] + y2*x[16] + y3*x[22] + y4*x[28] + y5*x[34]
	y0, y1, y2, y3, y4, y5 = y[5], y[11], y[17], y[23], y[29], y[35]
	m[30] -= y0*x[0] + y1*x[6] + y2*x[12] + y3*x[18] + y4*x[24] + y5*x[30]
	m[31] -= y0*x[1] + y1*x[7] + y2*x[13] + y3*x[19] + y4*x[25] + y5*x[31]
	m[32] -= y0*x[2] + y1*x[8] + y2*x[14] + y3*x[20] + y4*x[26] + y5*x[32]
	m[33] -= y0*x[3] + y1*x[9] + y2*x[15] + y3*x[21] + y4*x[27] + y5*x[33]
	m[34] -= y0*x[4] + y1*x[10] + y2*x[16] + y3*x[22] + y4*x[28] + y5*x[34]
	m[35] -= y0*x[5] + y1*x[11] + y2*x[17] + y3*x[23] + y4*x[29] + y5*x[35]
}

// SolveLVec replaces x by L⁻¹ x, with the factors of FactorLDL in f.
func (f *Mat6) SolveLVec(x *Vec6) {
	x0 := x[0]
	x1 := x[1] - f[6]*x0
	x2 := x[2] - f[12]*x0 - f[13]*x1
	x3 := x[3] - f[18]*x0 - f[19]*x1 - f[20]*x2
	x4 := x[4] - f[24]*x0 - f[25]*x1 - f[26]*x2 - f[27]*x3
	x5 := x[5] - f[30]*x0 - f[31]*x1 - f[32]*x2 - f[33]*x3 - f[34]*x4
	x[1], x[2], x[3], x[4], x[5] = x1, x2, x3, x4, x5
}

// SolveDVec replaces x by D⁻¹ x.
func (f *Mat6) SolveDVec(x *Vec6) {
	x[0], x[1], x[2] = x[0]*f[0], x[1]*f[7], x[2]*f[14]
	x[3], x[4], x[5] = x[3]*f[21], x[4]*f[28], x[5]*f[35]
}

// SolveLTVec replaces x by L⁻ᵀ x.
func (f *Mat6) SolveLTVec(x *Vec6) {
	x5 := x[5]
	x4 := x[4] - f[34]*x5
	x3 := x[3] - f[33]*x5 - f[27]*x4
	x2 := x[2] - f[32]*x5 - f[26]*x4 - f[20]*x3
	x1 := x[1] - f[31]*x5 - f[25]*x4 - f[19]*x3 - f[13]*x2
	x0 := x[0] - f[30]*x5 - f[24]*x4 - f[18]*x3 - f[12]*x2 - f[6]*x1
	x[0], x[1], x[2], x[3], x[4] = x0, x1, x2, x3, x4
}

// SubMulVec subtracts m x from y.
func (m *Mat6) SubMulVec(y, x *Vec6) {
	x0, x1, x2, x3, x4, x5 := x[0], x[1], x[2], x[3], x[4], x[5]
	y[0] -= m[0]*x0 + m[1]*x1 + m[2]*x2 + m[3]*x3 + m[4]*x4 + m[5]*x5
	y[1] -= m[6]*x0 + m[7]*x1 + m[8]*x2 + m[9]*x3 + m[10]*x4 + m[11]*x5
	y[2] -= m[12]*x0 + m[13]*x1 + m[14]*x2 + m[15]*x3 + m[16]*x4 + m[17]*x5
	y[3] -= m[18]*x0 + m[19]*x1 + m[20]*x2 + m[21]*x3 + m[22]*x4 + m[23]*x5
	y[4] -= m[24]*x0 + m[25]*x1 + m[26]*x2 + m[27]*x3 + m[28]*x4 + m[29]*x5
	y[5] -= m[30]*x0 + m[31]*x1 + m[32]*x2 + m[33]*x3 + m[34]*x4 + m[35]*x5
}

// SubTMulVec subtracts mᵀ x from y.
func (m *Mat6) SubTMulVec(y, x *Vec6) {
	x0, x1, x2, x3, x4, x5 := x[0], x[1], x[2], x[3], x[4], x[5]
	y[0] -= m[0]*x0 + m[6]*x1 + m[12]*x2 + m[18]*x3 + m[24]*x4 + m[30]*x5
	y[1] -= m[1]*x0 + m[7]*x1 + m[13]*x2 + m[19]*x3 + m[25]*x4 + m[31]*x5
	y[2] -= m[2]*x0 + m[8]*x1 + m[14]*x2 + m[20]*x3 + m[26]*x4 + m[32]*x5
	y[3] -= m[3]*x0 + m[9]*x1 + m[15]*x2 + m[21]*x3 + m[27]*x4 + m[33]*x5
	y[4] -= m[4]*x0 + m[10]*x1 + m[16]*x2 + m[22]*x3 + m[28]*x4 + m[34]*x5
	y[5] -= m[5]*x0 + m[11]*x1 + m[17]*x2 + m[23]*x3 + m[29]*x4 + m[35]*x5
}
