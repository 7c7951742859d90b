package continuum

import (
	"fmt"
	"testing"

	"sinew/pkg/sim/robotfile"
)

// precurvedFile is a stiff rod in a straight tube with a front that is precurved so that, without
// strain, it is in the wall by far more than its radius.
const precurvedFile = `
rod:
  elements: %d
  density_kg_per_m3: 6450
  youngs_modulus_pa: %g
  sections:
    - {length_m: 0.02, radius_m: 0.0005}
    - {length_m: 0.008, radius_m: [0.0004, 0.0003], precurvature_per_m: [0, %g, 0]}
base: {direction: [1, 0, 0], normal: [0, 0, 1]}
environment: {shapes: [{name: introducer, tube: {points_m: [[-0.01, 0, 0], [0.1, 0, 0]], radius_m: 0.0008}}]}
initial_state: equilibrium
`

// TestWallsStraightenPrecurvedRods demands that precurved rods have an equilibrium in an introducer,
// whatever their stiffness and mesh: pushed out of the wall from where they are without strain, stiff
// ones went astray.
func TestWallsStraightenPrecurvedRods(t *testing.T) {
	for _, c := range []struct {
		elements           int
		modulus, curvature float64
	}{{28, 1e9, 300}, {42, 1e8, 400}, {42, 1e9, 400}, {42, 1e10, 400}, {42, 60e9, 400}} {
		f := parse(t, fmt.Sprintf(precurvedFile, c.elements, c.modulus, c.curvature))
		m, err := New(f)
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		e := m.engine.(*implicit)
		if s := e.at.contacts.Summary(); s.Count < 2 || s.Depth > 0.01 {
			t.Errorf("%+v: %d contacts, %.3g radii deep", c, s.Count, s.Depth)
		}
		f.InitialState = robotfile.Straight
		if _, err := New(f); err == nil {
			t.Errorf("%+v: without strain the rod is in no wall: nothing is proved", c)
		}
	}
}
