package equations_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
)

// TestColumnsCountNegativeEigenvalues compares the number of negative eigenvalues of random
// matrices with columns of low rank, counted by the pivots of what is factored and of the columns, with
// that of the whole.
func TestColumnsCountNegativeEigenvalues(t *testing.T) {
	const rows = 3
	random := rand.New(rand.NewPCG(21, 22))
	changed := 0
	for range 200 {
		rank := 1 + random.IntN(6)
		k, err := integrate.NewSkyline(rows, nil)
		if err != nil {
			t.Fatal(err)
		}
		all := mat.NewSymDense(6*rows, nil)
		for i := range rows {
			for r := range 6 {
				for c := range r + 1 {
					x := random.NormFloat64()
					k.Diag(i)[6*r+c] = x
					all.SetSym(6*i+r, 6*i+c, x)
				}
				for c := 0; c < 6 && i+1 < rows; c++ {
					x := random.NormFloat64()
					k.Block(i, i+1)[6*r+c] = x
					all.SetSym(6*i+r, 6*i+6+c, x)
				}
			}
		}
		w := equations.NewColumns(rows)
		for range rank {
			stiffness := 3 * random.NormFloat64()
			b, column := w.Counted(stiffness), mat.NewVecDense(6*rows, nil)
			for i := range rows {
				if (i+w.Len())%2 == 1 { // with blocks of zeros
					continue
				}
				for j := range 6 {
					b[i][j] = random.NormFloat64()
					column.SetVec(6*i+j, b[i][j])
				}
			}
			all.SymRankOne(all, stiffness, column)
		}
		without, singular := k.Factor()
		if singular >= 0 {
			t.Fatal("singular")
		}
		w.Prepare(k)
		var e mat.EigenSym
		if !e.Factorize(all, false) {
			t.Fatal("no eigenvalues")
		}
		want := 0
		for _, x := range e.Values(nil) {
			if x < 0 {
				want++
			}
		}
		more := w.Negative()
		if got := without + more; got != want {
			t.Errorf("rank %d: %d negative eigenvalues, want %d", rank, got, want)
		}
		if more != 0 {
			changed++
		}
	}
	if changed < 50 {
		t.Errorf("%d sets of columns change the number", changed)
	}
}

// A pivot of 0 does not count as a stable direction, and leaves the count of the other directions as it is.
func TestColumnsCountSingularDirection(t *testing.T) {
	k, err := integrate.NewSkyline(1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for r := range 6 {
		k.Diag(0)[7*r] = 4
	}
	w := equations.NewColumns(1)
	for r, stiffness := range []float64{-4, -2} { // with which one eigenvalue is 0 and one is 2
		w.Counted(stiffness)[0][r] = 1
	}
	if _, singular := k.Factor(); singular >= 0 {
		t.Fatal("singular")
	}
	w.Prepare(k)
	if more := w.Negative(); more != 1 {
		t.Errorf("%d directions are not stable, want 1: that of the eigenvalue 0", more)
	}
}
