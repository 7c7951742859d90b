package microrobot_test

import (
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/microrobot"
)

// TestLoadsTurnInParts turns an ellipsoid by several radians per step with a load, in a
// field that tilts it. Divided by the field alone, steps were off by up to 1.7 rad.
func TestLoadsTurnInParts(t *testing.T) {
	at := func(step float64) integrate.Placement {
		m := microrobot.NewModel(t, `
body:
  shape: {ellipsoid_m: [3e-6, 2e-6, 1e-6]}
  magnet: {moment_a_m2: [1e-13, 0, 0]}
  load: {moment_nm: [0, 2e-15, 1e-15], frame: body}
field: {uniform_t: [0, 0.002, 0.001]}
`)
		for now := 0.0; now < 0.02-step/2; now += step {
			if err := m.Step(step); err != nil {
				t.Fatal(err)
			}
		}
		return *m.Placement()
	}
	fine := at(1e-6)
	for _, step := range []float64{4e-3, 2e-3, 1e-3} {
		const tolerance = 1e-5 // rad; 1e-3 where the step is divided by the field alone
		if d := fine.Q.Conj().Mul(at(step).Q).Rot().Log().Norm(); !(d < tolerance) {
			t.Errorf("step %g s: %g rad from the same motion in small steps, want at most %g", step, d, tolerance)
		} else {
			t.Logf("step %g s: %g rad", step, d)
		}
	}
}
