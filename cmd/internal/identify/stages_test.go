package identify_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
)

// threeTrials are equilibria of a robot, under different tendons.
func threeTrials(t *testing.T) (robot string, files []string) {
	t.Helper()
	text := movingText(trueE, trueG, trueMu)
	for k, rows := range [][][]float64{
		{{1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {2, 1, 0}}, {{0, 1, 0}, {0, 2, 1}, {0, 3, 0}, {0, 4, 2}}, {{0, 0, 2}, {1, 0, 4}, {0, 1, 6}, {2, 1, 3}},
	} {
		files = append(files, staticTrial(t, text, rows, cameraNoise, uint64(k)))
	}
	return apptest.Write(t, "start.yaml", movingText(1.3*trueE, 0.8*trueG, trueMu)), files
}

// A plan of two stages finds what two runs find, the second over the overlay of the
// first, and its overlay has both.
func TestPlanIsACascade(t *testing.T) {
	robot, files := threeTrials(t)
	dir := t.TempDir()
	first, second, both := filepath.Join(dir, "1.yaml"), filepath.Join(dir, "2.yaml"), filepath.Join(dir, "12.yaml")
	identified(t, rodRobot(), "--config", robot, "--free", "youngs_modulus_pa", "--starts", "1", "--out", first, files[0])
	want := identified(t, rodRobot(), "--config", robot, "--config", first, "--free", "shear_modulus_pa", "--starts", "1", "--out", second, "--hold-out", files[2], files[1])
	plan := apptest.Write(t, "plan.yaml", "data: ["+files[1]+"]\nhold_out: "+files[2]+"\nstages:\n  - {free: youngs_modulus_pa, data: ["+files[0]+"]}\n  - {name: twist, free: shear_modulus_pa}\n")
	got := identified(t, rodRobot(), "--config", robot, "--plan", plan, "--starts", "1", "--out", both)
	if len(got.Stages) != 1 || got.Stage != "twist" || got.Stages[0].Parameters[0].Name != "rod.youngs_modulus_pa" {
		t.Fatalf("%+v", got.Stages)
	}
	if a, b := got.Parameters[0].Value, want.Parameters[0].Value; math.Abs(a/b-1) > 1e-9 {
		t.Errorf("G = %.12g, in two runs %.12g", a, b)
	}
	if a, b := *got.HeldOut.RMSE, *want.HeldOut.RMSE; math.Abs(a/b-1) > 1e-6 {
		t.Errorf("held out %.12g m, in two runs %.12g m", a, b)
	}
	a := identified(t, rodRobot(), "--config", robot, "--config", both, files[2])
	if math.Abs(*a.HeldOut.RMSE / *want.HeldOut.RMSE - 1) > 1e-6 {
		t.Errorf("with the overlay %g m, want %g m", *a.HeldOut.RMSE, *want.HeldOut.RMSE)
	}
	text, err := os.ReadFile(both)
	if err != nil || !strings.Contains(string(text), "youngs_modulus_pa") || !strings.Contains(string(text), "shear_modulus_pa") || strings.Contains(string(text), "as it was") {
		t.Errorf("%v\n%s", err, text)
	}
}

// --leave-one-out predicts each trial as a fit to the others does, the same every time,
// and decides about the threshold.
func TestLeaveOneOut(t *testing.T) {
	robot, files := threeTrials(t)
	args := []string{"--config", robot, "--free", "youngs_modulus_pa", "--free", "shear_modulus_pa", "--starts", "1"}
	r := identified(t, rodRobot(), append(append(args, "--leave-one-out"), files...)...)
	if r.LeaveOneOut == nil || len(r.LeaveOneOut.Folds) != 3 {
		t.Fatalf("%+v", r.LeaveOneOut)
	}
	squares := 0.0
	for k, fold := range r.LeaveOneOut.Folds {
		alone := append(append([]string{}, args...), "--hold-out", files[k])
		for i, name := range files {
			if i != k {
				alone = append(alone, name)
			}
		}
		want := identified(t, rodRobot(), alone...)
		if fold.File != files[k] || *fold.HeldOut != *want.HeldOut.RMSE || *fold.Training != *want.Fitted.RMSE || fold.Values[0] != want.Parameters[0].Value || fold.Poses != 4 {
			t.Errorf("fold %d: %+v, want held out %g, training %g", k, fold, *want.HeldOut.RMSE, *want.Fitted.RMSE)
		}
		squares += 4 * *fold.HeldOut * *fold.HeldOut
	}
	pooled := *r.LeaveOneOut.Pooled
	if want := math.Sqrt(squares / 12); math.Abs(pooled/want-1) > 1e-9 {
		t.Errorf("pooled %g m, want %g m", pooled, want)
	}
	// E and G are nearly linear here: the estimate without further fits is close
	if r.Expected == nil || math.Abs(*r.Expected/pooled-1) > 0.2 {
		t.Errorf("expected %v m, fitted anew %g m", r.Expected, pooled)
	}
	out, err := attempt(rodRobot(), append(append([]string{"identify", "--leave-one-out", "--max-rmse-percent", "0.01"}, args...), files...)...)
	if err == nil || !strings.Contains(err.Error(), "is above 0.01 %") || !strings.Contains(out, "pooled") || strings.Contains(out, "%!") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Where the last stage fits one trial only, the fit without that has no values of its parameters; and the
// error that is expected after several stages is said to be of the last one alone.
func TestLeaveOneOutOfStages(t *testing.T) {
	many(t)
	robot, files := threeTrials(t)
	stages := func(last string) string {
		return apptest.Write(t, "plan.yaml", "stages:\n  - {free: youngs_modulus_pa, data: ["+files[0]+", "+files[2]+"]}\n  - {free: shear_modulus_pa, data: ["+last+"]}\n")
	}
	r := identified(t, rodRobot(), "--config", robot, "--plan", stages(files[1]), "--starts", "1", "--leave-one-out")
	if r.LeaveOneOut == nil || len(r.LeaveOneOut.Folds) != 3 {
		t.Fatalf("%+v", r.LeaveOneOut)
	}
	for _, fold := range r.LeaveOneOut.Folds {
		if last := fold.File == files[1]; fold.HeldOut == nil || last != (fold.Values == nil) || !last && math.Abs(fold.Values[0]-trueG) > math.Abs(fold.Values[0]-trueE) {
			t.Errorf("%+v", fold)
		}
	}
	out := invoke(t, rodRobot(), "identify", "--config", robot, "--plan", stages(files[1]+", "+files[2]), "--starts", "1")
	if first, second, _ := strings.Cut(out, "stage 2 of 2"); strings.Contains(first, "of the last stage alone") || !strings.Contains(second, "over trials, of the last stage alone") {
		t.Error(out)
	}
}

// A prior about the robot file's own value is about that of the file, in later stages too: what an earlier stage has found
// in the data is not known beside them.
func TestPriorOfALaterStage(t *testing.T) {
	robot, files := threeTrials(t)
	plan := apptest.Write(t, "plan.yaml", "data: ["+strings.Join(files, ", ")+"]\nstages:\n  - {free: youngs_modulus_pa}\n  - {free: youngs_modulus_pa=+-10%, noise_m: 0.1}\n")
	r := identified(t, rodRobot(), "--config", robot, "--plan", plan, "--starts", "1")
	p := r.Parameters[0]
	if p.PriorMean == nil || math.Abs(*p.PriorMean/(1.3*trueE)-1) > 1e-12 || math.Abs(p.Before/trueE-1) > 0.1 {
		t.Fatalf("%+v", p)
	}
	// of noise that large the data say little
	if math.Abs(p.Value/(1.3*trueE)-1) > 0.1 || *p.StandardError < 0.05*trueE {
		t.Errorf("%g ± %g, the prior is %g", p.Value, *p.StandardError, *p.PriorMean)
	}
}

// One trial alone cannot be left out, and nothing is known of other motions.
func TestOneTrialAlone(t *testing.T) {
	robot, files := threeTrials(t)
	out, err := attempt(rodRobot(), "identify", "--config", robot, "--free", "youngs_modulus_pa", "--starts", "1", "--leave-one-out", files[0])
	if err == nil || !strings.Contains(err.Error(), "--leave-one-out: without "+files[0]+": nothing is left to fit") || !strings.Contains(out, "expected error on other motions: not known from one trial") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestIdentifyMistakes are those of flags that contradict one another or the data.
func TestIdentifyMistakes(t *testing.T) {
	robot, files := threeTrials(t)
	plan := apptest.Write(t, "plan.yaml", "data: ["+files[0]+"]\nstages:\n  - free:\n      - youngs_modulus_pa\n      - youngs_modulos_pa\n")
	missing := apptest.Write(t, "missing.yaml", "data: [missing.csv]\nstages: [{free: youngs_modulus_pa}]\n")
	rows := apptest.Write(t, "rows.yaml", "stages:\n  - free: youngs_modulus_pa\n    data: [{file: "+files[0]+", rows: '90:'}]\n")
	seen := apptest.Write(t, "seen.yaml", "hold_out: [{file: "+files[0]+", rows: '2:'}]\nstages:\n  - {free: youngs_modulus_pa, data: [{file: "+files[0]+", every: 3}]}\n  - {free: shear_modulus_pa, data: ["+files[1]+"]}\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--free", "youngs_modulus_pa", files[0], files[1], files[0]}, files[0] + " is given twice"},
		{[]string{"--free", "youngs_modulus_pa", "--hold-out", files[0], files[1], files[0]}, "--hold-out: " + files[0] + " is to be predicted only, but row 0 of it is fitted"},
		{[]string{"--plan", seen}, seen + ":1: hold_out[0]: " + files[0] + " is to be predicted only, but row 3 of it is fitted"},
		{[]string{"--free", "youngs_modulus_pa", files[0], "_rod/youngs_modulus_pa:=5e6"}, "_rod/youngs_modulus_pa:=5e6 on the command line sets rod.youngs_modulus_pa, which is free"},
		{[]string{"--free", "youngs_modulus_pa", files[0], "_rod:={youngs_modulus_pa: 5e6}"}, "which is free"},
		{[]string{"--free", "tendons.up.tension_n=0:10", files[0]}, "tendons[0].tension_n is free, but every trial commands up from its beginning"},
		{[]string{"--free", "youngs_modulus_pa=-5:1e7", files[0]}, "rod.youngs_modulus_pa: the bounds [-5, 1e+07] Pa; allowed: from 100 to 1e+13 Pa"},
		{[]string{"--free", "youngs_modulus_pa=16e6+-0%", files[0]}, `youngs_modulus_pa: "16e6+-0%" is no prior`},
		{[]string{"--free", "youngs_modulus_pa", "--loss", "tukey", files[0]}, `--loss "tukey" is no loss`},
		{[]string{"--free", "youngs_modulus_pa", "--loss", "huber", files[0]}, "--loss huber: give --loss-scale"},
		{[]string{"--free", "youngs_modulus_pa", "--loss-scale", "1mm", files[0]}, "the loss linear has no scale"},
		{[]string{"--free", "youngs_modulus_pa", "--noise=-1mm", files[0]}, "--noise -1mm: allowed"},
		{[]string{"--free", "youngs_modulus_pa"}, "no data"},
		{[]string{"--plan", plan, files[0]}, "--plan: free numbers, data and what is held out are in the plan"},
		{[]string{"--plan", plan}, plan + ":5: stages[0].free[1]: youngs_modulos_pa: no such number"},
		{[]string{"--plan", missing}, missing + ":1: data[0]: open"},
		{[]string{"--plan", rows}, rows + ":3: stages[0].data[0]: " + files[0] + ": rows 90:0; allowed: within the 4 of the file"},
		{[]string{"--plan", "nowhere.yaml"}, "--plan: open nowhere.yaml"},
	} {
		out, err := attempt(rodRobot(), append([]string{"identify", "--config", robot}, c.args...)...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v; want %q\n%s", c.args, err, c.want, out)
		}
	}
	// a parameter of another key is no mistake
	if out, err := attempt(rodRobot(), "identify", "--config", robot, "--starts", "1", "--free", "youngs_modulus_pa", files[0], "_rod:={shear_modulus_pa: 6e6}"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestNamedConsequences: what an estimate is worth stands in the text.
func TestNamedConsequences(t *testing.T) {
	many(t)
	robot, files := threeTrials(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--free", "youngs_modulus_pa", "--free", "shear_modulus_pa", "--free", "friction_coefficient", "--config", apptest.Write(t, "smooth.yaml", movingText(trueE, trueG, 0.005))}, "tendons.friction_coefficient is a factor of 2"},
		{[]string{"--free", "youngs_modulus_pa=1.9e7:5e7"}, "rod.youngs_modulus_pa is at the lower bound"},
		{[]string{"--free", "youngs_modulus_pa", "--free", "rod.damping.kelvin_voigt_s=0:1"}, "unidentifiable: rod.damping.kelvin_voigt_s has an infinite standard error: nothing that was measured changes with it"},
		{[]string{"--free", "youngs_modulus_pa", "--free", "rod.damping.kelvin_voigt_s=0.05+-0.01"}, "rod.damping.kelvin_voigt_s is what its prior says: the data add nothing"},
		{[]string{"--free", "youngs_modulus_pa=2e7+-1e5", "--noise", "0.01mm"}, "from its prior: doubt the prior"},
	} {
		out, err := attempt(rodRobot(), append(append([]string{"identify", "--config", robot, "--starts", "1"}, c.args...), files...)...)
		if err != nil || !strings.Contains(out, c.want) {
			t.Errorf("%v: %v; want %q\n%s", c.args, err, c.want, out)
		}
	}
}

// A stage that fails loses nothing that stages before have found: it is printed, written and reported, and
// the program fails all the same.
func TestFailedStageLosesNothing(t *testing.T) {
	robot, files := threeTrials(t)
	dir := t.TempDir()
	overlay, numbers := filepath.Join(dir, "found.yaml"), filepath.Join(dir, "found.json")
	plan := apptest.Write(t, "plan.yaml", "data: ["+files[0]+"]\nstages:\n  - {name: sag, free: youngs_modulus_pa}\n  - {name: narrow, free: \"youngs_modulus_pa=20e6:22e6\"}\n")
	out, err := attempt(rodRobot(), "identify", "--config", robot, "--plan", plan, "--starts", "1", "--out", overlay, "--report", numbers, "--leave-one-out")
	if err == nil || !strings.Contains(err.Error(), "narrow: ") || !strings.Contains(err.Error(), "outside the bounds") {
		t.Error(err)
	}
	for _, want := range []string{"stage 1 of 2: sag", "failed: narrow: ", "these are the values that the stages before have found"} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
	if text := readText(t, overlay); !strings.Contains(text, "youngs_modulus_pa") || !strings.Contains(text, "# failed: narrow") {
		t.Error(text)
	}
	if r := readReport(t, numbers); len(r.Parameters) != 1 || math.Abs(r.Parameters[0].Value/trueE-1) > 0.1 {
		t.Errorf("%+v", r.Parameters)
	}
}

// A standard deviation of the data that nothing is weighed by is refused.
func TestNoiseWithoutPrior(t *testing.T) {
	robot, files := threeTrials(t)
	const said = "it has no effect: there are no priors that it would weigh against the data"
	if _, err := attempt(rodRobot(), "identify", "--config", robot, "--free", "youngs_modulus_pa", "--noise", "0.5mm", files[0]); err == nil || !strings.Contains(err.Error(), "--noise 0.5mm: "+said) {
		t.Error(err)
	}
	plan := apptest.Write(t, "plan.yaml", "data: ["+files[0]+"]\nstages:\n  - {free: youngs_modulus_pa, noise_m: 5e-4}\n")
	if _, err := attempt(rodRobot(), "identify", "--config", robot, "--plan", plan); err == nil || !strings.Contains(err.Error(), "stages[0].noise_m: "+said) {
		t.Error(err)
	}
	plan = apptest.Write(t, "plan.yaml", "data: ["+files[0]+"]\nstages:\n  - {free: youngs_modulus_pa}\n  - {free: youngs_modulus_pa=16e6+-1e6}\n")
	if _, err := attempt(rodRobot(), "identify", "--config", robot, "--plan", plan, "--noise", "0.5mm", "--starts", "1"); err != nil {
		t.Error(err)
	}
}

// A stage that may take one step takes one, and says that this was not the end.
func TestStepsOfAStage(t *testing.T) {
	robot, files := threeTrials(t)
	plan := apptest.Write(t, "plan.yaml", "data: ["+files[0]+"]\nstages: [{free: youngs_modulus_pa, steps: 1}]\n")
	r := identified(t, rodRobot(), "--config", robot, "--plan", plan, "--starts", "1")
	if s := r.Starts[0]; s.Iterations != 1 || !strings.Contains(strings.Join(r.Notes, "\n"), "not converged: ") {
		t.Errorf("%+v: %s", s, r.Notes)
	}
}
