package fit

import (
	"context"
	"runtime"
)

// Adaptive as Options.Starts takes the parameters' own start and samples the bounds until it is unlikely that a
// minimum was not found; it searches from few points of the sample. See linkage.
const Adaptive = -1

// Options say how to search. The zero value is sensible.
type Options struct {
	Starts  int    // number of starts: the parameters' own, then points that fill the bounds; 0 is 1, Adaptive as many as it takes
	Seed    uint64 // seed of the other starts
	Workers int    // number of workers; 0 is one per processor
	// Iterations is the most steps of one start; 0 is 100.
	Iterations int
	// Tolerance ends a search when a full step would move the parameters by less
	// than this share of their joint standard error; 0: 1e-4.
	Tolerance float64
	// Difference is the relative step of the differences. It should be near the
	// cube root of the model's relative accuracy; 0: 1e-5. Where the model jumps, larger ones are
	// taken, see Result.Difference.
	Difference float64
	// Progress, if not nil, is called after every step, by the goroutine of Fit.
	Progress func(Progress)
	// Evaluated, if not nil, is called after every evaluation of the residuals, by any
	// goroutine.
	Evaluated func()
}

// Progress is how far a search has come.
type Progress struct {
	Start, Starts int // the present one, from 1, of how many; 0: adaptive
	Iteration     int // steps of this start
	Evaluations   int // evaluations of all starts
	RMSE          float64
	AtBounds      []Bound // the parameters that are at a bound
}

// Bound is a bound of a parameter.
type Bound struct {
	Parameter int
	Upper     bool
}

// withDefaults applies the defaults.
func (o Options) withDefaults() Options {
	or := func(v *int, fallback int) {
		if *v <= 0 {
			*v = fallback
		}
	}
	if o.Starts != Adaptive {
		or(&o.Starts, 1)
	}
	or(&o.Workers, runtime.GOMAXPROCS(0))
	or(&o.Iterations, 100)
	if o.Tolerance <= 0 {
		o.Tolerance = 1e-4
	}
	if o.Difference <= 0 {
		o.Difference = 1e-5
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Evaluated == nil {
		o.Evaluated = func() {}
	}
	return o
}

// search is the state of a running fit.
type search struct {
	ctx         context.Context
	problem     *Problem
	options     Options
	axes        []axis
	pool        *pool
	evaluations int
	failed      int     // of the evaluations
	failure     error   // of the first of those
	target      float64 // of the descents that begin, see descent
}
