package integrate

import "sinew/pkg/sim/spatial"

// CrouchGrossman is the tableau of a five-stage Crouch-Grossman method. Stage i is at x exp(h A_i1
// k_1) exp(h A_i2 k_2) …, a product of exponentials of the velocities of the stages before it, and
// the step ends at x exp(h B_1 k_1) ….
type CrouchGrossman struct {
	A [5][5]float64 // strictly lower triangular
	B [5]float64
	C [5]float64 // row sums of A, times of the stages
}

// CG4 is the method of order 4 of Owren and Marthinsen (BIT 39 (1999) 116-142)
// with the coefficients of Jackiewicz, Marthinsen and Owren (2000), refined until
// all 22 order conditions hold to 1e-40.
var CG4 = CrouchGrossman{
	A: [5][5]float64{
		1: {0.817722798812485183864383415848},
		2: {0.319987637547642681409609258329, 0.0659864263556021873546032286673},
		3: {0.921441719446494612602955614448, 0.499785777677357298630580622442, -1.09699844483715820771826681842},
		4: {0.355235855902332201054156819447, 0.239095837230732569585299130695, 1.39185657242032459428673699012, -1.10929793921134651058417724993},
	},
	B: [5]float64{
		0.137083152063075537029594773568, -0.0183698531564020191126108877454, 0.739781398537077998929143616491,
		-0.190714256550588896697746577033, 0.33221955910683737985161907472,
	},
	C: [5]float64{
		0, 0.817722798812485183864383415848, 0.385974063903244868764212486996,
		0.324229052286693703515269418473, 0.876890326342042854342015690331,
	},
}

// CG4Rational has rational approximations of CG4 that are in circulation. They miss the order
// conditions by 6.5e-7, that of consistency included, so the error does not fall below about 1e-6
// at any step length. It serves comparisons only.
var CG4Rational = CrouchGrossman{
	A: [5][5]float64{
		1: {1458. / 1783},
		2: {1039. / 3247, 97. / 1470},
		3: {997. / 1082, 1167. / 2335, -475. / 433},
		4: {173. / 487, 751. / 3141, 547. / 393, -680. / 613},
	},
	B: [5]float64{407. / 2969, -135. / 7349, 543. / 734, -267. / 1400, 696. / 2095},
	C: [5]float64{0, 1458. / 1783, 743. / 1925, 368. / 1135, 406. / 463},
}

// CrouchGrossman4 advances x by h from time t with the tableau m. It normalises the quaternion.
func CrouchGrossman4[S Kinematics](m *CrouchGrossman, s S, t, h float64, x Placement) Placement {
	var v, w [5]spatial.Vec
	for i := range v {
		v[i], w[i] = s.Velocity(t+m.C[i]*h, x.compose(m.A[i][:i], h, &v, &w))
	}
	next := x.compose(m.B[:], h, &v, &w)
	next.Q = next.Q.Normalized()
	return next
}

// compose returns x after the displacements h a_j (v_j, w_j), one after the other.
func (x Placement) compose(a []float64, h float64, v, w *[5]spatial.Vec) Placement {
	for j, c := range a {
		x = x.displaced(v[j].Scale(h*c), w[j].Scale(h*c))
	}
	return x
}

// CG4Motion advances x by h from time t with the tableau m on SE(3) × R⁶: the pose by products of
// exponentials of body twists, the twist by sums. It normalises the quaternion.
func CG4Motion[S Dynamics](m *CrouchGrossman, s S, t, h float64, x Motion) Motion {
	var k rates
	stage := x
	for i := range m.C {
		x.compose(m.A[i][:i], h, &k, &stage)
		k.v[i], k.w[i] = stage.V.Linear, stage.V.Angular
		d := s.Acceleration(t+m.C[i]*h, stage)
		k.dv[i], k.dw[i] = d.Linear, d.Angular
	}
	x.compose(m.B[:], h, &k, &stage)
	stage.Q = stage.Q.Normalized()
	return stage
}

// rates are the body twists of the stages (v, w) and their rates of change.
type rates struct{ v, w, dv, dw [5]spatial.Vec }

// compose sets y to x after the twists h a_j (v_j, w_j), one after the other, and the velocity
// changes h a_j (dv_j, dw_j).
func (x *Motion) compose(a []float64, h float64, k *rates, y *Motion) {
	at, v, w := x.Placement, x.V.Linear, x.V.Angular
	for j, c := range a {
		c *= h
		at = at.screwMotion(k.v[j].Scale(c), k.w[j].Scale(c))
		v, w = v.AddScaled(c, k.dv[j]), w.AddScaled(c, k.dw[j])
	}
	y.Placement, y.V.Linear, y.V.Angular = at, v, w
}
