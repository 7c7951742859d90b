package identify

import (
	"os"
	"slices"
	"strings"
	"testing"

	"sinew/cmd/internal/program"
	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/hil/identify"
)

// Tests of what has no exported name.

const planText = `
data: [a.csv, {file: sub/b.csv, static: true}]
hold_out: /data/c.csv
stages:
  - name: stiffness
    free: [youngs_modulus_pa=5e6:16e6+-10%:50e6, "tendon_offsets.*.radius_m=+-15%"]
    data: {file: a.csv, rows: "10:200", every: 15, max_speed_m_per_s: 0.1, weight: 2}
    loss: huber
    loss_scale_m: 0.01
    noise_m: 5e-4
    rotation_weight_m: 0.05
    starts: 7
    steps: 9
  - free: base_pose
`

func TestPlanIsRead(t *testing.T) {
	p, err := parsePlan("dir/plan.yaml", []byte(strings.Replace(planText, "data: {file", "data:\n      - {file", 1)), planStage{starts: 3, loss: fit.Linear})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.files(), " "); got != "dir/a.csv dir/sub/b.csv /data/c.csv" {
		t.Errorf("files %s", got)
	}
	s := p.stages[0]
	if s.name != "stiffness" || len(s.free) != 2 || s.free[1].text != "tendon_offsets.*.radius_m=+-15%" || s.loss != fit.Huber || s.lossScale != 0.01 || s.noise != 5e-4 || s.rotationWeight != 0.05 || s.starts != 7 || s.steps != 9 {
		t.Errorf("%+v", s)
	}
	if d := s.data[0]; len(s.data) != 1 || d.file != "dir/a.csv" || d.rows.First != 10 || d.rows.End != 200 || d.rows.Every != 15 || d.rows.MaxSpeed != 0.1 || d.rows.Weight != 2 {
		t.Errorf("%+v", s.data)
	}
	if s := p.stages[1]; s.name != "stage 2" || len(s.data) != 2 || !s.data[1].static || s.starts != 3 || s.steps != 0 || s.loss != fit.Linear || s.free[0].text != "base_pose" {
		t.Errorf("%+v", s)
	}
}

// What is wrong with a plan says file, line, key and what is allowed, all at once.
func TestPlanMistakes(t *testing.T) {
	const good = "data: [a.csv]\nstages:\n  - free: [x]\n    "
	for _, c := range []struct{ text, want string }{
		{"", "plan.yaml: the file is empty"},
		{"a: [", "plan.yaml: yaml:"},
		{"[]", "plan.yaml:1: plan: is no mapping; allowed keys: data, hold_out, stages"},
		{"data: [a.csv]", "plan.yaml:1: plan: no stages"},
		{"stages: [{free: [x]}]", "plan.yaml:1: stages[0]: no data"},
		{"data: [a.csv]\nstages: [{name: x}]", "plan.yaml:2: stages[0]: nothing is free"},
		{good + "wieght: 2", "plan.yaml:4: stages[0].wieght: unknown key; allowed: name, free, data"},
		{good + "starts: 0", `plan.yaml:4: stages[0].starts: "0"; allowed: a whole number from 1`},
		{good + "starts: 2.5", "plan.yaml:4: stages[0].starts"},
		{good + "steps: 0", `plan.yaml:4: stages[0].steps: "0"; allowed: a whole number from 1`},
		{good + "noise_m: -1", `plan.yaml:4: stages[0].noise_m: "-1"; allowed: a number above 0`},
		{good + "noise_m: .nan", "plan.yaml:4: stages[0].noise_m"},
		{good + "loss: tukey", `plan.yaml:4: stages[0].loss: "tukey" is no loss; allowed: linear, huber, cauchy`},
		{good + "loss: huber", "stages[0]: loss huber without loss_scale_m"},
		{good + "loss_scale_m: 0.002", "plan.yaml:4: stages[0].loss_scale_m: the loss linear has no scale"},
		{good + "free: [y]", "plan.yaml:4: stages[0].free: occurs twice, first on line 3"},
		{good + "data: [{every: 2}]", "plan.yaml:4: stages[0].data[0]: no file"},
		{good + "data: [{file: a.csv, every: -2}]", "plan.yaml:4: stages[0].data[0].every"},
		{good + "data: [{file: a.csv, rows: 5}]", `stages[0].data[0].rows: "5"; allowed: FIRST:END`},
		{good + "data: [{file: a.csv, rows: '9:3'}]", "allowed: FIRST:END"},
		{good + "data: [{file: a.csv, rows: ':0'}]", "allowed: FIRST:END"},
		{good + "data: [{file: a.csv, static: 1}]", `static: "1"; allowed: true or false`},
		{good + "data: [a.csv, a.csv]", "a.csv occurs twice"},
		{good + "data: []", "stages[0].data: is no list of 1 to 1000 items"},
		{good + "name: ", "stages[0].name: is no text"},
		{good + "\n---\na: 1", "one YAML document"},
		{good + "starts: 0\n    every: 2", "stages[0].every: unknown key"},
	} {
		if _, err := parsePlan("plan.yaml", []byte(c.text), planStage{starts: 3}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %q", c.text, err, c.want)
		}
	}
}

// FuzzPlan reads any text: a plan that is accepted has stages that can be searched.
func FuzzPlan(f *testing.F) {
	f.Add([]byte(planText))
	f.Add([]byte("&a [*a]"))
	f.Add([]byte("data: [a.csv]\nstages: [{free: [x], loss: huber, loss_scale_m: 1e999}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := parsePlan("plan.yaml", text, planStage{starts: 3, loss: fit.Linear})
		if err != nil {
			return
		}
		for _, s := range p.stages {
			if len(s.free) == 0 || len(s.data) == 0 || s.starts < 1 || !(s.noise >= 0) || s.loss != fit.Linear && !(s.lossScale > 0) {
				t.Errorf("%q: %+v", text, s)
			}
		}
		for _, name := range p.files() {
			if name == "" {
				t.Errorf("%q: a file without a name", text)
			}
		}
	})
}

// The plan of the examples is one.
func TestPlanOfTheDocuments(t *testing.T) {
	const file = "../../../launch/examples/identify/plan.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := parsePlan(file, text, planStage{starts: 3}); err != nil || len(p.stages) < 2 {
		t.Error(err)
	}
}

// Derivatives over differences that are larger than the normal ones are named in text and numbers, as standard
// errors are rougher.
func TestLargeDifferencesAreNamed(t *testing.T) {
	for difference, want := range map[float64][]string{
		0: nil, identify.Difference: nil,
		0.1:    {"note: derivatives were taken over differences of up to 10 %: the model jumps as numbers change; standard errors are rougher"},
		0.0375: {"note: derivatives were taken over differences of up to 3.8 %: the model jumps as numbers change; standard errors are rougher"},
	} {
		f := &fitting{made: new(program.Instance), outcome: &outcome{problem: new(identify.Problem), result: &fit.Result{Difference: difference}}}
		if r := f.stageReport(); !slices.Equal(r.Notes, want) || r.Difference != difference {
			t.Errorf("differences of %g: %q, %g", difference, r.Notes, r.Difference)
		}
		var text strings.Builder
		f.printStage(&text)
		if strings.Contains(text.String(), "note: derivatives") != (want != nil) {
			t.Errorf("differences of %g:\n%s", difference, text.String())
		}
	}
}
