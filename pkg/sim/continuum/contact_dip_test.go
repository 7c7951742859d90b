package continuum

import (
	"fmt"
	"strings"
	"testing"
)

// TestWallsTooSharpForElementsAreTold demands that elements too long for the bend of a tube be
// told of, and short ones not.
func TestWallsTooSharpForElementsAreTold(t *testing.T) {
	for elements, warned := range map[int]bool{4: true, 200: false} {
		m := mustModelOf(t, fmt.Sprintf(`
rod: {length_m: 0.04, radius_m: 0.0003, elements: %d}
base: {position_m: [-0.045, 0, 0], direction: [1, 0, 0], normal: [0, 0, 1]}
environment: {shapes: [{name: lumen, tube: {points_m: [[-0.05, 0, 0], [0.02, 0, 0], [0.0245, 0, 0.0015], [0.026, 0, 0.006], [0.026, 0, 0.02]], radius_m: 0.002}}]}
solver: {step_s: 0.001}`, elements))
		gauges := m.Gauges()
		values := make([]float64, len(gauges))
		m.Measure(values)
		told := false
		for i := range gauges {
			if gauges[i].Key != "dip_over_radius" {
				continue
			}
			if text := gauges[i].Warning(values[i]); text != "" {
				told = true
				if !strings.Contains(text, "more elements") {
					t.Errorf("%d elements: %s", elements, text)
				}
			}
		}
		if told != warned {
			t.Errorf("%d elements: told %v, want %v", elements, told, warned)
		}
	}
}
