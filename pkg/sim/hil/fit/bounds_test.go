package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestBoundedStepIsBest compares the damped step between bounds with the best of all
// combinations of components that are free or on a bound. Problems in very small
// units have the same answer as those in ordinary ones.
func TestBoundedStepIsBest(t *testing.T) {
	const p, n, mu = 3, 6, 0.01
	random := rand.New(rand.NewPCG(11, 0))
	bounds := 0
	for trial := range 60 {
		unit := []float64{1, 1e-7, 1e4}[trial%3]
		j, r := mat.NewDense(n, p, nil), make([]float64, n)
		d, lo, hi := make([]float64, p), make([]float64, p), make([]float64, p)
		for k := range r {
			r[k] = unit * random.NormFloat64()
			common := random.NormFloat64() // columns alike, so that a bound met is often left again
			for i := range p {
				j.Set(k, i, unit*(2*common+random.NormFloat64()))
			}
		}
		for i := range p {
			d[i], lo[i], hi[i] = unit, -0.2*random.Float64(), 0.2*random.Float64()
		}
		got := linearize(j, r).solve(mu, d, lo, hi)
		want, onBound := bestOfAll(j, r, mu, d, lo, hi)
		bounds += onBound
		for i := range want {
			if !(math.Abs(got[i]-want[i]) < 1e-9) {
				t.Errorf("problem %d: step %g, the best is %g, between %g and %g", trial, got, want, lo, hi)
				break
			}
		}
	}
	if bounds < 30 {
		t.Errorf("only %d components end on a bound; the test shows little", bounds)
	}
}

// bestOfAll tries every combination of components on their bounds.
func bestOfAll(j *mat.Dense, r []float64, mu float64, d, lo, hi []float64) (best []float64, onBound int) {
	n, p := j.Dims()
	least := math.Inf(1)
	for code := range int(math.Pow(3, float64(p))) {
		x, free := make([]float64, p), []int{}
		for i := range p {
			switch code % 3 {
			case 0:
				free = append(free, i)
			case 1:
				x[i] = lo[i]
			case 2:
				x[i] = hi[i]
			}
			code /= 3
		}
		if f := len(free); f > 0 {
			a, b := mat.NewDense(n+f, f, nil), mat.NewVecDense(n+f, nil)
			for k := range n {
				v := r[k]
				for i := range p {
					v += j.At(k, i) * x[i]
				}
				b.SetVec(k, -v)
				for m, i := range free {
					a.Set(k, m, j.At(k, i))
				}
			}
			for m, i := range free {
				a.Set(n+m, m, math.Sqrt(mu)*d[i])
			}
			var y mat.VecDense
			if err := y.SolveVec(a, b); err != nil {
				continue
			}
			inside := true
			for m, i := range free {
				x[i] = y.AtVec(m)
				inside = inside && x[i] >= lo[i] && x[i] <= hi[i]
			}
			if !inside {
				continue
			}
		}
		value := 0.0
		for k := range n {
			v := r[k]
			for i := range p {
				v += j.At(k, i) * x[i]
			}
			value += v * v
		}
		for i := range p {
			value += mu * d[i] * d[i] * x[i] * x[i]
		}
		if value < least {
			best, least, onBound = x, value, p-len(free)
		}
	}
	return best, onBound
}
