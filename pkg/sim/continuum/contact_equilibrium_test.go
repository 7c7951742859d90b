package continuum_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// settledTolerance bounds how far an equilibrium may be from where a motion settles, m, and how far it moves when
// time advances: a millionth of the radius of thin wires.
const settledTolerance = 1e-10

// equilibriumOf is the robot of a text of the contract in equilibrium, with a base that stands still.
func equilibriumOf(t *testing.T, text string) (*continuum.Model, error) {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Continuum]("f", []byte(text))
	if err != nil {
		return nil, err
	}
	f.InitialState, f.Base.Velocity = robotfile.Equilibrium, spatial.Vec{}
	stl, err := os.ReadFile(filepath.Join(ownFolder, "vessel.stl"))
	if err != nil {
		t.Fatal(err)
	}
	triangles, err := mesh.ReadSTL(stl)
	if err != nil {
		t.Fatal(err)
	}
	r, err := continuum.NewRobotWith(f, continuum.Files{Meshes: map[robotfile.FileName]*mesh.STL{"vessel.stl": triangles}})
	if err != nil {
		return nil, err
	}
	return r.NewModel()
}

// contractFiles are robot files as in the contract.
const contractFiles = "../robotfile/testdata"

// textOf is the text of a robot file with changes.
func textOf(t *testing.T, folder, name string, changes ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(string(text), changes[i]) {
			t.Fatalf("%s has no %q", name, changes[i])
		}
	}
	return strings.NewReplacer(changes...).Replace(string(text))
}

// wantSettled fails where a robot in equilibrium moves in 50 steps.
func wantSettled(t *testing.T, m *continuum.Model) {
	t.Helper()
	tip := tipPose(m).P
	run(t, m, 50*m.Robot().File().Solver.Step)
	if d := tipPose(m).P.Sub(tip).Norm(); !(d < settledTolerance) {
		t.Errorf("the equilibrium moves by %.3g m", d)
	}
}

// iterationsOf is how many iterations the search for the last equilibrium of a robot took.
func iterationsOf(m *continuum.Model) int { return partsOf(m).Solver.Report().Iterations }

// oneRod is in files of a single rod, not in those of swimmers and mechanisms.
var oneRod = regexp.MustCompile(`(?m)^rod:`)

