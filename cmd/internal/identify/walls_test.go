package identify_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
)

// wallFile is a soft rod on a table with a magnet at its tip.
const wallFile = `
rod: {length_m: 0.08, radius_m: 0.001, density_kg_per_m3: 1500, youngs_modulus_pa: 5e6, shear_modulus_pa: 1.8e6, elements: 6, damping: {kelvin_voigt_s: 0.02, drag_per_s: 5}}
base: {position_m: [0, 0, 0.001]}
magnets: [{name: tip, at_m: 0.08, moment_a_m2: [0, 0, %g]}]
environment: {friction_coefficient: %g, shapes: [{name: table, plane: {}}]}
command_timeout_s: .inf
solver: {step_s: 0.004}
`

// TestWallAndMagnetRoundTrip finds the friction of a table and the moment of a magnet from how a
// field drags the tip to and fro on it: the friction is the width of the hysteresis.
func TestWallAndMagnetRoundTrip(t *testing.T) {
	many(t)
	const (
		moment, mu       = 0.01, 0.3
		sampleS, stepS   = 0.02, 0.004
		turnS, fieldT, n = 0.8, 0.01, 500
	)
	m, err := continuum.New(parseRod(t, fmt.Sprintf(wallFile, moment, mu)))
	if err != nil {
		t.Fatal(err)
	}
	port := -1
	for i, p := range m.Ports() {
		if p.Name == "field" {
			port = i
		}
	}
	s := newSheet("t,bx,by,bz,tip_x,tip_y,tip_z", 3)
	in := sim.NewInputs(m)
	widest := 0.0
	for i := range n {
		at := float64(i) * stepS
		if i%int(math.Round(sampleS/stepS)) == 0 {
			b := fieldT * math.Sin(2*math.Pi*at/turnS) * (1 - 0.2*at)
			s.row([]float64{at, 0, b, 0}, tipOf(m), 0.2*cameraNoise)
			in.Set(port, []float64{0, b, 0})
		}
		in.Advance(stepS)
		if err := m.Step(stepS); err != nil {
			t.Fatal(err)
		}
		widest = max(widest, math.Abs(tipOf(m).Y))
	}
	if widest < 5e-3 {
		t.Fatalf("the tip moves by %g m only", widest)
	}
	r := identified(t, rodRobot(), "--config", apptest.Write(t, "start.yaml", fmt.Sprintf(wallFile, 1.3*moment, 0.6*mu)),
		"--free", "moment", "--free", "environment.friction_coefficient", "--starts", "1", apptest.Write(t, "motion.csv", s.String()))
	r.expect(t, "environment.friction_coefficient", mu, 0.05)
	r.expect(t, "moment.tip", moment, 0.05)
}
