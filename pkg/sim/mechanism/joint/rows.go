package joint

import "sinew/pkg/sim/spatial"

// Rows are the values of the constraints and their derivatives with respect to the increments of the
// frames of parent and child.
type Rows struct {
	Value             [6]float64
	OnParent, OnChild [6]spatial.Vec6
}

// Rows sets o to the rows at the pose g of the child's frame in the parent's.
func (j *Joint) Rows(g *spatial.Pose, o *Rows) {
	for k := range j.rows {
		o.Value[k], o.OnParent[k], o.OnChild[k] = j.rows[k].at(g)
	}
}

// at returns the value of the row and its derivatives.
func (r *row) at(g *spatial.Pose) (value float64, parent, child spatial.Vec6) {
	switch r.kind {
	case position:
		return r.a.Dot(g.P), spatial.Vec6Of(r.a.Neg(), r.a.Cross(g.P)), spatial.Vec6Of(g.R.ApplyT(r.a), spatial.Vec{})
	case orientation:
		b, c := g.R.Apply(r.b), g.R.ApplyT(r.a)
		return r.a.Dot(b), spatial.Vec6Of(spatial.Vec{}, r.a.Cross(b)), spatial.Vec6Of(spatial.Vec{}, r.b.Cross(c))
	}
	phi := g.R.Log()
	right, left := spatial.RightJacobianInv(phi), spatial.LeftJacobianInv(phi)
	return r.a.Dot(phi), spatial.Vec6Of(spatial.Vec{}, left.ApplyT(r.a).Neg()), spatial.Vec6Of(spatial.Vec{}, right.ApplyT(r.a))
}

// Curvature is the symmetric second derivative of the rows times their multipliers: the geometric
// stiffness of the joint. ParentChild has the rows of the parent.
type Curvature struct{ Parent, ParentChild, Child spatial.Mat6 }

// AddCurvature adds the second derivative of the rows times the multipliers lambda to o. That of a
// locked rotation is that at log R = 0, where a joint is closed.
func (j *Joint) AddCurvature(g *spatial.Pose, lambda *[6]float64, o *Curvature) {
	for k := range j.rows {
		j.rows[k].addCurvature(g, lambda[k], o)
	}
}

func (r *row) addCurvature(g *spatial.Pose, s float64, o *Curvature) {
	switch r.kind {
	case position:
		f, e := spatial.Skew(g.R.ApplyT(r.a)).Scale(s), spatial.Skew(r.a).Scale(s)
		addSymmetric(&o.Child, spatial.Blocks6(spatial.Mat3{}, f, spatial.Mat3{}, spatial.Mat3{}))
		addSymmetric(&o.Parent, spatial.Blocks6(spatial.Mat3{}, spatial.Mat3{}, e.Scale(-1), e.Mul(spatial.Skew(g.P))))
		addHalves(&o.ParentChild, spatial.Blocks6(spatial.Mat3{}, spatial.Mat3{}, e.Mul(g.R), spatial.Mat3{}))
		addHalves(&o.ParentChild, transposed(spatial.Blocks6(spatial.Mat3{}, g.R.TMul(e).Scale(-1), spatial.Mat3{}, spatial.Mat3{})))
	case orientation:
		a, b := spatial.Skew(r.a).Scale(s), spatial.Skew(r.b)
		addSymmetric(&o.Child, rotations(b.Mul(spatial.Skew(g.R.ApplyT(r.a))).Scale(s)))
		addSymmetric(&o.Parent, rotations(a.Mul(spatial.Skew(g.R.Apply(r.b)))))
		m := b.Mul(g.R.TMul(a)).Scale(-1) // rows of the child
		addHalves(&o.ParentChild, rotations(m.T()))
		addHalves(&o.ParentChild, rotations(m.T()))
	case rotation:
		// the second derivative ½ [λ]× of (·, w_B) is skew for the child, and for the parent −½ [λ]×;
		// what couples both is the mean of −½ [λ]× and of the transpose of ½ [λ]×
		addHalves(&o.ParentChild, rotations(spatial.Skew(r.a).Scale(s)))
	}
}

// rotations returns the matrix with m in its rotational quadrant.
func rotations(m spatial.Mat3) spatial.Mat6 {
	return spatial.Blocks6(spatial.Mat3{}, spatial.Mat3{}, spatial.Mat3{}, m)
}

// addSymmetric adds the symmetric part of m to o.
func addSymmetric(o *spatial.Mat6, m spatial.Mat6) {
	addHalves(o, m)
	addHalves(o, transposed(m))
}

// addHalves adds ½ m to o.
func addHalves(o *spatial.Mat6, m spatial.Mat6) {
	for k := range o {
		o[k] += 0.5 * m[k]
	}
}

func transposed(m spatial.Mat6) (t spatial.Mat6) {
	for i := range 6 {
		for k := range 6 {
			t[6*k+i] = m[6*i+k]
		}
	}
	return t
}
