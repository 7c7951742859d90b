package spatial_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/spatial"
)

// randSym6 returns a symmetric matrix, safely factorable without pivoting.
func randSym6(r *rand.Rand, sign float64) (m spatial.Mat6) {
	for i := range 6 {
		for j := range i {
			m[6*i+j] = r.NormFloat64()
			m[6*j+i] = m[6*i+j]
		}
		m[7*i] = sign * (8 + r.Float64())
	}
	return m
}

func randMat6(r *rand.Rand) (m spatial.Mat6) {
	for i := range m {
		m[i] = r.NormFloat64()
	}
	return m
}

func dense6(m spatial.Mat6) *mat.Dense { return mat.NewDense(6, 6, append([]float64(nil), m[:]...)) }

func TestFactorLDLSolves(t *testing.T) {
	r := newRand()
	for _, sign := range []float64{1, -1} {
		for range 50 {
			m, x := randSym6(r, sign), spatial.Vec6{1, -2, 3, 0.5, 0.25, -1}
			b := m.Apply(&x)
			f := m
			for i := range 6 { // nothing above the diagonal is read
				for j := i + 1; j < 6; j++ {
					f[6*i+j] = 1e300
				}
			}
			negative, ok := f.FactorLDL()
			if want := int(3 - 3*sign); negative != want || !ok {
				t.Fatalf("FactorLDL: %d negative pivots, ok %v; want %d, true", negative, ok, want)
			}
			f.SolveLVec(&b)
			f.SolveDVec(&b)
			f.SolveLTVec(&b)
			near(t, "solution", b[:], x[:], 1e-13)
		}
	}
}

func TestFactorLDLReportsSingular(t *testing.T) {
	v := spatial.Vec6{1, 2, 3, 4, 5, 6}
	var m spatial.Mat6
	for i := range 6 {
		for j := range 6 {
			m[6*i+j] = v[i] * v[j]
		}
	}
	if _, ok := m.FactorLDL(); ok {
		t.Error("a matrix of rank one passes as regular")
	}
	nan := spatial.Mat6{}
	nan[0] = nan[1] / nan[2]
	if _, ok := nan.FactorLDL(); ok {
		t.Error("NaN passes as regular")
	}
}

func TestBlockKernelsAgainstGonum(t *testing.T) {
	r := newRand()
	f := randSym6(r, 1)
	original := dense6(f)
	if _, ok := f.FactorLDL(); !ok {
		t.Fatal("not factorable")
	}
	k, y := randMat6(r), spatial.Mat6{}
	x := k
	f.SolveL(&x, &y)
	// xᵀ y = kᵀ m⁻¹ k
	var inv, want mat.Dense
	if err := inv.Inverse(original); err != nil {
		t.Fatal(err)
	}
	want.Product(dense6(k).T(), &inv, dense6(k))
	var full, lower spatial.Mat6
	full.SubTMul(&y, &x)
	lower.SubTMulLower(&y, &x)
	for i := range 6 {
		for j := range 6 {
			near(t, "SubTMul", []float64{full[6*i+j]}, []float64{-want.At(i, j)}, 1e-12)
			low := 0.0
			if j <= i {
				low = full[6*i+j]
			}
			near(t, "SubTMulLower", []float64{lower[6*i+j]}, []float64{low}, 1e-13)
		}
	}
	v, a, b := spatial.Vec6{1, 2, 3, -1, 0.5, 2}, spatial.Vec6{}, spatial.Vec6{}
	k.SubMulVec(&a, &v)
	k.SubTMulVec(&b, &v)
	var kv, ktv mat.VecDense
	kv.MulVec(dense6(k), mat.NewVecDense(6, v[:]))
	ktv.MulVec(dense6(k).T(), mat.NewVecDense(6, v[:]))
	for i := range 6 {
		near(t, "SubMulVec", []float64{a[i]}, []float64{-kv.AtVec(i)}, 1e-13)
		near(t, "SubTMulVec", []float64{b[i]}, []float64{-ktv.AtVec(i)}, 1e-13)
	}
	ll, la, al, aa := spatial.Diag3(spatial.Vec{1, 2, 3}), spatial.Skew(spatial.Vec{4, 5, 6}), spatial.Outer(spatial.Vec{1, 0, 2}, spatial.Vec{3, 4, 5}), spatial.Identity3()
	blocks := spatial.Blocks6(ll, la, al, aa)
	p, q := v.Linear(), v.Angular()
	got := blocks.Apply(&v)
	exp := spatial.Vec6Of(ll.Apply(p).Add(la.Apply(q)), al.Apply(p).Add(aa.Apply(q)))
	near(t, "Blocks6", got[:], exp[:], 1e-13)
}

func BenchmarkFactorLDL(b *testing.B) {
	m := randSym6(newRand(), 1)
	for b.Loop() {
		f := m
		f.FactorLDL()
	}
}

func BenchmarkSolveL(b *testing.B) {
	r := newRand()
	f, x, y := randSym6(r, 1), randMat6(r), spatial.Mat6{}
	f.FactorLDL()
	for b.Loop() {
		z := x
		f.SolveL(&z, &y)
	}
}

func BenchmarkSubTMul(b *testing.B) {
	r := newRand()
	x, y, m := randMat6(r), randMat6(r), spatial.Mat6{}
	for b.Loop() {
		m.SubTMul(&y, &x)
	}
}

func TestMirrorMakesSymmetric(t *testing.T) {
	var m, want spatial.Mat6
	for i := range 6 {
		for j := range 6 {
			m[6*i+j] = float64(10*i + j)
			want[6*i+j] = float64(10*max(i, j) + min(i, j))
		}
	}
	if m.Mirror(); m != want {
		t.Errorf("got %v, want %v", m, want)
	}
}
