package blocks_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/mechanism/blocks"
	"sinew/pkg/sim/spatial"
)

// system is a random KKT matrix, sparse and dense.
type system struct {
	unknowns []blocks.Unknown
	sparse   *blocks.Matrix
	dense    *mat.SymDense
	at       []int // of every unknown in dense
}

// newSystem returns a matrix with the given pairs. Diagonal blocks of nodes are positive definite,
// those of constraints 0 where compliance is.
func newSystem(r *rand.Rand, unknowns []blocks.Unknown, pairs [][2]int, compliance float64) *system {
	s := &system{unknowns: unknowns, sparse: blocks.New(unknowns, pairs)}
	n := 0
	for _, u := range unknowns {
		s.at = append(s.at, n)
		n += u.Size
	}
	s.dense = mat.NewSymDense(n, nil)
	for i, u := range unknowns {
		d := s.sparse.Diagonal(i)
		for k := range u.Size {
			for c := range k {
				if !u.Constraint {
					d[6*k+c] = r.NormFloat64()
				}
			}
			d[7*k] = 40 + r.Float64()
			if u.Constraint {
				d[7*k] = -compliance
			}
			for c := range k + 1 {
				s.dense.SetSym(s.at[i]+k, s.at[i]+c, d[6*k+c])
			}
		}
	}
	for _, p := range pairs {
		var b spatial.Mat6
		for k := range unknowns[p[0]].Size {
			for c := range unknowns[p[1]].Size {
				b[6*k+c] = r.NormFloat64()
				s.dense.SetSym(s.at[p[0]]+k, s.at[p[1]]+c, b[6*k+c])
			}
		}
		s.sparse.Add(s.sparse.Place(p[0], p[1]), &b)
	}
	return s
}

// right returns a random right-hand side, by unknown and dense.
func (s *system) right(r *rand.Rand) (x []spatial.Vec6, dense *mat.VecDense) {
	x, dense = make([]spatial.Vec6, len(s.unknowns)), mat.NewVecDense(s.dense.SymmetricDim(), nil)
	for i, u := range s.unknowns {
		for k := range u.Size {
			x[i][k] = r.NormFloat64()
			dense.SetVec(s.at[i]+k, x[i][k])
		}
	}
	return x, dense
}

// difference returns the largest difference of x and dense.
func (s *system) difference(x []spatial.Vec6, dense *mat.VecDense) (most float64) {
	for i, u := range s.unknowns {
		for k := range u.Size {
			most = max(most, math.Abs(x[i][k]-dense.AtVec(s.at[i]+k)))
		}
	}
	return most
}

// platform returns the unknowns of legs of some nodes that joints of the given number of rows hold
// on one body, which is unknown 0.
func platform(legs, nodes, rows int) (unknowns []blocks.Unknown, pairs [][2]int) {
	unknowns = append(unknowns, blocks.Unknown{Size: 6})
	for range legs {
		for k := range nodes {
			unknowns = append(unknowns, blocks.Unknown{Size: 6})
			if k > 0 {
				pairs = append(pairs, [2]int{len(unknowns) - 2, len(unknowns) - 1})
			}
		}
		unknowns = append(unknowns, blocks.Unknown{Size: rows, Constraint: true})
		end := len(unknowns) - 1
		pairs = append(pairs, [2]int{end, end - 1}, [2]int{0, end}, [2]int{0, end - 1})
	}
	return unknowns, pairs
}

func TestSolvesAsDense(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, rows := range []int{1, 3, 5, 6} {
		unknowns, pairs := platform(4, 3, rows)
		pairs = append(pairs, [2]int{2, 9}, [2]int{3, 11}) // tendons, say
		s := newSystem(r, unknowns, pairs, 0)
		if !s.sparse.Factor() {
			t.Fatalf("%d rows: singular", rows)
		}
		x, right := s.right(r)
		var want mat.VecDense
		if err := want.SolveVec(s.dense, right); err != nil {
			t.Fatal(err)
		}
		s.sparse.Solve(x)
		if d := s.difference(x, &want); d > 1e-11 {
			t.Errorf("%d rows: the solution differs from the dense one by %.2g", rows, d)
		}
		back := make([]spatial.Vec6, len(x))
		s.sparse.Multiply(x, back)
		if d := s.difference(back, right); d > 1e-11 {
			t.Errorf("%d rows: the matrix times the solution differs from the right-hand side by %.2g", rows, d)
		}
		if got, want := s.sparse.Negative(), 4*rows; got != want {
			t.Errorf("%d rows: %d negative eigenvalues, want %d", rows, got, want)
		}
	}
}

// TestCountsNegativeEigenvalues also of nodes that are not positive definite.
func TestCountsNegativeEigenvalues(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for trial := range 30 {
		unknowns, pairs := platform(3, 2, 4)
		s := newSystem(r, unknowns, pairs, 1e-3)
		for i, u := range unknowns {
			for k := range u.Size {
				if d := s.sparse.Diagonal(i); !u.Constraint && r.IntN(4) == 0 {
					d[7*k] -= 80
					s.dense.SetSym(s.at[i]+k, s.at[i]+k, d[7*k])
				}
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(s.dense, false) {
			t.Fatal("no eigenvalues")
		}
		want := 0
		for _, v := range eigen.Values(nil) {
			if v < 0 {
				want++
			}
		}
		if !s.sparse.Factor() || s.sparse.Negative() != want {
			t.Errorf("trial %d: %d negative eigenvalues, want %d", trial, s.sparse.Negative(), want)
		}
	}
}

func TestSingularIsReported(t *testing.T) {
	unknowns := []blocks.Unknown{{Size: 6}, {Size: 2, Constraint: true}}
	s := newSystem(rand.New(rand.NewPCG(5, 6)), unknowns, [][2]int{{0, 1}}, 0)
	if !s.sparse.Factor() {
		t.Fatal("a regular matrix is reported as singular")
	}
	s.sparse.Zero()
	if s.sparse.Factor() {
		t.Error("a zero matrix has factors")
	}
	s.sparse.Diagonal(0)[0] = math.NaN()
	if s.sparse.Factor() {
		t.Error("a matrix with NaN has factors")
	}
}

// TestRodsHaveNoFillIn: the factors of a platform on legs have the couplings of the matrix, and one
// more for every leg at most.
func TestRodsHaveNoFillIn(t *testing.T) {
	unknowns, pairs := platform(6, 10, 6)
	m := blocks.New(unknowns, pairs)
	if got, most := m.Couplings(), len(pairs); got > most {
		t.Errorf("%d blocks in the factors, %d in the matrix", got, most)
	}
}

func TestFactorAllocatesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	unknowns, pairs := platform(6, 10, 6)
	s := newSystem(r, unknowns, pairs, 0)
	x, _ := s.right(r)
	y := make([]spatial.Vec6, len(x))
	if n := testing.AllocsPerRun(10, func() {
		s.sparse.Factor()
		s.sparse.Solve(x)
		s.sparse.Multiply(x, y)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkPlatform is the matrix of a platform on six legs of ten elements.
func BenchmarkPlatform(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	unknowns, pairs := platform(6, 10, 6)
	s := newSystem(r, unknowns, pairs, 0)
	x, _ := s.right(r)
	for b.Loop() {
		s.sparse.Factor()
		s.sparse.Solve(x)
	}
}
