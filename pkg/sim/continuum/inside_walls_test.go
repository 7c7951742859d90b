package continuum_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/spatial"
)

// besideATube is a rod along x whose tip comes to the mouth of a tube after a tenth of a second, y
// beside its axis.
func besideATube(x, y float64, initial string) string {
	return fmt.Sprintf(`
rod: {length_m: 0.05, radius_m: 0.0005, density_kg_per_m3: 6450, youngs_modulus_pa: 1e10, shear_modulus_pa: 3.6e9, elements: 20, damping: {kelvin_voigt_s: 0.0005}}
base: {position_m: [%g, %g, 0], direction: [1, 0, 0], normal: [0, 0, 1], velocity_m_per_s: [0.1, 0, 0], until_s: 2}
gravity_m_per_s2: [0, 0, 0]
environment: {shapes: [{name: lumen, tube: {points_m: [[0, 0, 0], [0.1, 0, 0]], radius_m: 0.002}}]}
initial_state: %s
solver: {step_s: 0.001}`, x, y, initial)
}

// TestRodsThatComeThroughAWallAreNamed pushes rods into the wall of a tube beside its mouth: with
// the tip, or with the base (of which a tenth of the radius is free), after the tip has slid in over the lip. They went through it, or ended
// with "no convergence".
func TestRodsThatComeThroughAWallAreNamed(t *testing.T) {
	for _, c := range []struct{ y, time, at, depth float64 }{
		{0.0022, 0.594, 0, 0.00055}, {0.003, 0.1, 0.05, 0.0015}, {0.004, 0.1, 0.05, 0.0025}, {0.006, 0.1, 0.05, 0.0045}, {0.02, 0.1, 0.05, 0.0185},
	} {
		m := mustModelOf(t, besideATube(-0.06, c.y, "straight"))
		var err error
		for i := 0; i < 1500 && err == nil; i++ {
			err = m.Step(1e-3)
		}
		var inside *contact.InsideWallError
		if !errors.As(err, &inside) || !errors.Is(err, contact.ErrInsideWall) {
			t.Errorf("%g m beside the axis: error is %v, want ErrInsideWall", c.y, err)
			continue
		}
		if inside.Wall != "lumen" || inside.ArcLength != c.at || !(inside.Time > c.time-2e-3 && inside.Time < c.time+2e-3) ||
			!(inside.Depth > inside.Allowed && inside.Depth < 1.01*c.depth) {
			t.Errorf("%g m beside the axis: %v, want a depth of at most %g m at %g m after %g s", c.y, err, c.depth, c.at, c.time)
		}
	}
	m := mustModelOf(t, besideATube(-0.06, 0.0012, "straight"))
	run(t, m, 1.5) // beside the axis, but within
}

// A tube that is driven over the rod is named as if the rod were driven into its wall.
func TestTubesThatComeOverRodsAreNamed(t *testing.T) {
	for _, y := range []float64{0.003, 0.006} {
		m := mustModelOf(t, strings.Replace(besideATube(-0.06, y, "straight"), "[0.1, 0, 0], until_s", "[0, 0, 0], until_s", 1))
		var err error
		for i := 1; i < 300 && err == nil; i++ {
			command(t, m, "lumen/pose", poseValues(spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: -1e-4 * float64(i)}})...)
			err = m.Step(1e-3)
		}
		var inside *contact.InsideWallError
		if !errors.As(err, &inside) || inside.Wall != "lumen" || !(inside.Time > 0.09 && inside.Time < 0.12) {
			t.Errorf("%g m beside the axis: error is %v, want ErrInsideWall of lumen after 0.1 s", y, err)
		}
	}
}

