package equations_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// counted are columns of low rank that count in the number of negative eigenvalues.
type counted struct {
	inert
	stiffness []float64
	columns   [][]spatial.Vec6
}

var _ equations.LowRank = (*counted)(nil)

func (e *counted) MaxColumns() int { return len(e.columns) }

func (e *counted) AddColumns(_ *strain.State, c *equations.Columns, _ equations.Scope) {
	for p, k := range e.stiffness {
		copy(c.Counted(k), e.columns[p])
	}
}

// TestColumnsCountNegativeEigenvalues compares the number of negative eigenvalues of random
// tangents with columns of low rank, counted by the pivots of what is factored and of the columns, with
// that of the whole.
func TestColumnsCountNegativeEigenvalues(t *testing.T) {
	const nodes = 3
	r := rand.New(rand.NewPCG(21, 22))
	changed := 0
	for range 200 {
		columns := &counted{}
		for range 1 + r.IntN(6) {
			columns.stiffness, columns.columns = append(columns.stiffness, 3*r.NormFloat64()), append(columns.columns, random(r, nodes, 1))
		}
		s, tangent := newSystem(t, &bed{stiffness: random(r, nodes, 10), wrench: random(r, nodes, 1)}, columns)
		s.Assemble(0)
		without, ok := s.Factor()
		if !ok {
			t.Fatal("singular")
		}
		s.AddColumns(equations.StepScope)
		want := negativeEigenvalues(t, mat.NewSymDense(6*nodes, tangent))
		got := s.Negative(without)
		if got != want {
			t.Errorf("rank %d: %d negative eigenvalues, want %d", len(columns.columns), got, want)
		}
		if got != without {
			changed++
		}
	}
	if changed < 50 {
		t.Errorf("%d sets of columns change the number", changed)
	}
}

// uniform replaces the blocks of a rod of one element by a stiffness of 4, which has exact quotients.
type uniform struct{ inert }

func (uniform) Assemble(_ *strain.State, q *strain.Equations) {
	*q.Diag[1] = spatial.Mat6{}
	for c := range 6 {
		q.Diag[1][7*c] = 4
	}
}

// A pivot of 0 does not count as a stable direction, and leaves the count of the other directions as it is.
func TestColumnsCountSingularDirection(t *testing.T) {
	columns := &counted{stiffness: []float64{-4, -2}} // with which one eigenvalue is 0 and one is 2
	for c := range columns.stiffness {
		var x spatial.Vec6
		x[c] = 1
		columns.columns = append(columns.columns, []spatial.Vec6{x})
	}
	s, _ := newSystem(t, &bed{stiffness: make([]spatial.Vec6, 1), wrench: make([]spatial.Vec6, 1)}, uniform{}, columns)
	s.Assemble(0)
	without, ok := s.Factor()
	if !ok || without != 0 {
		t.Fatalf("%d negative eigenvalues without columns, regular: %t", without, ok)
	}
	s.AddColumns(equations.StepScope)
	if got := s.Negative(without); got != 1 {
		t.Errorf("%d directions are not stable, want 1: that of the eigenvalue 0", got)
	}
}