// TestRodsOfTheContractHaveEquilibria finds that of every file of the contract that has a rod, but of method
// reference, which has none. The capstan had "no convergence at 0.041 of the load".
func TestRodsOfTheContractHaveEquilibria(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(contractFiles, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	rods := 0
	for _, path := range files {
		text := textOf(t, contractFiles, filepath.Base(path))
		if !oneRod.MatchString(text) {
			continue
		}
		rods++
		m, err := equilibriumOf(t, text)
		switch {
		case errors.Is(err, continuum.ErrNotInReference) || err != nil && strings.Contains(err.Error(), "method reference cannot reproduce this: initial_state"):
		case err != nil:
			t.Errorf("%s: %v", filepath.Base(path), err)
		case partsOf(m).Contact != nil:
			wantSettled(t, m)
		}
	}
	if rods < 9 {
		t.Errorf("%d files with rods, want at least 9", rods)
	}
}

// TestCapstanSettlesInItsEquilibrium compares the equilibrium of the belt over the drum with where it settles when it
// falls from straight without friction.
func TestCapstanSettlesInItsEquilibrium(t *testing.T) {
	testsize.SkipInShort(t)
	text := textOf(t, contractFiles, "capstan.yaml", "friction_coefficient: 0.3", "friction_coefficient: 0", ", velocity_m_per_s: [-0.005, 0, 0], until_s: 3", "")
	m, err := equilibriumOf(t, text)
	if err != nil {
		t.Fatal(err)
	}
	if n := iterationsOf(m); n > 500 {
		t.Errorf("%d iterations, want at most 500", n)
	}
	moving := mustModelOf(t, text)
	run(t, moving, 1)
	worst := 0.0
	for i := range partsOf(moving).System.Rod.Elements + 1 {
		worst = max(worst, positionOf(t, m, i).Sub(positionOf(t, moving, i)).Norm())
	}
	if !(worst < settledTolerance) {
		t.Errorf("the equilibrium is %.3g m from where the belt settles", worst)
	}
	t.Logf("%.3g m, %d iterations", worst, iterationsOf(m))
}

// TestDeepGuidewiresHaveEquilibria begins with the base of a guidewire deep in a vessel, and the rest of it
// straight through bends. It ended with "no convergence" or a singular tangent.
func TestDeepGuidewiresHaveEquilibria(t *testing.T) {
	const place = "position_m: [-0.1, 0, 0]"
	frictionless := []string{"friction_coefficient: 0.1", "friction_coefficient: 0", "friction_coefficient: 0.02", "friction_coefficient: 0"}
	for _, c := range []struct {
		base float64
		most int // iterations
	}{{-0.04, 1000}, {-0.02, 1500}, {0, 2000}} {
		m, err := equilibriumOf(t, textOf(t, ownFolder, "guidewire.yaml", append(frictionless, place, fmt.Sprintf("position_m: [%g, 0, 0]", c.base))...))
		if err != nil {
			t.Errorf("base at %g m: %v", c.base, err)
			continue
		}
		tip := tipPose(m).P
		if n := iterationsOf(m); n > c.most || tip.X < c.base+0.08 {
			t.Errorf("base at %g m: %d iterations, want at most %d; tip at %v", c.base, n, c.most, tip)
		}
		t.Logf("base at %g m: %d iterations", c.base, iterationsOf(m))
		wantSettled(t, m)
		if c.base != -0.04 || testing.Short() {
			continue
		}
		moving := inVessel(t, ownFolder, []byte(textOf(t, ownFolder, "guidewire.yaml", append(frictionless, place+", direction: [1, 0, 0], normal: [0, 0, 1]",
			place+", direction: [1, 0, 0], normal: [0, 0, 1], velocity_m_per_s: [0.03, 0, 0], until_s: 2")...)))
		run(t, moving, 4)
		d := tipPose(moving).P.Sub(tip).Norm()
		if !(d < settledTolerance) {
			t.Errorf("base at %g m: the tip is %.3g m from where it settles when it is pushed in", c.base, d)
		}
		t.Logf("base at %g m: %.3g m from where it settles", c.base, d)
	}
}

// TestEquilibriaAmongWalls finds some that ended with "no convergence", with singular tangents.
func TestEquilibriaAmongWalls(t *testing.T) {
	const base = "base: {position_m: [0, 0, 0.02], direction: [1, 0, 0], normal: [0, 0, 1]}\ngravity_m_per_s2: [0, 0, -9.81]\nsolver: {step_s: 0.0005}\n"
	rod := func(length, radius, young float64, elements int, load float64) string {
		return fmt.Sprintf("%srod: {length_m: %g, radius_m: %g, density_kg_per_m3: 1500, youngs_modulus_pa: %g, shear_modulus_pa: %g, elements: %d, damping: {kelvin_voigt_s: 0.01, drag_per_s: 20}}\n"+
			"loads: [{at_m: %g, force_n: [0, 0, %g], moment_nm: [0, 0, 0], frame: world}]\n", base, length, radius, young, young/3, elements, length, -load)
	}
	bars := "environment: {friction_coefficient: 0, shapes: [{name: a, capsule: {from_m: [0.03, -0.05, 0.012], to_m: [0.03, 0.05, 0.012], radius_m: 0.003}}, {name: b, capsule: {from_m: [0.07, -0.05, 0.005], to_m: [0.07, 0.05, 0.005], radius_m: 0.004}}]}"
	ball := "environment: {friction_coefficient: 0, shapes: [{name: a, sphere: {center_m: [0.12, 0.003, 0.006], radius_m: 0.01}}]}"
	quarter := "environment: {friction_coefficient: 0, shapes: [{name: a, tube: {points_m: [[-0.1, 0, 0.02], [0, 0, 0.02], [0.03, 0, 0.017], [0.06, 0, 0.008], [0.085, 0, -0.006], [0.11, 0, -0.028], [0.13, 0, -0.053], [0.145, 0, -0.083]], radius_m: 0.003}}]}"
	for _, c := range []struct{ name, text string }{
		{"two bars", rod(0.1, 0.0004, 1e7, 40, 5e-2) + bars},
		{"a ball", rod(0.2, 0.001, 1e9, 80, 20) + ball},
		{"a bent tube", rod(0.2, 0.001, 6e10, 40, 0.5) + quarter},
		{"a bent tube, soft", rod(0.2, 0.001, 1e7, 80, 1e-3) + quarter},
	} {
		m, err := equilibriumOf(t, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if n := iterationsOf(m); n > 1000 {
			t.Errorf("%s: %d iterations, want at most 1000", c.name, n)
		}
		wantSettled(t, m)
		t.Logf("%s: %d iterations, %d contacts", c.name, iterationsOf(m), partsOf(m).Contact.Summary().Count)
	}
}

// TestRodsThatFitNowhereAreNamed asks for equilibria of rods longer than the closed tube that they begin in, and
// finds the tube named.
func TestRodsThatFitNowhereAreNamed(t *testing.T) {
	_, err := equilibriumOf(t, `
rod: {length_m: 0.1, radius_m: 0.0005, density_kg_per_m3: 6450, youngs_modulus_pa: 1e10, shear_modulus_pa: 3.6e9, elements: 12}
base: {position_m: [0, 0, 0], direction: [1, 0, 0], normal: [0, 0, 1]}
gravity_m_per_s2: [0, 0, 0]
environment: {shapes: [{name: sack, tube: {points_m: [[-0.02, 0, 0], [0.03, 0, 0.001], [0.05, 0, 0]], radius_m: 0.003, closed: true}}]}`)
	var inside *contact.InsideWallError
	if !errors.Is(err, continuum.ErrNoEquilibrium) || !errors.As(err, &inside) || inside.Wall != "sack" || !(inside.Depth > 0.04) {
		t.Errorf("error is %v, want none in sack, with the tip 0.05 m deep", err)
	}
}
