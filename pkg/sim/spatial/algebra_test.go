package spatial_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"sinew/pkg/sim/spatial"
)

func TestVecAgainstGonum(t *testing.T) {
	r := newRand()
	for range 500 {
		a, b := randVec(r, 3), randVec(r, 3)
		near(t, "Cross", flatV(a.Cross(b)), flatV(spatial.Vec(r3.Cross(a.R3(), b.R3()))), 1e-14)
		near(t, "Dot", []float64{a.Dot(b)}, []float64{r3.Dot(a.R3(), b.R3())}, 1e-14)
		near(t, "Norm", []float64{a.Norm()}, []float64{r3.Norm(a.R3())}, 1e-14)
		near(t, "Norm2", []float64{a.Norm2()}, []float64{r3.Norm2(a.R3())}, 1e-14)
		near(t, "Unit", flatV(a.Unit()), flatV(spatial.Vec(r3.Unit(a.R3()))), 1e-15)
		near(t, "Add", flatV(a.Add(b)), flatV(spatial.Vec(r3.Add(a.R3(), b.R3()))), 0)
		near(t, "Sub", flatV(a.Sub(b)), flatV(spatial.Vec(r3.Sub(a.R3(), b.R3()))), 0)
		near(t, "AddScaled", flatV(a.AddScaled(2, b)), flatV(a.Add(b.Scale(2))), 1e-15)
		near(t, "Neg", flatV(a.Neg().Add(a)), flatV(spatial.Vec{}), 0)
		near(t, "Mul", flatV(a.Mul(b)), flatV(spatial.Diag3(a).Apply(b)), 0)
	}
	for _, bad := range []spatial.Vec{{math.NaN(), 0, 0}, {0, math.Inf(1), 0}, {0, 0, math.Inf(-1)}, {math.Inf(1), math.Inf(-1), 0}} {
		if bad.IsFinite() {
			t.Errorf("%v counts as finite", bad)
		}
	}
	if !(spatial.Vec{math.MaxFloat64, -math.MaxFloat64, 1}).IsFinite() {
		t.Error("the largest numbers count as infinite")
	}
}

func TestQuatAgainstGonum(t *testing.T) {
	r := newRand()
	for range 500 {
		p, q := spatial.ExpQuat(randVec(r, 2)), spatial.ExpQuat(randVec(r, 2))
		v := randVec(r, 1)
		near(t, "Mul", flatQ(p.Mul(q)), flatQ(spatial.FromNumber(quat.Mul(p.Number(), q.Number()))), 1e-15)
		near(t, "Conj", flatQ(p.Conj()), flatQ(spatial.FromNumber(quat.Conj(p.Number()))), 0)
		near(t, "Apply", flatV(p.Apply(v)), flatV(spatial.Vec(r3.Rotation(p.Number()).Rotate(v.R3()))), 1e-14)
		near(t, "Rot", flatV(p.Rot().Apply(v)), flatV(p.Apply(v)), 1e-14)
		near(t, "Log", flatV(p.Log()), flatV(logByGonum(p)), 2e-14)
		near(t, "Exp", flatQ(spatial.ExpQuat(v)), flatQ(spatial.FromNumber(quat.Exp(quat.Number{Imag: v.X / 2, Jmag: v.Y / 2, Kmag: v.Z / 2}))), 1e-15)
		back := p.Rot().Quat()
		near(t, "Quat", []float64{math.Abs(dotQ(back, p))}, []float64{1}, 1e-15)
		if back.W < 0 {
			t.Errorf("Quat has W = %v, want ≥ 0", back.W)
		}
		near(t, "Normalized", flatQ(spatial.Quat{3 * p.W, 3 * p.X, 3 * p.Y, 3 * p.Z}.Normalized()), flatQ(p), 1e-15)
	}
}

func flatQ(q spatial.Quat) []float64 { return []float64{q.W, q.X, q.Y, q.Z} }

func dotQ(p, q spatial.Quat) float64 { return p.W*q.W + p.X*q.X + p.Y*q.Y + p.Z*q.Z }

// logByGonum is twice the quaternion logarithm, the shorter way round.
func logByGonum(q spatial.Quat) spatial.Vec {
	if q.W < 0 {
		q = spatial.Quat{-q.W, -q.X, -q.Y, -q.Z}
	}
	l := quat.Log(q.Number())
	return spatial.Vec{2 * l.Imag, 2 * l.Jmag, 2 * l.Kmag}
}

