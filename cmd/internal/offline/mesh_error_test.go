package offline_test

import (
	"math"
	"strings"
	"testing"

	"sinew/cmd/internal/offline"
	"sinew/pkg/sim/spatial"
)

// at are two samples of tips that are off by an error.
func at(x float64) []spatial.Vec {
	return []spatial.Vec{{X: 1 + x, Y: 2}, {X: 3, Z: -2 * x}}
}

func TestNewMeshError(t *testing.T) {
	for _, order := range []float64{1, 2, 4} {
		const e = 1e-3
		m := offline.NewMeshError([3][]spatial.Vec{at(e), at(e / math.Exp2(order)), at(e / math.Exp2(2*order))}, 0.5)
		if m.ObservedOrder == nil || !(math.Abs(*m.ObservedOrder-order) < 1e-6) || !m.Converging {
			t.Fatalf("order %g: %+v", order, m)
		}
		if rms := e * math.Sqrt(2.5); !(math.Abs(m.TipErrorM/(2*e)-1) < 1e-6) || !(math.Abs(m.TipErrorRmsM/rms-1) < 1e-6) || !(math.Abs(m.TipErrorPercent/(100*4*e)-1) < 1e-6) {
			t.Errorf("order %g: %+v, want %g m, rms %g m", order, m, 2*e, rms)
		}
	}
	// what does not get smaller is an error at least as large
	m := offline.NewMeshError([3][]spatial.Vec{at(0), at(1e-3), at(-1e-3)}, 0.5)
	m.Elements = []int{10, 20, 40}
	if m.Converging || !(m.TipErrorM >= 2e-3) || !strings.Contains(m.String(), "at least 0.0032 m (0.63 % of the length) at the tip, and unknown: with 20 and 40 elements") {
		t.Errorf("%+v: %v", m, m)
	}
	// one difference that is round-off is none of the other
	m = offline.NewMeshError([3][]spatial.Vec{at(0), at(1e-15), at(1e-3)}, 0.5)
	if m.ObservedOrder == nil || m.Converging || !(m.TipErrorM >= 2e-3) {
		t.Errorf("%+v", m)
	}
	m = offline.NewMeshError([3][]spatial.Vec{at(1e-3), at(0), at(1e-15)}, 0.5)
	if m.ObservedOrder == nil || !m.Converging || !(math.Abs(m.TipErrorM/2e-3-1) < 0.01) {
		t.Errorf("%+v", m)
	}
	m = offline.NewMeshError([3][]spatial.Vec{at(0), at(1e-15), at(0)}, 0.5)
	m.Elements = []int{10, 20, 40}
	if m.ObservedOrder != nil || !(m.TipErrorM < 1e-14) || !strings.Contains(m.String(), "of 10 elements: none at the tip but round-off") {
		t.Errorf("%+v: %v", m, m)
	}
}
