package identify

import (
	"context"
	"fmt"
	"maps"
	"math"
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/progress"
	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/hil/identify"
	"sinew/pkg/sim/robotfile"
)

// fitting is one run of the verb.
type fitting struct {
	program string
	config  []string
	made    *program.Instance // with the values of the robot file
	lengthM float64
	plan    *plan
	newFile func() identify.File
	base    identify.File      // the robot file that the first stage starts from
	numbers []robotfile.Number // of that
	stages  []*stage
	seed    uint64

	*outcome            // of the last stage that was begun
	done     []*outcome // of all of them, in order
	folds    []fold     // of --leave-one-out
	pooled   identify.Errors
	failed   error // of a stage after others that have results
}

// stage is a search and the trials that it needs.
type stage struct {
	planStage
	trials []*identify.Trial // fitted ones, then those that are only predicted
	notes  []string          // what is to be said of them
}

// outcome is what came of a stage.
type outcome struct {
	stage         *stage
	problem       *identify.Problem
	result        *fit.Result // nil before anything was found
	before, after identify.Summary
	interrupted   bool // the search had not ended
	explained     identify.Explanation
	expected      *identify.Errors  // on other motions; nil: not known
	found         map[string]string // comments of the numbers found until then, by path
}

// watch receives the progress of a search.
type watch struct {
	progress  func([]fit.Parameter) func(fit.Progress) // nil: none
	evaluated func()
	workers   int // 0: one per processor
}

// search finds the parameters, stage by stage. When ctx ends it returns its error, with
// the best that was found if that is anything.
func (f *fitting) search(ctx context.Context, e *cli.Env) error {
	base := f.base
	for i, s := range f.stages {
		what := "identify"
		if len(f.stages) > 1 {
			what = fmt.Sprintf("identify, stage %d of %d, %s", i+1, len(f.stages), s.name)
		}
		bar := e.Progress(what, -1, "simulations")
		o, err := f.run(ctx, s, base, watch{progress: f.show(e, bar, s), evaluated: func() { bar.Add(1) }})
		bar.End()
		if o != nil && o.result != nil {
			if f.outcome != nil {
				o.found = merged(f.found, o.found)
			}
			f.outcome, f.done = o, append(f.done, o)
		} else if f.outcome == nil {
			f.outcome = &outcome{stage: s}
		}
		if err == nil {
			base, err = f.next(o)
		}
		if err != nil {
			f.interrupted = f.result != nil && ctx.Err() != nil
			if err = s.named(f, err); f.result != nil && !f.interrupted {
				f.failed = err
			}
			return err
		}
	}
	return nil
}

// named adds the stage to an error where there are several.
func (s *stage) named(f *fitting, err error) error {
	if len(f.stages) == 1 {
		return err
	}
	return fmt.Errorf("%s: %w", s.name, err)
}

func merged(a, b map[string]string) map[string]string {
	m := maps.Clone(a)
	maps.Copy(m, b)
	return m
}

// next is the robot file that the stage after o starts from.
func (f *fitting) next(o *outcome) (identify.File, error) {
	text, err := o.problem.Fitted(o.result.Values())
	if err != nil {
		return nil, err
	}
	return f.copyOf(text), nil
}

// start is the text of the complete robot file that the first stage starts from.
func (f *fitting) start() ([]byte, error) { return f.base.Print() }

// copyOf makes a robot file of the text of a complete one.
func (f *fitting) copyOf(text []byte) identify.File {
	file := f.newFile()
	file.Merge("robot file", text)
	return file
}

// problemOf makes the problem of a stage that starts from a robot file.
func (f *fitting) problemOf(s *stage, base identify.File) (*identify.Problem, error) {
	numbers, err := base.Numbers()
	if err != nil {
		return nil, err
	}
	free, err := resolve(s, numbers, f.lengthM)
	if err != nil {
		return nil, err
	}
	known, err := resolve(s, f.numbers, f.lengthM)
	if err != nil {
		return nil, err
	}
	keepPriors(free, known)
	p, err := identify.NewProblem(f.newFile, base, free)
	if err != nil {
		return nil, err
	}
	p.Notes = append(p.Notes, s.notes...)
	p.Trials, p.RotationWeight, p.Loss, p.LossScale, p.Deviation = s.trials, s.rotationWeight, s.loss, s.lossScale, s.noise
	return p, nil
}

