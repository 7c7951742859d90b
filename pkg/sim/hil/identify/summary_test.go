package identify

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
)

// Distances of 3, 4 and 5 m, and angles of 0.3 and 0.4 rad.
func TestErrorsByHand(t *testing.T) {
	var e Errors
	if !math.IsNaN(e.RMS()) || !math.IsNaN(e.RotationRMS()) {
		t.Errorf("without poses: %g m, %g rad", e.RMS(), e.RotationRMS())
	}
	e.add(&deviation{p: spatial.Vec{Y: 3}, r: spatial.Vec{X: 0.3}}, true)
	e.add(&deviation{p: spatial.Vec{X: 3, Z: -4}, r: spatial.Vec{Y: 0.4}}, true)
	e.add(&deviation{p: spatial.Vec{X: 4}, r: spatial.Vec{Y: 7}}, false)
	if e.Poses != 3 || e.Rotations != 2 || e.MaxM != 5 {
		t.Errorf("%+v", e)
	}
	if want := math.Sqrt(50. / 3); !(math.Abs(e.RMS()-want) < 1e-14) {
		t.Errorf("RMS %g m, want %g", e.RMS(), want)
	}
	if want := math.Sqrt(0.125); !(math.Abs(e.RotationRMS()-want) < 1e-15) {
		t.Errorf("RMS %g rad, want %g", e.RotationRMS(), want)
	}
}

// A key ends in another at the beginning of a part.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		path, want string
		ok         bool
	}{{"rod.length_m", "length_m", true}, {"length_m", "length_m", true}, {"rod.length_m", "th_m", false}, {"", "length_m", false}, {"a.b", "c", false}, {"a.", "c", false}} {
		if got := ends(c.path, c.want); got != c.ok {
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
		if got := under(c.path, c.want); got != c.ok {
			t.Errorf("%q is under %q: %t", c.path, c.want, got)
		}
	}
}
