package identify_test

import (
	"context"
	"math"
	"testing"

	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/hil/identify"
)

// A key ends in another at the beginning of a part.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		path, want string
		ok         bool
	}{{"rod.length_m", "length_m", true}, {"length_m", "length_m", true}, {"rod.length_m", "th_m", false}, {"", "length_m", false}, {"a.b", "c", false}, {"a.", "c", false}} {
		if got := identify.Ends(c.path, c.want); got != c.ok {
			t.Errorf("%q ends in %q: %t", c.path, c.want, got)
		}
	}
}

// A path is under another if it is that, or a component of it.
func TestUnder(t *testing.T) {
	for _, c := range []struct {
		path, want string
		ok         bool
	}{
		{"base.position_m", "base.position_m", true}, {"base.position_m.0", "base.position_m", true}, {"base.position_m.12", "base.position_m", true},
		{"base.position_m.x", "base.position_m", false}, {"base.position_m", "base", false}, {"tendons.12", "tendons.1", false},
		{"base.position_m.0", "base.position", false}, {"rod.length_m", "tip", false}, {"a", "a.0", false}, {"a.0.b", "a", false}, {"a.", "a", false},
	} {
		if got := identify.Under(c.path, c.want); got != c.ok {
			t.Errorf("%q is under %q: %t", c.path, c.want, got)
		}
	}
}

// The error to expect on other motions is one of positions: it does not depend on what residuals are multiplied by.
func TestExpectedErrorIsOfPositions(t *testing.T) {
	expected := func(weight float64) float64 {
		one := identify.ReadTrial(t, "push,x,y,z\n2,0.011,0,0\n4,0.018,0,0\n8,0.041,0,0\n")
		two := identify.ReadTrial(t, "push,x,y,z\n3,0.017,0,0\n6,0.033,0.001,0\n")
		one.Weight, two.Weight = weight, weight
		p := identify.Carriages(t, "", nil, one, two)
		r, err := p.Fit(context.Background(), fit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		e, ok := p.Expected(r)
		if !ok {
			t.Fatal("no error is expected of two trials")
		}
		return e.RMS()
	}
	want := expected(1)
	for _, weight := range []float64{0.2, 3} {
		if got := expected(weight); !(math.Abs(got/want-1) < 1e-5) {
			t.Errorf("weight %g: %g m, want %g m", weight, got, want)
		}
	}
	// by hand: k x = F of each trial alone, and what that leaves of the other
	slope := func(f, x []float64) float64 { return dot(f, x) / dot(f, f) }
	f1, x1, f2, x2 := []float64{2, 4, 8}, []float64{0.011, 0.018, 0.041}, []float64{3, 6}, []float64{0.017, 0.033}
	sum := 0.001 * 0.001
	for i := range f1 {
		sum += math.Pow(f1[i]*slope(f2, x2)-x1[i], 2)
	}
	for i := range f2 {
		sum += math.Pow(f2[i]*slope(f1, x1)-x2[i], 2)
	}
	if byHand := math.Sqrt(sum / 5); !(math.Abs(want/byHand-1) < 0.02) { // 1/k is not linear in the logarithm of k
		t.Errorf("%g m are expected, by hand %g m", want, byHand)
	}
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