// A wall that is soft gives way by more than the radius of what is pressed into it. The gauge tells.
func TestSoftWallsGiveWay(t *testing.T) {
	m := mustModelOf(t, `
rod: {length_m: 0.05, radius_m: 0.0005, density_kg_per_m3: 1100, youngs_modulus_pa: 1e9, shear_modulus_pa: 3.6e8, elements: 10, damping: {kelvin_voigt_s: 0.01, drag_per_s: 20}}
base: {position_m: [0, 0, 0.001], direction: [1, 0, 0], normal: [0, 0, 1]}
gravity_m_per_s2: [0, 0, 0]
loads: [{at_m: 0.05, force_n: [0, 0, -0.02], moment_nm: [0, 0, 0], frame: world}]
environment: {stiffness_n_per_m: 2, shapes: [{name: tissue, plane: {point_m: [0, 0, 0], normal: [0, 0, 1]}}]}
solver: {step_s: 0.001}`)
	run(t, m, 2)
	if deep := partsOf(m).Contact.Summary().RelativePenetration; !(deep > 1) {
		t.Errorf("%g radii deep, want more than 1", deep)
	}
}

// A base that stands on a surface may be in it by what a mesh or a camera leaves open.
func TestBasesStandOnSurfaces(t *testing.T) {
	for _, c := range []struct {
		z    float64
		want bool
	}{{0, true}, {-1e-5, true}, {-1e-4, false}} {
		_, err := modelOf(fmt.Sprintf(`
rod: {length_m: 0.05, radius_m: 0.0005, density_kg_per_m3: 6450, youngs_modulus_pa: 1e10, shear_modulus_pa: 3.6e9, elements: 10}
base: {position_m: [0, 0, %g], direction: [0, 0, 1], normal: [1, 0, 0]}
environment: {shapes: [{name: table, plane: {point_m: [0, 0, 0], normal: [0, 0, 1]}}]}`, c.z))
		if ok := err == nil; ok != c.want || !ok && !errors.Is(err, contact.ErrInsideWall) {
			t.Errorf("%g m above the table: %v", c.z, err)
		}
	}
}

// TestBasesInAWallAreRefused begins with a base in the wall of a tube, from where an equilibrium pushes
// the rod out, but not the base.
func TestBasesInAWallAreRefused(t *testing.T) {
	for _, initial := range []string{"straight", "equilibrium"} {
		_, err := modelOf(besideATube(0.01, 0.003, initial))
		var inside *contact.InsideWallError
		if !errors.As(err, &inside) || inside.Wall != "lumen" || !(inside.Depth > 0.00149 && inside.Depth < 0.00151) {
			t.Errorf("%s: error is %v, want 0.0015 m in lumen", initial, err)
		}
	}
	if m := mustModelOf(t, besideATube(-0.01, 0.003, "equilibrium")); partsOf(m).Contact.Summary().Count == 0 {
		t.Error("a base in front of the tube: nothing touches")
	}
}

// TestDeepGuidewiresAreInsertedOrPushedOut finds the equilibrium of a guidewire whose base is deep in a vessel, from straight, through
// the walls, which once threw it about for 1400 iterations.
func TestDeepGuidewiresAreInsertedOrPushedOut(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(ownFolder, "guidewire.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	const outside = "base: {position_m: [-0.1, 0, 0]"
	in := strings.Replace(string(text), outside, "initial_state: equilibrium\nbase: {position_m: [-0.05, 0, 0]", 1)
	m := inVessel(t, ownFolder, []byte(in))
	e := continuumtest.Of(t, m)
	tip := tipPose(m).P
	if tip.X < 0.05 || partsOf(m).Contact.Summary().Count < 2 {
		t.Fatalf("the tip is at %v, with %d contacts", tip, partsOf(m).Contact.Summary().Count)
	}
	for _, name := range []string{"penalty continuation", "insertion homotopy"} {
		e.System.State.SetStressFree()
		e.System.UpdateKinematics()
		searchOnlyBy(e, name)
		if err := m.Equilibrate(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := partsOf(m).Contact.CheckPenetration(e.System.State, 0); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n, d := e.Solver.Report().Iterations, tipPose(m).P.Sub(tip).Norm(); n > 400 || d > equilibriumTolerance {
			t.Errorf("%s: %d iterations, want at most 400; the tip is %.3g m from the equilibrium found first", name, n, d)
		}
	}
}
