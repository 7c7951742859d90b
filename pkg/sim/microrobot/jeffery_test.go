package microrobot_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/spatial"
)

// In shear a spheroid of aspect ratio r tumbles by tan φ = tan(2πt/T)/r or its inverse, with
// Jeffery's period T. All along the orbit the default method errs by so little in steps of
// T/1000: by 3.8e-8 rad at r = 5 without the substeps that the deformation of the fluid asks for.
func TestJefferyOrbit(t *testing.T) {
	worst := func(ratio float64, n int) (most float64) {
		const shear = 2.0 // 1/s
		m := microrobot.NewModel(t, fmt.Sprintf(`{body: {shape: {ellipsoid_m: [%g, 50e-6, 50e-6]}}, gravity_m_per_s2: [0, 0, 0],
  fluid: {flow: {gradient_per_s: [0, %g, 0, 0, 0, 0, 0, 0, 0]}}}`, 50e-6*ratio, shear))
		period := 2 * math.Pi / shear * (ratio + 1/ratio)
		for i := range n {
			microrobot.StepsInTest(t, m, 1, period/float64(n))
			// from lying in the flow, long axis along x; the shear turns it about −z
			sin, cos := math.Sincos(2 * math.Pi * float64(i+1) / float64(n))
			phi := -math.Atan2(sin/ratio, cos)
			most = math.Max(most, microrobot.Angle(m.Placement().Q, spatial.ExpQuat(spatial.Vec{Z: phi})))
		}
		return most
	}
	const limit = 1e-8
	for _, ratio := range []float64{3, 5, 10} {
		got := worst(ratio, 1000)
		t.Logf("ratio %g: %.2g", ratio, got)
		if got > limit {
			t.Errorf("ratio %g: off by %.3g rad, want at most %g", ratio, got, limit)
		}
	}
}
