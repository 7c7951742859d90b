package fit

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"sync"

	"sinew/pkg/sim/spatial"
)

// pool evaluates residuals in parallel, with a model for each worker.
type pool struct {
	problem   *Problem
	count     int
	workers   []Residuals
	nearby    []Nearby // by worker; nil: there is none
	tangents  []Nearby // the same
	evaluated func()   // called after each evaluation
}

func newPool(problem *Problem, workers int) (*pool, error) {
	p := &pool{problem: problem, count: problem.Data.Count + len(problem.priors()), evaluated: func() {}}
	for range workers {
		if err := cmp.Or(appendNearby(&p.nearby, problem.Data.NewNearby), appendNearby(&p.tangents, problem.Data.NewTangent)); err != nil {
			return nil, err
		}
		r, err := problem.Data.New()
		if err != nil {
			return nil, err
		}
		p.workers = append(p.workers, problem.withPriors(r))
	}
	return p, nil
}

func appendNearby(to *[]Nearby, maker func() (Nearby, error)) error {
	if maker == nil {
		return nil
	}
	n, err := maker()
	*to = append(*to, n)
	return err
}

// outcome is the result of one evaluation.
type outcome struct {
	r   []float64
	err error
}

// all evaluates the residuals at several points at once.
func (p *pool) all(points [][]float64) []outcome {
	results := make([]outcome, len(points))
	next := make(chan int, len(points))
	for i := range points {
		next <- i
	}
	close(next)
	var wg sync.WaitGroup
	for w := range min(len(p.workers), len(points)) {
		wg.Go(func() {
			for i := range next {
				results[i] = evaluate(p.workers[w], points[i], p.count)
				p.evaluated()
			}
		})
	}
	wg.Wait()
	return results
}

// near evaluates the residuals at several points near x at once, each worker a part of them.
func (p *pool) near(x []float64, points [][]float64) []outcome {
	if p.nearby == nil {
		return p.all(points)
	}
	return p.share(p.nearby, len(p.nearby), x, points)
}

// minPointsToFollow is how many points a worker takes at least that goes to all of them by the derivative at one, which costs as
// much as that many.
const minPointsToFollow = 16

// along evaluates the residuals at several points near x by the derivative there.
func (p *pool) along(x []float64, points [][]float64) []outcome {
	quiet := *p
	quiet.evaluated = func() {} // these are no simulations
	return quiet.share(p.tangents, min(len(p.tangents), 1+len(points)/minPointsToFollow), x, points)
}

// share evaluates points near x by n workers, each a part of them.
func (p *pool) share(by []Nearby, n int, x []float64, points [][]float64) []outcome {
	results := make([]outcome, len(points))
	n = min(n, len(points))
	var wg sync.WaitGroup
	for w := range n {
		from, to := w*len(points)/n, (w+1)*len(points)/n
		wg.Go(func() { p.evaluateNear(by[w], x, points[from:to], results[from:to]) })
	}
	wg.Wait()
	return results
}

// evaluateNear evaluates the residuals at points near x by one worker.
func (p *pool) evaluateNear(f Nearby, x []float64, points [][]float64, results []outcome) {
	dst, errs := make([][]float64, len(points)), make([]error, len(points))
	for i := range dst {
		dst[i] = make([]float64, p.problem.Data.Count, p.count)
	}
	f(x, points, dst, errs)
	for i, r := range dst {
		results[i].err = errs[i]
		if errs[i] == nil {
			results[i] = checked(p.problem.appendPriors(r, points[i]))
		}
		p.evaluated()
	}
}

// errNotFinite is the failure of a model with residuals that are not finite.
var errNotFinite = errors.New("not finite")

// evaluate is one evaluation; a residual that is not finite is a failure.
func evaluate(f Residuals, x []float64, count int) outcome {
	r := make([]float64, count)
	if err := f(append([]float64(nil), x...), r); err != nil {
		return outcome{err: err}
	}
	return checked(r)
}

// checked returns the outcome r, or an error if it is not finite.
func checked(r []float64) outcome {
	for i, v := range r {
		if !spatial.IsFinite(v) {
			return outcome{err: fmt.Errorf("residual %d of %d is %g: %w", i, len(r), v, errNotFinite)}
		}
	}
	if math.IsInf(sumOfSquares(r), 1) {
		return outcome{err: fmt.Errorf("the sum of the squared residuals is too large: %w", errNotFinite)}
	}
	return outcome{r: r}
}

// sumOfSquares is |r|², +Inf where that overflows.
func sumOfSquares(r []float64) (s float64) {
	for _, v := range r {
		s += v * v
	}
	return s
}

// dataRMS is the root mean square of the residuals of the data.
func (s *search) dataRMS(r []float64) float64 {
	n := s.problem.Data.Count
	return rms(sumOfSquares(r[:n]), n)
}

// rms is the root mean square.
func rms(ssr float64, n int) float64 { return math.Sqrt(ssr / float64(n)) }
