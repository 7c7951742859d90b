package run

import "testing"

// A position is shown in the unit in which the robot's length is a small number.
func TestUnitFor(t *testing.T) {
	for length, want := range map[float64]string{30: "m", 0.25: "mm", 1e-3: "mm", 2.4e-4: "um", 1e-6: "um", 9e-7: "nm"} {
		if got := unitFor(length); got.name != want {
			t.Errorf("%g m: %s, want %s", length, got.name, want)
		}
	}
}
