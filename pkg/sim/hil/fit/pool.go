package fit

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"sinew/pkg/sim/spatial"
)

// pool evaluates residuals, each worker with a model of its own.
type pool struct {
	count     int
	workers   []Residuals
	evaluated func() // called after each evaluation
}

func newPool(problem *Problem, workers int) (*pool, error) {
	p := &pool{count: problem.Data.Count + len(problem.priors()), evaluated: func() {}}
	for range workers {
		r, err := problem.Data.New()
		if err != nil {
			return nil, err
		}
		p.workers = append(p.workers, problem.withPriors(r))
	}
	return p, nil
}

// outcome is what came of one evaluation.
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

// errNotFinite is the failure of a model that gives numbers that are none.
var errNotFinite = errors.New("not finite")

// evaluate is one evaluation; a residual that is not finite is a failure.
func evaluate(f Residuals, x []float64, count int) outcome {
	r := make([]float64, count)
	if err := f(append([]float64(nil), x...), r); err != nil {
		return outcome{err: err}
	}
	for i, v := range r {
		if !spatial.IsFinite(v) {
			return outcome{err: fmt.Errorf("residual %d of %d is %g: %w", i, count, v, errNotFinite)}
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
