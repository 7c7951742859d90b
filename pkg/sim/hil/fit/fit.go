package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// ErrNoFit: the search succeeded from none of its starts.
var ErrNoFit = errors.New("no fit")

// Start is how the search from one start went.
type Start struct {
	From, To    []float64 // parameters; To is nil for a start that failed at once
	RMSE        float64   // root of the mean loss of the residuals and priors at To; NaN without
	Iterations  int
	Evaluations int
	Ending      Termination
	Failure     string // why it failed, or empty
}

// Fit finds the parameters with the least sum of squared residuals. It fails with
// what is wrong with the problem, or with ErrNoFit and the error of each start. With
// the error of the context comes the best that was found until then, nil if that is
// nothing.
func Fit(ctx context.Context, p Problem, options Options) (*Result, error) {
	o := options.withDefaults()
	if err := p.check(o.Starts != 1); err != nil {
		return nil, err
	}
	workers, err := newPool(&p, o.Workers)
	if err != nil {
		return nil, err
	}
	workers.evaluated = o.Evaluated
	s := &search{ctx: ctx, problem: &p, options: o, pool: workers}
	for _, q := range p.Parameters {
		s.axes = append(s.axes, newAxis(q))
	}
	result := &Result{}
	best, err := s.searchAll(result)
	if best == nil {
		return nil, err
	}
	s.describe(result, best)
	return result, err
}

// searchAll searches from every start and returns the best end; with the error of the
// context, the best there is.
func (s *search) searchAll(result *Result) (*descent, error) {
	var best *descent
	var errs []error
	starts, home := s.newStarts(), s.home()
	for k := 0; ; k++ {
		u, err := starts.next()
		if u == nil || err != nil { // an error is that of the context
			break
		}
		before := s.evaluations
		var first []float64 // residuals at the start
		d, ending, err := s.descend(u, home, func(d *descent) {
			if d.steps == 0 {
				first = d.at.r
			}
			s.options.Progress(Progress{k + 1, max(0, s.options.Starts), d.steps, s.evaluations, s.dataRMS(d.at.r), d.atBounds()})
		})
		if cancelled(err) {
			ending = Interrupted
		}
		one := Start{From: s.outer(u), RMSE: math.NaN(), Ending: ending, Failure: failure(err), Evaluations: s.evaluations - before}
		if d != nil {
			one.To, one.RMSE, one.Iterations = s.outer(d.at.u), rms(d.at.ssr, len(d.at.r)), d.steps
		}
		result.Starts = append(result.Starts, one)
		if d == nil || err != nil && ending != Interrupted {
			starts.ended(nil, first)
			errs = append(errs, fmt.Errorf("start %d: %w", k+1, err))
			continue
		}
		starts.ended(d, first)
		if best == nil || d.value() < best.value() {
			best, result.Best = d, k
			if s.options.Starts == Adaptive && !d.estimates() {
				s.target = d.at.ssr
			}
		}
		if ending == Interrupted {
			break
		}
	}
	if l, ok := starts.(*linkage); ok {
		result.Sample = l.summary()
	}
	result.Evaluations, result.Failed, result.Failure = s.evaluations, s.failed, failure(s.failure)
	if err := s.ctx.Err(); err != nil {
		return best, err
	}
	if best == nil {
		return nil, fmt.Errorf("%w: %w", ErrNoFit, errors.Join(errs...))
	}
	return best, nil
}
