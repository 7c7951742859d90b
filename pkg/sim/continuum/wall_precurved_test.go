package continuum_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
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
		m, err := continuum.New(f)
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		e := continuumtest.Of(t, m)
		if s := e.Contact.Summary(); s.Count < 2 || s.RelativePenetration > 0.01 {
			t.Errorf("%+v: %d contacts, %.3g radii deep", c, s.Count, s.RelativePenetration)
		}
		f.InitialState = robotfile.Straight
		if _, err := continuum.New(f); err == nil {
			t.Errorf("%+v: without strain the rod is in no wall: nothing is proved", c)
		}
	}
}

// TestPrecurvedRodsTouchBetweenTheirNodes lays bows on a table, higher and higher, of which the lowest place wanders from node to
// node: none goes deeper into it than between places of contact.
func TestPrecurvedRodsTouchBetweenTheirNodes(t *testing.T) {
	const text = `
rod: {length_m: 0.06, radius_m: 0.001, density_kg_per_m3: 1200, youngs_modulus_pa: 1.0e8, shear_modulus_pa: 3.6e7, elements: 12, precurvature_per_m: [0, 50, 0]}
base: {position_m: [0, 0, HEIGHT], direction: [0.8, 0, -0.6], normal: [0.6, 0, 0.8]}
initial_state: equilibrium
environment: {shapes: [{name: table, plane: {}}]}
`
	const radius, deepest, parts = 0.001, 0.02, 20
	for height := 0.004; height < 0.00505; height += 1e-4 {
		m := mustModelOf(t, strings.Replace(text, "HEIGHT", strconv.FormatFloat(height, 'g', -1, 64), 1))
		e := continuumtest.Of(t, m)
		lowest := math.Inf(1)
		for k, l := range e.System.Rod.Lengths {
			a, b := e.NodePose(k), e.NodePose(k+1)
			for i := range parts {
				x := float64(i+1) / parts
				y := 1 - x
				lowest = min(lowest, y*y*(1+2*x)*a.P.Z+x*y*y*l*a.R.Col3().Z+x*x*(1+2*y)*b.P.Z-x*x*y*l*b.R.Col3().Z)
			}
		}
		if depth := 1 - lowest/radius; !(depth < deepest) {
			t.Errorf("base at %g m: the rod is %.3g of its radius in the table, want at most %g; %+v", height, depth, deepest, e.Contact.Summary())
		}
	}
}
