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
	var t turn
	hasTurn := false
	for k := range j.rows {
		r := &j.rows[k]
		if r.kind != rotation {
			o.Value[k], o.OnParent[k], o.OnChild[k] = r.at(g)
			continue
		}
		if !hasTurn {
			t, hasTurn = newTurn(g), true
		}
		o.Value[k], o.OnParent[k], o.OnChild[k] = t.along(r.a)
	}
}

// Values sets o to the values of the rows at the pose g of the child's frame in the parent's.
func (j *Joint) Values(g *spatial.Pose, o *[6]float64) {
	var phi spatial.Vec
	hasTurn := false
	for k := range j.rows {
		r := &j.rows[k]
		if r.kind != rotation {
			o[k] = r.value(g)
			continue
		}
		if !hasTurn {
			phi, hasTurn = g.R.Log(), true
		}
		o[k] = r.a.Dot(phi)
	}
}

// turn is log R with its derivatives.
type turn struct {
	phi         spatial.Vec
	left, right spatial.Mat3 // inverse Jacobians
}

func newTurn(g *spatial.Pose) turn {
	phi := g.R.Log()
	return turn{phi, spatial.LeftJacobianInv(phi), spatial.RightJacobianInv(phi)}
}

// along returns the component of log R along a and its derivatives.
func (t *turn) along(a spatial.Vec) (value float64, parent, child spatial.Vec6) {
	return a.Dot(t.phi), spatial.Vec6Of(spatial.Vec{}, t.left.ApplyT(a).Neg()), spatial.Vec6Of(spatial.Vec{}, t.right.ApplyT(a))
}

// value returns the value of the row.
func (r *row) value(g *spatial.Pose) float64 {
	switch r.kind {
	case position:
		return r.a.Dot(g.P)
	case orientation:
		return r.a.Dot(g.R.Apply(r.b))
	}
	return r.a.Dot(g.R.Log())
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
	t := newTurn(g)
	return t.along(r.a)
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
	if s == 0 {
		return
	}
	a := r.a.Scale(s)
	switch r.kind {
	case position:
		f := g.R.ApplyT(a).Scale(0.5)
		o.Child.LinRot().AddSkew(f)
		o.Child.RotLin().AddSkew(f.Neg())
		o.Parent.RotLin().AddSkew(a.Scale(-0.5))
		o.Parent.LinRot().AddSkew(a.Scale(0.5))
		addSkewProduct(o.Parent.RotRot(), &a, &g.P)
		o.ParentChild.RotLin().Add(spatial.Skew(a).Mul(g.R))
	case orientation:
		b, c := g.R.Apply(r.b), g.R.ApplyT(a)
		addSkewProduct(o.Child.RotRot(), &r.b, &c)
		addSkewProduct(o.Parent.RotRot(), &a, &b)
		// the block −[b]× Rᵀ [a]× of the child's rows, transposed
		o.ParentChild.RotRot().Sub(spatial.Skew(a).Mul(g.R).Mul(spatial.Skew(r.b)))
	case rotation:
		// the second derivative ½ [λ]× of (·, w_B) is skew for the child, and for the parent −½ [λ]×;
		// what couples both is the mean of ½ [λ]× and of the transpose of −½ [λ]×
		o.ParentChild.RotRot().AddSkew(a.Scale(0.5))
	}
}

// addSkewProduct adds the symmetric part of [a]× [b]×, which is ½ (a bᵀ + b aᵀ) − (a·b) 1, to q.
func addSkewProduct(q *spatial.Quadrant, a, b *spatial.Vec) {
	var m spatial.Mat3
	half := a.Scale(0.5)
	m.AddOuter(&half, b)
	m.AddOuter(b, &half)
	q.Add(m)
	q.AddDiag(-a.Dot(*b))
}

// addTurnedCurvature is addCurvature of a rotation row at any rotation. With φ = log R and the gradients
// ±(a ∓ ½ φ × a + c φ × (φ × a)) of child and parent, it is the symmetric part of their derivatives along φ times those of φ.
func (r *row) addTurnedCurvature(g *spatial.Pose, s float64, o *Curvature) {
	a, phi := r.a.Scale(s), g.R.Log()
	right, left := spatial.RightJacobianInv(phi), spatial.LeftJacobianInv(phi)
	c, slope, _ := spatial.DexpInvCoefs(phi.Norm2())
	across := phi.Cross(a)
	even := spatial.Skew(across).Add(spatial.Skew(phi).Mul(spatial.Skew(a))).Scale(-c)
	twice := phi.Cross(across).Scale(2 * slope)
	even.AddOuter(&twice, &phi)
	half := spatial.Skew(a.Scale(0.5))
	onChild, onParent := half.Add(even), half.Sub(even)
	child, parent := onChild.Mul(right), onParent.Mul(left).Scale(-1)
	o.Child.RotRot().Add(child.Add(child.T()).Scale(0.5))
	o.Parent.RotRot().Add(parent.Add(parent.T()).Scale(0.5))
	o.ParentChild.RotRot().Add(onParent.Mul(right).Sub(onChild.Mul(left).T()).Scale(0.5))
}
