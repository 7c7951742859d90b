package fit

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Tests of what has no exported name.

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

// TestBeginNearerToHome begins where there is no model: half way to the first start,
// which has one, and so on, four times at most.
func TestBeginNearerToHome(t *testing.T) {
	for _, c := range []struct {
		border, want float64 // the model exists up to border
		evaluations  int
	}{{9, 8, 1}, {4, 4, 2}, {1.5, 1, 4}, {0.5, 0.5, 5}, {0.4, math.NaN(), 5}} {
		p := UnitLine(0, func(x float64) bool { return x <= c.border })
		workers, err := newPool(&p, 1)
		if err != nil {
			t.Fatal(err)
		}
		a := newAxis(Parameter{Name: "x", Start: 1, Min: -10, Max: 10})
		s := &search{ctx: context.Background(), problem: &p, options: Options{}.withDefaults(), axes: []axis{a}, pool: workers}
		at, err := s.begin([]float64{8}, []float64{0})
		switch {
		case s.evaluations != c.evaluations:
			t.Errorf("model up to %g: %d evaluations, want %d", c.border, s.evaluations, c.evaluations)
		case math.IsNaN(c.want) && !errors.Is(err, ErrBuckled):
			t.Errorf("model up to %g: begins at %v, %v", c.border, at.u, err)
		case !math.IsNaN(c.want) && (err != nil || at.u[0] != c.want || at.ssr != c.want*c.want+1):
			t.Errorf("model up to %g: begins at %+v, %v; want %g", c.border, at, err, c.want)
		}
	}
}

// The damping follows Nielsen: a step that gains all that it promises leaves a third of it,
// one that gains half leaves it as it is, and it grows after a step that fails.
func TestDampingFollowsTheGain(t *testing.T) {
	for _, c := range []struct {
		name    string
		r       func(x float64) float64 // residual near x = 1, with the slope 1
		damping float64                 // of the next step
	}{
		{"all", func(x float64) float64 { return x }, firstDamping / 3},
		{"half", func(x float64) float64 {
			// the sum of the squares falls from 1 by half of what a straight line promises
			if x == 1 {
				return 1
			}
			return math.Sqrt((1 + x*x) / 2)
		}, firstDamping},
		{"nothing at first", func(x float64) float64 {
			if x < 0.25 {
				return 3
			}
			return x
		}, math.NaN()},
	} {
		p := Problem{Parameters: []Parameter{{Name: "x", Start: 1, Min: -10, Max: 10}}, Data: Same(1, func(b, dst []float64) error {
			dst[0] = c.r(b[0])
			return nil
		})}
		workers, err := newPool(&p, 1)
		if err != nil {
			t.Fatal(err)
		}
		s := &search{ctx: context.Background(), problem: &p, options: Options{}.withDefaults(), axes: []axis{newAxis(p.Parameters[0])}, pool: workers}
		d := &descent{search: s, objective: s.objective(), at: point{u: []float64{1}, r: []float64{1}, ssr: 1}, mu: firstDamping, grow: 2, scale: []float64{1}}
		moved, err := d.tryDamped(linearize(mat.NewDense(1, 1, []float64{1}), d.at.r))
		if !moved || err != nil || d.grow != 2 {
			t.Errorf("%s: moved %t, growth %g, %v", c.name, moved, d.grow, err)
		}
		if math.IsNaN(c.damping) {
			// 1e-3 by 2, 4, 8 …: the first that keeps the step from going 0.75 far
			if d.at.u[0] < 0.25 || !(d.mu > 0.1) {
				t.Errorf("%s: at %g with the damping %g", c.name, d.at.u[0], d.mu)
			}
			continue
		}
		if !(math.Abs(d.mu/c.damping-1) < 1e-6) {
			t.Errorf("%s: damping %g, want %g", c.name, d.mu, c.damping)
		}
	}
}

// TestLossFormulas compares ρ, its derivative and that of ψ with differences.
func TestLossFormulas(t *testing.T) {
	for _, l := range Losses {
		for _, r := range []float64{0.1, 0.7, 1.6, 3, 20} {
			const h = 1e-5
			value, weight, slope := l.rho(r * r)
			above, wa, _ := l.rho((r + h) * (r + h))
			below, wb, _ := l.rho((r - h) * (r - h))
			if got := (above - below) / (2 * h); math.Abs(got-2*r*weight) > 1e-6*(1+value) {
				t.Errorf("%s at %g: ρ′ = %g, differences %g", l, r, weight, got/(2*r))
			}
			if got := ((r+h)*wa - (r-h)*wb) / (2 * h); math.Abs(got-slope) > 1e-6 {
				t.Errorf("%s at %g: ψ′ = %g, differences %g", l, r, slope, got)
			}
		}
	}
}

func TestStartsCoverTheBoundsEvenly(t *testing.T) {
	const starts = 9
	p := Decay(3, 0.7, 0.05, 1)
	s := &search{options: Options{Starts: starts, Seed: 5}}
	for _, q := range p.Parameters {
		s.axes = append(s.axes, newAxis(q))
	}
	points := s.startPoints()
	for i, a := range s.axes {
		seen := make([]bool, starts-1)
		for _, u := range points[1:] {
			stratum := int((u[i] - a.lo) / (a.hi - a.lo) * (starts - 1))
			if seen[stratum] {
				t.Errorf("%s: two starts in part %d", a.Name, stratum)
			}
			seen[stratum] = true
		}
	}
}
