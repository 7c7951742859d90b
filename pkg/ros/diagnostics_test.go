package ros_test

import (
	"testing"

	"sinew/pkg/ros"
)

func TestRealTimeFactor(t *testing.T) {
	for x, want := range map[float64]string{0: "0.000", 1: "1.000", 0.998: "0.998", 0.01: "0.010", 1.76e-5: "1.8e-05"} {
		if got := ros.RealTimeFactor(x); got != want {
			t.Errorf("%g: %s, want %s", x, got, want)
		}
	}
}
