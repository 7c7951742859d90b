package identify_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/pkg/sim/robotfile"
)

var truths = flag.Int("robots", 1, "robots of TestSyntheticTruth; 20 for the coverage that the documentation tells")

// truth is what a robot really is, by the names of the parameters.
type truth map[string]float64

// truthFile is a robot whose third tendon twists it; the first has a disk load of its own.
const truthFile = `
rod: {length_m: 0.25, radius_m: 0.0055, density_kg_per_m3: 997.7, youngs_modulus_pa: %g, shear_modulus_pa: %g, elements: 7}
base: {direction: [1, 0, 0], normal: [0, 0, 1]}
tendons:
  - {name: up, offset_m: [0.015, 0], friction_coefficient: %g}
  - {name: side, offset_m: [0, 0.015], friction_coefficient: %[3]g}
  - {name: helix, offset_m: [0, -0.015], twist_rad_per_m: 12, friction_coefficient: %[3]g}
initial_state: equilibrium
`

// recorded measures equilibria of a robot: its tendons get what the drives make of the
// commands, and the camera has noise.
func (tr truth) recorded(t *testing.T, seed uint64, rows [][3]float64) string {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Continuum]("truth.yaml", []byte(fmt.Sprintf(truthFile, tr["rod.youngs_modulus_pa"], tr["rod.shear_modulus_pa"], tr["tendons.friction_coefficient"])))
	if err != nil {
		t.Fatal(err)
	}
	s := newSheet("up,side,helix,tip_x,tip_y,tip_z", seed)
	w := newWay(t, f)
	for _, row := range rows {
		real := []float64{tr["actuation.up.gain"] * row[0], max(0, row[1]+tr["actuation.side.offset_n"]), row[2]}
		s.row(row[:], w.tip(real), cameraNoise)
	}
	return apptest.Write(t, fmt.Sprintf("truth%d.csv", seed), s.String())
}

// TestSyntheticTruth finds five numbers of robots drawn at random from three recordings
// with noise, one of them with a prior: all within three standard errors, by a plan.
func TestSyntheticTruth(t *testing.T) {
	many(t)
	plan := "stages:\n  - free: [youngs_modulus_pa, shear_modulus_pa]\n    data: [%[1]s, %[2]s]\n    loss: huber\n    loss_scale_m: 0.002\n    starts: 1\n" +
		"  - free: [youngs_modulus_pa, shear_modulus_pa, friction_coefficient=0:0.5, actuation.up.gain=1+-0.1, actuation.side.offset_n=-1:1]\n    data: [%[1]s, %[2]s, %[3]s]\n    starts: 1\n"
	inside, within, all := 0, 0, 0
	for seed := range uint64(*truths) {
		random := rand.New(rand.NewPCG(seed, 11))
		between := func(low, high float64) float64 { return low + (high-low)*random.Float64() }
		tr := truth{
			"rod.youngs_modulus_pa": between(12e6, 20e6), "rod.shear_modulus_pa": between(5e6, 8e6), "tendons.friction_coefficient": between(0.03, 0.2),
			"actuation.up.gain": 1 + 0.1*random.NormFloat64(), "actuation.side.offset_n": between(-0.3, 0.3),
		}
		var files []any
		for k := range uint64(3) {
			var rows [][3]float64
			for range 9 {
				rows = append(rows, [3]float64{between(0, 3), between(0.3, 4), between(0, 5)})
			}
			files = append(files, tr.recorded(t, 10*seed+k, rows))
		}
		robot := apptest.Write(t, "start.yaml", fmt.Sprintf(truthFile, 16e6, 6e6, 0.1))
		r := identified(t, rodRobot(), "--config", robot, "--plan", apptest.Write(t, "plan.yaml", fmt.Sprintf(plan, files...)))
		for _, p := range r.Parameters {
			off := math.Abs(p.Value-tr[p.Name]) / *p.StandardError
			t.Logf("robot %d: %s = %.5g, really %.5g: %.2g standard errors", seed, p.Name, p.Value, tr[p.Name], off)
			all++
			if off <= 3 {
				inside++
			}
			if off <= 1 {
				within++
			}
		}
	}
	t.Logf("%d of %d within three standard errors, %d within one", inside, all, within)
	// of 100 estimates 99.7 lie within three, 68 within one; 20 robots give 100
	if allowed := max(0, all/50); all-inside > allowed {
		t.Errorf("%d of %d beyond three standard errors, at most %d", all-inside, all, allowed)
	}
	if least := all/2 - 3; within < least {
		t.Errorf("%d of %d within one standard error, at least %d", within, all, least)
	}
}