func TestMat3AgainstGonum(t *testing.T) {
	r := newRand()
	for range 200 {
		a, b := spatial.Outer(randVec(r, 1), randVec(r, 1)).Add(spatial.Skew(randVec(r, 1))), spatial.Diag3(randVec(r, 1)).Add(spatial.Skew(randVec(r, 1)))
		ga, gb := r3.NewMat(flat3(a)), r3.NewMat(flat3(b))
		prod := r3.NewMat(nil)
		prod.Mul(ga, gb)
		near(t, "Mul", flat3(a.Mul(b)), entries(prod), 1e-14)
		near(t, "MulT", flat3(a.MulT(b)), flat3(a.Mul(b.T())), 0)
		near(t, "TMul", flat3(a.TMul(b)), flat3(a.T().Mul(b)), 0)
		v := randVec(r, 1)
		near(t, "Apply", flatV(a.Apply(v)), flatV(spatial.Vec(ga.MulVec(v.R3()))), 1e-14)
		near(t, "ApplyT", flatV(a.ApplyT(v)), flatV(spatial.Vec(ga.MulVecTrans(v.R3()))), 1e-14)
		near(t, "Det", []float64{a.Det()}, []float64{ga.Det()}, 1e-13)
		near(t, "Trace", []float64{a.Trace()}, []float64{ga.At(0, 0) + ga.At(1, 1) + ga.At(2, 2)}, 0)
		near(t, "Sub", flat3(a.Sub(b).Add(b)), flat3(a), 1e-15)
		near(t, "Skew", flatV(spatial.Skew(v).Apply(a.Col1())), flatV(v.Cross(a.Col1())), 1e-16)
		near(t, "columns", flat3(spatial.FromColumns(a.Col1(), a.Col2(), a.Col3())), flat3(a), 0)
		near(t, "rows", flat3(spatial.FromRows(a.Col1(), a.Col2(), a.Col3())), flat3(a.T()), 0)
	}
}

func entries(m *r3.Mat) (e []float64) {
	for i := range 3 {
		for j := range 3 {
			e = append(e, m.At(i, j))
		}
	}
	return e
}

func TestPoseGroup(t *testing.T) {
	r := newRand()
	for range 200 {
		g, h := spatial.Exp(spatial.Twist{randVec(r, 1), randVec(r, 1)}), spatial.Exp(spatial.Twist{randVec(r, 1), randVec(r, 1)})
		x := randVec(r, 1)
		near(t, "Mul", flatV(g.Mul(h).Apply(x)), flatV(g.Apply(h.Apply(x))), 1e-14)
		near(t, "Inv", flatV(g.Inv().Apply(g.Apply(x))), flatV(x), 1e-14)
		near(t, "identity", flatV(spatial.IdentityPose().Apply(x)), flatV(x), 0)
	}
}

// The series and the closed forms of tan(θ/4)/θ meet, and the derivatives are those.
func TestTanCoefs(t *testing.T) {
	const h = 1e-4
	for _, s := range []float64{1e-9, 0.01, 0.5, 1 - 1e-12, 1 + 1e-12, 2, 9, 30} {
		f, f1, f2 := spatial.TanCoefs(s)
		if want := math.Tan(math.Sqrt(s)/4) / math.Sqrt(s); math.Abs(f-want) > 4e-16 {
			t.Errorf("s = %g: %.17g, want %.17g", s, f, want)
		}
		if s < h {
			continue
		}
		up, up1, _ := spatial.TanCoefs(s + h)
		down, down1, _ := spatial.TanCoefs(s - h)
		if want := (up - down) / (2 * h); math.Abs(f1-want) > 1e-7*math.Abs(f1) {
			t.Errorf("s = %g: first derivative %.12g, differences give %.12g", s, f1, want)
		}
		if want := (up1 - down1) / (2 * h); math.Abs(f2-want) > 1e-7*math.Abs(f2) {
			t.Errorf("s = %g: second derivative %.12g, differences give %.12g", s, f2, want)
		}
	}
	a, a1, a2 := spatial.TanCoefs(1 - 1e-13)
	b, b1, b2 := spatial.TanCoefs(1 + 1e-13)
	if math.Abs(b-a-2e-13*a1) > 1e-16 || math.Abs(a1-b1) > 1e-15 || math.Abs(a2-b2) > 1e-14 {
		t.Errorf("series and closed forms differ: %g, %g, %g", a-b, a1-b1, a2-b2)
	}
}

func TestPoseToward(t *testing.T) {
	r := newRand()
	for range 200 {
		g, h := spatial.Exp(spatial.Twist{randVec(r, 1), randVec(r, 0.8)}), spatial.Exp(spatial.Twist{randVec(r, 1), randVec(r, 0.8)})
		x, share := randVec(r, 1), r.Float64()
		at := g.Toward(h, share, x)
		near(t, "way", flatV(at.Apply(x)), flatV(g.Apply(x).Add(h.Apply(x).Sub(g.Apply(x)).Scale(share))), 1e-13)
		near(t, "turn", flatV(g.R.TMul(at.R).Log()), flatV(g.R.TMul(h.R).Log().Scale(share)), 1e-12)
		if g.Toward(h, 1, x) != h || g.Toward(g, share, x) != g {
			t.Fatal("other bits where it ends")
		}
	}
}
