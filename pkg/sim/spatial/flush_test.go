package spatial_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
)

func TestFlush(t *testing.T) {
	for x, want := range map[float64]float64{
		0: 0, 1: 1, -1e-59: -1e-59, 1e-61: 0, -1e-61: 0, spatial.Negligible: spatial.Negligible, -spatial.Negligible: -spatial.Negligible, 5e-324: 0, math.Inf(-1): math.Inf(-1), math.MaxFloat64: math.MaxFloat64,
	} {
		if got := spatial.Flush(x); got != want {
			t.Errorf("Flush(%g) = %g, want %g", x, got, want)
		}
	}
	if !math.IsNaN(spatial.Flush(math.NaN())) {
		t.Error("NaN is flushed")
	}
	if got, want := (spatial.Twist{spatial.Vec{1e-70, 2, 3}, spatial.Vec{4, -1e-70, 6}}).Flush(), (spatial.Twist{spatial.Vec{0, 2, 3}, spatial.Vec{4, 0, 6}}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := (spatial.Quat{W: 1, X: 1e-70, Y: -1e-300, Z: 0.5}).Flush(), (spatial.Quat{W: 1, Z: 0.5}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