// keepPriors gives the parameters of a stage the priors that they have in the robot file: what
// stages before have found in the data is not known beside the data.
func keepPriors(free, known []identify.Free) {
	for i := range free {
		for k := range free[i].Parameters {
			p, q := &free[i].Parameters[k], &known[i].Parameters[k]
			if p.Prior != nil {
				p.Prior, p.Min, p.Max = q.Prior, min(p.Min, q.Min), max(p.Max, q.Max)
			}
		}
	}
}

// run searches one stage. With an error it returns what there is.
func (f *fitting) run(ctx context.Context, s *stage, base identify.File, w watch) (o *outcome, err error) {
	o = &outcome{stage: s, explained: identify.Explanation{Alike: math.NaN()}}
	if o.problem, err = f.problemOf(s, base); err != nil {
		return o, err
	}
	start := o.problem.Start()
	if o.before, err = o.problem.Predict(ctx, start); err != nil {
		return o, fmt.Errorf("with the values of the robot file: %w", err)
	}
	if len(start) == 0 {
		o.result, o.after = new(fit.Result), o.before
		o.explained, err = o.problem.Explain(ctx, start, o.result)
		return o, err
	}
	options := fit.Options{Starts: s.starts, Iterations: s.steps, Seed: f.seed, Workers: w.workers, Evaluated: w.evaluated}
	if w.progress != nil {
		options.Progress = w.progress(o.problem.Parameters())
	}
	o.result, err = o.problem.Fit(ctx, options)
	if o.result == nil {
		return o, err
	}
	o.found = o.problem.Comments(o.result, comment)
	if expected, ok := o.problem.Expected(o.result); ok {
		o.expected = &expected
	}
	var err2 error
	o.after, err2 = o.problem.Predict(context.WithoutCancel(ctx), o.result.Values()) // known already where that was the best
	if err2 == nil {
		o.explained, err2 = o.problem.Explain(context.WithoutCancel(ctx), o.result.Values(), o.result)
	}
	if err == nil {
		err = err2
	}
	return o, err
}

// show returns a function that says on bar how far the search is, the present error and
// the least so far, and in a line of its own which bound a step has met, once.
func (f *fitting) show(e *cli.Env, bar *progress.Bar, s *stage) func([]fit.Parameter) func(fit.Progress) {
	unit, factor := f.unit()
	if s.rotationWeight == 0 {
		factor *= math.Sqrt(3) // of distances, not of components
	}
	return func(parameters []fit.Parameter) func(fit.Progress) {
		best, met := math.Inf(1), map[fit.Bound]bool{}
		return func(p fit.Progress) {
			for _, b := range p.AtBounds {
				known := met[b]
				if met[b] = true; !known && p.Iteration > 0 { // where it began is no news
					e.Println(bar, boundText(&parameters[b.Parameter], b.Upper, p))
				}
			}
			best = min(best, p.RMSE)
			start := fmt.Sprintf("start %d", p.Start)
			if p.Starts > 0 {
				start += fmt.Sprintf(" of %d", p.Starts)
			}
			bar.Note(fmt.Sprintf("%s, step %d, RMSE %.4g %s, best %.4g %[4]s", start, p.Iteration, factor*p.RMSE, unit, factor*best))
		}
	}
}

// boundText says that a step has met a bound.
func boundText(q *fit.Parameter, upper bool, p fit.Progress) string {
	side, value := "lower", q.Min
	if upper {
		side, value = "upper", q.Max
	}
	at := strings.TrimSuffix(fmt.Sprintf("%.6g %s", value, q.Unit), " 1")
	return fmt.Sprintf("start %d, step %d: %s has met its %s bound of %s; wider ones are given by --free NAME=MIN:MAX", p.Start, p.Iteration, q.Name, side, at)
}