// What the drives do is found, kept in the overlay and used by a later prediction.
func TestActuationIsKept(t *testing.T) {
	tr := truth{"rod.youngs_modulus_pa": 16e6, "rod.shear_modulus_pa": 6e6, "tendons.friction_coefficient": 0.1, "actuation.up.gain": 0.8, "actuation.side.offset_n": 0.4}
	robot := apptest.Write(t, "start.yaml", fmt.Sprintf(truthFile, 16e6, 6e6, 0.1))
	data := tr.recorded(t, 1, [][3]float64{{1, 0.5, 0}, {3, 1, 0}, {2, 2, 1}, {0, 4, 0}})
	overlay := filepath.Join(t.TempDir(), "drives.yaml")
	r := identified(t, rodRobot(), "--config", robot, "--starts", "1", "--free", "actuation.up.gain", "--free", "actuation.side.offset_n=-1:1", "--out", overlay, data)
	r.expect(t, "actuation.up.gain", 0.8, 0.05)
	r.expect(t, "actuation.side.offset_n", 0.4, 0.2)
	after := identified(t, rodRobot(), "--config", robot, "--config", overlay, data)
	if *after.HeldOut.RMSE != *r.Fitted.RMSE {
		t.Errorf("with the overlay %g m, fitted %g m", *after.HeldOut.RMSE, *r.Fitted.RMSE)
	}
	if _, err := attempt(rodRobot(), "identify", "--config", robot, "--free", "actuation", data); err == nil || !strings.Contains(err.Error(), "actuation.up.offset_n: it starts from 0 N, which says nothing about its size; give bounds") {
		t.Error(err)
	}
}

// level goes from one level to the next in a quarter of a second each half second, and
// rests in between: friction and lag look alike only while things move.
func level(levels []float64, t float64) float64 {
	i := min(int(2*t), len(levels)-2)
	return levels[i] + (levels[i+1]-levels[i])*min(1, 2*(2*t-float64(i)))
}

// TestReportRecognizes records a robot that moves and fits one that lacks its friction,
// then one that lacks its payload: each is named. The right one is not accused.
func TestReportRecognizes(t *testing.T) {
	many(t)
	const file = `
rod: {length_m: 0.25, radius_m: 0.0055, density_kg_per_m3: 997.7, youngs_modulus_pa: 16.6e6, shear_modulus_pa: 7e6, elements: 7, damping: {kelvin_voigt_s: 0.05}}
tendons: [{name: up, offset_m: [0.015, 0], friction_coefficient: %g}, {name: side, offset_m: [0, 0.015], friction_coefficient: %[1]g}]
tip: {mass_kg: %[2]g}
solver: {step_s: 0.004}
initial_state: equilibrium
`
	commands := strings.Builder{}
	commands.WriteString("t,up,side\n")
	for i := range 150 {
		s := 0.02 * float64(i)
		fmt.Fprintf(&commands, "%g,%g,%g\n", s, level([]float64{0, 2, 1, 3, 0.5, 2.5, 0.2}, s), level([]float64{0, 0.5, 2, 1, 2.5, 0.3, 1}, s))
	}
	given := apptest.Write(t, "commands.csv", commands.String())
	for _, c := range []struct {
		friction, mass float64 // of the real robot; the model has 0.02 and 1 g
		want           string  // empty: nothing
	}{{0.02, 0.001, ""}, {0.3, 0.001, "friction"}, {0.02, 0.003, "load"}} {
		robot := apptest.Write(t, "real.yaml", fmt.Sprintf(file, c.friction, c.mass))
		out := filepath.Join(t.TempDir(), "recorded.csv")
		invoke(t, rodRobot(), "sim", "--config", robot, "--duration", "3s", "--sample-hz", "20", "--commands", given, "--out", out)
		r := identified(t, rodRobot(), "--config", apptest.Write(t, "model.yaml", fmt.Sprintf(file, 0.02, 0.001)), "--commands", given, "--free", "youngs_modulus_pa", "--starts", "1", out)
		switch {
		case c.want == "" && len(r.Effects) > 0:
			t.Errorf("the right model is accused of %+v", r.Effects)
		case c.want != "" && (len(r.Effects) == 0 || r.Effects[0].Effect != c.want):
			t.Errorf("%s is not recognized, but %+v", c.want, r.Effects)
		}
		// of a model that lacks something neighbouring rows are no independent data, which is said
		named := slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "may be too small by a factor of up to") })
		if lacks := c.want != ""; named != lacks || lacks != (r.Alike != nil && *r.Alike > 0.5) {
			t.Errorf("%q: correlation of rows %v, %q", c.want, r.Alike, r.Notes)
		}
	}
}
