package identify_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
)

// A recording with a payload and one without decide together about a robot that has none: each is
// predicted with what its plan sets, whether it is fitted or only predicted.
func TestRecordingsSetNumbers(t *testing.T) {
	const payload = 0.02 // kg
	text := movingText(trueE, trueG, trueMu)
	robot := apptest.Write(t, "start.yaml", movingText(1.3*trueE, trueG, trueMu))
	rows := [][]float64{{1, 0, 0}, {3, 0, 0}, {2, 1, 0}, {0, 4, 2}}
	free := staticTrial(t, text, rows, 0, 1)
	loaded := staticTrial(t, text+fmt.Sprintf("tip: {mass_kg: %g}\n", payload), rows, 0, 2)
	plan := func(name, set string) string {
		return apptest.Write(t, name, fmt.Sprintf("data: [%s]\nhold_out: [{file: %s, rows: '2:'%s}]\nstages:\n  - free: youngs_modulus_pa\n    data: [{file: %[1]s, rows: '0:2'}, {file: %[2]s, rows: '0:2'%[3]s}]\n", free, loaded, set))
	}
	r := identified(t, rodRobot(), "--config", robot, "--starts", "1", "--plan", plan("set.yaml", fmt.Sprintf(", set: {tip.mass_kg: %g}", payload)))
	if math.Abs(r.Parameters[0].Value/trueE-1) > 1e-6 || !(*r.HeldOut.RMSE < 1e-8) || !(*r.Fitted.RMSE < 1e-8) {
		t.Errorf("E = %g Pa, fitted %g m, held out %g m", r.Parameters[0].Value, *r.Fitted.RMSE, *r.HeldOut.RMSE)
	}
	if r := identified(t, rodRobot(), "--config", robot, "--starts", "1", "--plan", plan("unset.yaml", "")); *r.HeldOut.RMSE < 1e-4 {
		t.Errorf("an unknown payload is predicted to %g m", *r.HeldOut.RMSE)
	}
}

func TestSettingMistakes(t *testing.T) {
	robot, files := threeTrials(t)
	for set, want := range map[string]string{
		"{tip.mass: x}":              `data[0].set.tip.mass: "x"; allowed: a number`,
		"[1]":                        "data[0].set: is no mapping of numbers",
		"{tip.mas_kg: 1}":            "data[0].set.tip.mas_kg: no such number in the robot file",
		"{tip.mass_kg: -1}":          "data[0].set.tip.mass_kg: -1 kg; allowed: from 0",
		"{rod.density_kg_per_m3: 9}": "rod.density_kg_per_m3 is free, but",
	} {
		plan := apptest.Write(t, "plan.yaml", "data: [{file: "+files[0]+", set: "+set+"}]\nstages: [{free: density_kg_per_m3}]\n")
		if out, err := attempt(rodRobot(), "identify", "--config", robot, "--plan", plan); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q\n%s", set, err, want, out)
		}
	}
}

// The modulus of the rod is that of its sections that have none of their own.
func TestModulusOfSections(t *testing.T) {
	sections := func(e float64) string {
		return strings.Replace(movingText(e, trueG, trueMu), "length_m: 0.25, radius_m: 0.0055,", "sections: [{length_m: 0.1, radius_m: 0.0055, youngs_modulus_pa: 2e7, shear_modulus_pa: 8e6}, {length_m: 0.15, radius_m: 0.0055}],", 1)
	}
	trial := staticTrial(t, sections(trueE), [][]float64{{1, 0, 0}, {3, 0, 0}, {0, 2, 0}}, 0, 1)
	r := identified(t, rodRobot(), "--config", apptest.Write(t, "start.yaml", sections(1.3*trueE)), "--starts", "1", "--free", "rod.youngs_modulus_pa", trial)
	if math.Abs(r.Parameters[0].Value/trueE-1) > 1e-6 {
		t.Errorf("E = %g Pa, want %g Pa", r.Parameters[0].Value, trueE)
	}
}
