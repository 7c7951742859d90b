package magnetics_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
)

func mat(m [3][3]float64) spatial.Mat3 {
	return spatial.FromRows(magnetics.Vec(m[0]), magnetics.Vec(m[1]), magnetics.Vec(m[2]))
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s: %.15g, want %.15g: off by %.3g, tolerance %.3g", what, got, want, got-want, tol)
	}
}

// derivative is the Jacobian of a field by fourth-order differences of step h.
func derivative(f func(spatial.Vec) spatial.Vec, p spatial.Vec, h float64) spatial.Mat3 {
	column := func(e spatial.Vec) spatial.Vec {
		at := func(k float64) spatial.Vec { return f(p.AddScaled(k*h, e)) }
		return at(1).Sub(at(-1)).Scale(8).Sub(at(2).Sub(at(-2))).Scale(1 / (12 * h))
	}
	return spatial.FromColumns(column(spatial.Vec{X: 1}), column(spatial.Vec{Y: 1}), column(spatial.Vec{Z: 1}))
}

// refused fails unless err mentions every one of the words.
func refused(t *testing.T, what string, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s was accepted", what)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: the error %q does not mention %q", what, err, w)
		}
	}
}
