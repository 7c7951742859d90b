package magnetics

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
)

func vec(v [3]float64) spatial.Vec { return spatial.Vec{X: v[0], Y: v[1], Z: v[2]} }

func mat(m [3][3]float64) spatial.Mat3 { return spatial.FromRows(vec(m[0]), vec(m[1]), vec(m[2])) }

// read decodes a golden file.
func read(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}

func nearVec(t *testing.T, what string, got, want spatial.Vec, tol float64) {
	t.Helper()
	if d := got.Sub(want).Norm(); !(d <= tol) {
		t.Errorf("%s: %v, want %v: off by %.3g, tolerance %.3g", what, got, want, d, tol)
	}
}

func nearMat(t *testing.T, what string, got, want spatial.Mat3, tol float64) {
	t.Helper()
	d := got.Sub(want)
	for _, row := range []spatial.Vec{d.T().Col1(), d.T().Col2(), d.T().Col3()} {
		if !(row.Norm() <= tol) {
			t.Errorf("%s: %v, want %v: off by %.3g, tolerance %.3g", what, got, want, row.Norm(), tol)
			return
		}
	}
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
