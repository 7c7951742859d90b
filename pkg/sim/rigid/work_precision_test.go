package rigid

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
)

// The error of every method on the heavy top at 0.1 s against its step: the centre of
// mass, how far the pivot is from its place, iterations per step. The orders are those of
// theory, and at the smallest step each method is as good as stated here. Trapezoidal
// steps keep the velocity of the pivot, the others its position. Tait-Bryan angles turn by
// thousands of radians per second where |cos θ₁| is small, and need smaller steps: at
// 0.4 ms they do not converge.
func TestErrorAgainstStep(t *testing.T) {
	var g topGolden
	golden(t, "heavy_top.json", &g)
	row := g.Rows[1]
	s := top(t, spatial.Vec{})
	bounds := map[string]struct{ order, error, pivot float64 }{
		"cg4": {4, 5e-9, 1e-13}, "rkmk4": {4, 3e-9, 1e-13}, "splitting": {2, 1e-8, 1e-13}, "lie-euler": {1, 5e-2, 1e-13},
		"generalized-alpha inertial":         {2, 2e-6, 1e-12},
		"generalized-alpha rotation vector":  {2, 1e-5, 1e-12},
		"generalized-alpha Euler parameters": {2, 3e-6, 1e-12},
		"generalized-alpha Tait-Bryan":       {2, 1e-5, 1e-12},
		"trapezoidal inertial":               {2, 5e-6, 2e-5},
		"trapezoidal rotation vector":        {2, 1e-5, 3e-5},
		"trapezoidal Euler parameters":       {2, 3e-6, 1e-5},
		"trapezoidal Tait-Bryan":             {2, 3e-6, 4e-5},
	}
	names, all := everyStepper(t)
	for i, m := range all {
		bound, last := bounds[names[i]], 0.0
		coarsest := 250
		if strings.HasSuffix(names[i], "Tait-Bryan") {
			coarsest = 1000
		}
		for n := coarsest; n <= 4*coarsest; n *= 2 {
			h, x, iterations := row.T/float64(n), topMotion(spatial.Vec{}), 0
			for k := range n {
				report, err := m.Step(float64(k)*h, h, &x)
				if err != nil {
					t.Fatalf("%s, h = %g: %v", names[i], h, err)
				}
				iterations += report.Iterations
			}
			d := comPosition(s.Body, x).Sub(vec(row.X)).Norm()
			pivot := x.P.Add(x.Q.Apply(s.Body.pivot)).Norm()
			order := math.Log2(last / d)
			t.Logf("%-34s h = %.1e s: %.2e m, pivot %.1e m, order %.2f, %.1f iterations", names[i], h, d, pivot, order, float64(iterations)/float64(n))
			if n == 4*coarsest && (d > bound.error || pivot > bound.pivot || math.Abs(order-bound.order) > 0.25) {
				t.Errorf("%s: error %.3g m (at most %.2g), pivot %.3g m (at most %.2g), order %.2f (want %g)",
					names[i], d, bound.error, pivot, bound.pivot, order, bound.order)
			}
			last = d
		}
	}
}
