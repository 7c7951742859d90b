package motion_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/continuum/motion"
)

// Motions on a parabola or a line are extrapolated exactly, whatever the steps, with as many
// levels as there are since rest.
func TestExtrapolationIsExact(t *testing.T) {
	steps := []float64{1e-3, 2.5e-4, 5e-4, 1e-3, 1e-3, 2e-3}
	for name, x := range map[string]func(time float64) float64{
		"line":     func(time float64) float64 { return 1 - 300*time },
		"parabola": func(time float64) float64 { return 2 + 500*time - 4e5*time*time },
	} {
		var h motion.History
		times := []float64{0}
		for k, dt := range steps {
			ways, count := h.Extrapolations(dt)
			if want := min(max(k-1, 0), 2); count != want {
				t.Fatalf("%s, step %d: %d ways, want %d", name, k, count, want)
			}
			now := times[len(times)-1]
			for i, way := range ways[:count] {
				if name == "parabola" && (i == 1 || count == 1) {
					continue // on the line through the last two levels
				}
				last, older := times[len(times)-2], times[len(times)-3]
				got := x(now) + way[0]*(x(now)-x(last)) + way[1]*(x(last)-x(older))
				if want := x(now + dt); !(math.Abs(got-want) < 1e-11) {
					t.Errorf("%s, step %d, way %d: %.15g, want %.15g", name, k, i, got, want)
				}
			}
			h.Add(dt)
			times = append(times, now+dt)
		}
	}
}
