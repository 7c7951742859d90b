package continuum_test

import (
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/magnetics"
)

// A magnet on the rod beyond the range of the coils' calibration gives a warning, whether or not the
// rod is among walls.
func TestWorkspaceIsLeft(t *testing.T) {
	coils, err := magnetics.ParseMPEM("test", []byte(`
Coil_List: [A]
A: {Source_List: [S], S: {B_Coeff: [1e-5], Source_Direction: [1, 0, 0], Source_Position: [-0.1, 0, 0]}}
Workspace_Dimensions: [[-0.06, 0.06], [-0.01, 0.01], [-0.01, 0.01]]
`))
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string]float64{"0.05": 0, "0.1": 0.04} {
		for _, walls := range []string{"", "\nenvironment: {shapes: [{name: table, plane: {point_m: [0, 0, -1]}}]}"} {
			f := parse(t, `rod: {length_m: 0.1, radius_m: 0.0005, density_kg_per_m3: 1100, youngs_modulus_pa: 2e9, shear_modulus_pa: 7e8, elements: 10}
magnets: [{name: m, at_m: `+at+`, moment_a_m2: [0, 0, 1e-3]}]
field: {coils: test}`+walls)
			r, err := continuum.NewRobotWith(f, continuum.Files{Coils: coils})
			if err != nil {
				t.Fatal(err)
			}
			m, err := r.NewModel()
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(m.Gauges(), func(g sim.Gauge) bool { return g.Key == "outside_workspace" })
			if i < 0 {
				t.Fatal("no gauge")
			}
			values := make([]float64, len(m.Gauges()))
			m.Measure(values)
			if math.Abs(values[i]-want) > 1e-12 {
				t.Errorf("magnet at %s m, walls %q: %g, want %g", at, walls, values[i], want)
			}
		}
	}
}
