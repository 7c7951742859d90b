package fit_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/hil/fit"
)

// TestLossTakesTheLengthOfGroups estimates the place of points in the plane, one of them far off in both
// coordinates: with groups of two the loss takes distances, so that turning all points turns the estimate; by
// single coordinates it does not.
func TestLossTakesTheLengthOfGroups(t *testing.T) {
	points := [][2]float64{{0, 0}, {1, 0.2}, {0.1, 1}, {-0.8, 0.3}, {9, 7}}
	estimate := func(group int, turn float64) (x, y float64) {
		c, s := math.Cos(turn), math.Sin(turn)
		p := fit.Problem{
			Parameters: []fit.Parameter{{Name: "x", Min: -20, Max: 20, Start: 0.1}, {Name: "y", Min: -20, Max: 20, Start: 0.1}},
			Loss:       fit.Huber, LossScale: 0.5,
			Data: fit.Data{Count: 2 * len(points), Group: group, New: func() (fit.Residuals, error) {
				return func(v, dst []float64) error {
					for i, q := range points {
						dst[2*i], dst[2*i+1] = v[0]-(c*q[0]-s*q[1]), v[1]-(s*q[0]+c*q[1])
					}
					return nil
				}, nil
			}},
		}
		r, err := fit.Fit(t.Context(), p, fit.Options{Tolerance: 1e-9})
		if err != nil {
			t.Fatal(err)
		}
		v := r.Values()
		return c*v[0] + s*v[1], -s*v[0] + c*v[1] // turned back
	}
	for group, same := range map[int]bool{2: true, 0: false} {
		x0, y0 := estimate(group, 0)
		x1, y1 := estimate(group, 0.6)
		if off := math.Hypot(x1-x0, y1-y0); (off < 1e-5) != same {
			t.Errorf("groups of %d: turned by 0.6 rad the estimate is off by %g", group, off)
		}
	}
	p := fit.Problem{Parameters: []fit.Parameter{{Name: "x", Min: -1, Max: 1}}, Data: fit.Data{Count: 4, Group: 3, New: func() (fit.Residuals, error) { return nil, nil }}}
	if _, err := fit.Fit(t.Context(), p, fit.Options{}); err == nil {
		t.Error("4 residuals in groups of 3")
	}
}
