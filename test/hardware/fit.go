package main

import (
	"context"
	"fmt"
	"io"

	"sinew/pkg/sim/hil/fit"
)

const (
	// every so many rows are fitted: rows are half a second of a slow motion
	// apart, so that neighbours say the same.
	every = 8
	// radiusSpread (mm) is how far the holes may be from where they should be: the
	// nominal radii count as measurements of that standard deviation.
	radiusSpread = 0.3
	// tipSpread (mm) is the error expected of a row.
	tipSpread = 3
)

// fitRobot finds the parameters of the robot from rows and tells w how far it is.
func fitRobot(ctx context.Context, rows []row, w io.Writer) (*fit.Result, error) {
	var index []int
	for n, i := range held(rows) {
		if n%every == 0 {
			index = append(index, i)
		}
	}
	residuals := func(x, dst []float64) error {
		p, err := predict(robot(x), rows, index)
		if err != nil {
			return err
		}
		for _, e := range errorsOf(p, rows, index) {
			dst[0], dst[1], dst[2] = 1e3*e.X/tipSpread, 1e3*e.Y/tipSpread, 1e3*e.Z/tipSpread
			dst = dst[3:]
		}
		for k := range tendonCount {
			dst[k] = (x[radius+k] - 1e3*holeRadius) / radiusSpread
		}
		return nil
	}
	problem := fit.Problem{Parameters: parameters(), Data: fit.Data{
		Count: 3*len(index) + tendonCount,
		New:   func() (fit.Residuals, error) { return residuals, nil },
	}}
	options := fit.Options{Iterations: 30, Difference: 1e-4, Tolerance: 0.1, Progress: func(p fit.Progress) {
		fmt.Fprintf(w, "iteration %d, %d evaluations: %.2f mm per coordinate\n", p.Iteration, p.Evaluations, p.RMSE*tipSpread)
	}}
	return fit.Fit(ctx, problem, options)
}
