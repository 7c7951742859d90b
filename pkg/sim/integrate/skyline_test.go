package integrate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

var couplings = map[string]struct {
	n     int
	pairs [][2]int
}{
	"one block":    {1, nil},
	"chain":        {7, nil},
	"wide gaps":    {9, [][2]int{{0, 3}, {3, 6}, {6, 8}}},
	"skipped":      {8, [][2]int{{0, 4}, {1, 2}, {2, 3}, {4, 7}}},
	"all on all":   {5, [][2]int{{0, 4}, {0, 3}, {0, 2}, {1, 4}, {1, 3}, {2, 4}}},
	"long reach":   {10, [][2]int{{9, 0}}},
	"thesis robot": {20, thesisRobot},
}

// thesisRobot are the gaps of contract/silicone_robot.yaml: its long tendons skip disks of the
// short ones.
var thesisRobot = [][2]int{{0, 4}, {4, 7}, {7, 11}, {11, 15}, {15, 18}, {0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}

func TestSkylineAgainstDense(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, c := range couplings {
		for _, sign := range []float64{1, -1} {
			s, err := integrate.NewSkyline(c.n, c.pairs)
			if err != nil {
				t.Fatal(err)
			}
			d := integrate.Fill(s, r, sign)
			x := make([]spatial.Vec6, c.n)
			want := make([]float64, 6*c.n)
			for i := range x {
				for k := range x[i] {
					x[i][k] = r.NormFloat64()
					want[6*i+k] = x[i][k]
				}
			}
			var exact mat.VecDense
			if err := exact.SolveVec(d, mat.NewVecDense(6*c.n, want)); err != nil {
				t.Fatal(err)
			}
			negative, singular := s.Factor()
			if wantNegative := int(3*(1-sign)) * c.n; negative != wantNegative || singular != -1 {
				t.Errorf("%s: %d negative, singular %d; want %d and −1", name, negative, singular, wantNegative)
			}
			s.Solve(x)
			for i := range x {
				for k := range x[i] {
					if e := exact.AtVec(6*i + k); !(math.Abs(x[i][k]-e) <= 1e-13) {
						t.Errorf("%s: block %d entry %d: %v, dense %v", name, i, k, x[i][k], e)
					}
				}
			}
		}
	}
}

func TestSkylineCountsNegativeEigenvalues(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		s, _ := integrate.NewSkyline(6, [][2]int{{0, 3}, {2, 5}})
		d := integrate.Fill(s, r, 1)
		for j := range 6 { // make it indefinite
			for a := range 6 {
				shift := 90 * r.Float64()
				s.Diag(j)[7*a] -= shift
				d.SetSym(6*j+a, 6*j+a, d.At(6*j+a, 6*j+a)-shift)
			}
		}
		var eig mat.EigenSym
		if !eig.Factorize(d, false) {
			t.Fatal("no eigenvalues")
		}
		want := 0
		for _, v := range eig.Values(nil) {
			if v < 0 {
				want++
			}
		}
		if got, singular := s.Factor(); singular >= 0 || got != want {
			t.Errorf("%d negative pivots (singular %d), %d negative eigenvalues", got, singular, want)
		}
	}
}

func TestSkylineFindsSingularBlock(t *testing.T) {
	s, _ := integrate.NewSkyline(4, nil)
	integrate.Fill(s, rand.New(rand.NewPCG(1, 1)), 1)
	*s.Diag(2) = spatial.Mat6{}
	*s.Block(1, 2) = spatial.Mat6{}
	if _, singular := s.Factor(); singular != 2 {
		t.Errorf("singular block %d, want 2", singular)
	}
}

func TestSkylineRefusesBadCouplings(t *testing.T) {
	for _, c := range [][2]int{{-1, 2}, {0, 4}, {1, 1}} {
		if _, err := integrate.NewSkyline(4, [][2]int{c}); err == nil {
			t.Errorf("coupling %v passes", c)
		}
	}
}

func TestClearOffBandKeepsNeighbours(t *testing.T) {
	s, _ := integrate.NewSkyline(5, [][2]int{{0, 4}})
	integrate.Fill(s, rand.New(rand.NewPCG(1, 1)), 1)
	near := *s.Block(3, 4)
	s.ClearOffBand()
	if *s.Block(3, 4) != near || *s.Block(0, 4) != (spatial.Mat6{}) || *s.Block(2, 4) != (spatial.Mat6{}) {
		t.Error("ZeroFar must clear far blocks and keep neighbours")
	}
}

func TestSolveDense(t *testing.T) {
	a := []float64{0, 2, 1, 1, 1, 0, 4, 0, 1}
	b := []float64{7, 3, 7} // of x = 1, 2, 3
	if !integrate.SolveDense(a, b) || math.Abs(b[0]-1)+math.Abs(b[1]-2)+math.Abs(b[2]-3) > 1e-14 {
		t.Errorf("solution %v, want 1 2 3", b)
	}
	if integrate.SolveDense([]float64{1, 2, 2, 4}, []float64{1, 1}) {
		t.Error("a singular matrix passes")
	}
}

// TestFactorDense checks that the solutions equal those of SolveDense to the bit, and that pivots
// are exchanged.
func TestFactorDense(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	exchanged := 0
	for n := range 12 {
		a, pivots := make([]float64, n*n), make([]int, n)
		for i := range a {
			if a[i] = random.NormFloat64(); random.IntN(4) == 0 {
				a[i] = 0
			}
		}
		for i := range n {
			a[i*n+i] += 1.5
		}
		whole := slices.Clone(a)
		if !integrate.FactorDense(a, pivots) {
			t.Fatalf("%d equations are singular", n)
		}
		for k, p := range pivots {
			if p != k {
				exchanged++
			}
		}
		for range 3 {
			b := make([]float64, n)
			for i := range b {
				b[i] = float64(random.IntN(5) - 2)
			}
			want := slices.Clone(b)
			integrate.SolveFactored(a, pivots, b)
			integrate.SolveDense(slices.Clone(whole), want)
			if !slices.Equal(b, want) {
				t.Errorf("%d equations: %v, want %v", n, b, want)
			}
		}
	}
	if exchanged == 0 {
		t.Error("nothing was exchanged")
	}
	if integrate.FactorDense([]float64{1, 2, 2, 4}, make([]int, 2)) {
		t.Error("a singular matrix passes")
	}
}
