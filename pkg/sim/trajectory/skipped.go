package trajectory

import (
	"math"

	"sinew/pkg/sim"
)

// skippedShare is the share of the range of a command by which a value that no step sees has to lie outside of those around it.
const skippedShare = 0.05

// SkippedRows returns how many rows have a value that no step of dt seconds sees, as the next row comes before the next step, and that
// lies outside of the values which steps see before and after it: commands that alternate faster than the steps. Rows before time 0
// and after end (s) do not count.
func (t *Commands) SkippedRows(dt, end float64) int {
	skipped := make([]bool, len(t.T))
	seen := map[Target]bool{}
	for _, row := range t.Rows {
		for port, values := range row {
			for i := range values {
				if at := (Target{Port: port, Value: i}); !seen[at] {
					seen[at] = true
					t.skipped(at, dt, end, skipped)
				}
			}
		}
	}
	n := 0
	for _, is := range skipped {
		if is {
			n++
		}
	}
	return n
}

// skipped marks the rows of which a value is skipped.
func (t *Commands) skipped(at Target, dt, end float64, skipped []bool) {
	var rows []int
	low, high := math.Inf(1), math.Inf(-1)
	for k, row := range t.Rows {
		if values, ok := row[at.Port]; ok && !sim.IsKeep(values[at.Value]) && t.T[k] >= 0 && t.T[k] <= end {
			rows = append(rows, k)
			low, high = min(low, values[at.Value]), max(high, values[at.Value])
		}
	}
	step := func(k int) float64 { return math.Ceil((t.T[rows[k]] - TimeTolerance) / dt) }
	value := func(k int) float64 { return t.Rows[rows[k]][at.Port][at.Value] }
	for first, before := 0, 0; first < len(rows); {
		end := first + 1 // of the rows that come for one step, which sees the last of them
		for end < len(rows) && step(end) == step(first) {
			end++
		}
		a, b, margin := value(before), value(end-1), skippedShare*(high-low)
		for k := first; k < end; k++ {
			if v := value(k); v < min(a, b)-margin || v > max(a, b)+margin {
				skipped[rows[k]] = true
			}
		}
		first, before = end, end-1
	}
}
