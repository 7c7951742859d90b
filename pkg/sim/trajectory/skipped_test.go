package trajectory_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/trajectory"
)

// Rows that no step sees count where they lie outside of what steps see: those that alternate faster than the steps, not those of a
// smooth command that is sampled more often, nor those before the beginning and behind the end.
func TestSkippedRows(t *testing.T) {
	const dt, end = 1e-3, 0.1
	for _, c := range []struct {
		name  string
		every float64
		value func(k int) float64
		want  int
	}{
		{"alternates every step", 1e-3, func(k int) float64 { return float64(k % 2) }, 0},
		{"alternates twice a step", 0.5e-3, func(k int) float64 { return float64(k % 2) }, 100},
		{"is seen once in four", 0.25e-3, func(k int) float64 { return float64(min(k%4, 1)) }, 300},
		{"jumps between steps", 0.25e-3, func(k int) float64 { return float64(min(k/42, 1)) }, 0},
		{"swings at 20 Hz", 0.25e-3, func(k int) float64 { return math.Sin(40 * math.Pi * 0.25e-3 * float64(k)) }, 0},
	} {
		var table trajectory.Commands
		for k := -10; float64(k)*c.every < 2*end; k++ {
			table.Add(float64(k)*c.every, trajectory.Row{0: {c.value(max(k, 0))}})
		}
		if got := table.SkippedRows(dt, end); got != c.want {
			t.Errorf("a command that %s: %d rows skipped, want %d", c.name, got, c.want)
		}
	}
}
