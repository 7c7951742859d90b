package identify

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/spatial"
)

func deviations(t *testing.T, p *Problem, k float64) [][]deviation {
	t.Helper()
	all, err := p.newPredictor(context.Background()).predict([]float64{k})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func near(a, b spatial.Vec) bool { return a.Sub(b).Norm() < 1e-12 }

// Equilibria follow the commands of their rows; a row without a measurement commands
// too, and a command holds until the next.
func TestEquilibriaByHand(t *testing.T) {
	tr := ReadTrial(t, "push,lift:m,x,y,z\n2,,0,0,0\n4,0.5,,,\n,,0.01,0.2,0.3\n,0.25,0,0,0\n")
	if !tr.Static {
		t.Fatal("rows without t are no equilibria")
	}
	got := deviations(t, Carriages(t, "", nil, tr, tr), stretch)
	want := []spatial.Vec{{X: 0.01}, {}, {X: 0.02 - 0.01, Y: 0.5 - 0.2, Z: -0.3}, {X: 0.02, Y: 0.25}}
	for i := range got {
		for k, d := range got[i] {
			if !near(d.p, want[k]) || d.r != (spatial.Vec{}) {
				t.Errorf("trial %d, row %d: off by %v, want %v", i, k, d, want[k])
			}
		}
	}
}

// Poses are compared in the world, where the hardware's frame is placed and turned.
func TestDeviationInTheWorld(t *testing.T) {
	const more = "hardware: {position_m: [1, 2, 3], orientation_xyzw: [0, 0, 0.7071067811865476, 0.7071067811865476]}\n" // 90° about z
	sin, cos := math.Sincos(0.1 / 2)
	tr := ReadTrial(t, "push,x,y,z,qx,qy,qz,qw\n4,0.1,0.2,0.3,0,0,0,1\n")
	turned := &Trial{Name: "turned", Static: true, rotations: true, rows: []trialRow{tr.rows[0]}}
	turned.rows[0].pose.r = spatial.Quat{X: sin, W: cos}.Rot()
	got := deviations(t, Carriages(t, more, nil, tr, turned), stretch)
	if d, want := got[0][0], (spatial.Vec{X: 0.02 - (1 - 0.2), Y: -(2 + 0.1), Z: -3.3}); !near(d.p, want) || !near(d.r, spatial.Vec{Z: 0.02 - math.Pi/2}) {
		t.Errorf("off by %v, want %v", d, want)
	}
	// the hardware's x is the world's y; the robot is turned by less about z
	want := spatial.ExpRot(spatial.Vec{Z: 0.02}).MulT(spatial.ExpRot(spatial.Vec{Z: math.Pi / 2}).Mul(spatial.ExpRot(spatial.Vec{X: 0.1}))).Log()
	if d := got[1][0]; !near(d.r, want) {
		t.Errorf("turned by %v, want %v", d.r, want)
	}
}

// A motion begins in the initial state, whatever ran before. Commands act from the step at
// their time, poses between steps are interpolated, later measurements by the latency,
// and no step is made beyond the last row.
func TestMotionByHand(t *testing.T) {
	const text = "t,push,x,y,z,qx,qy,qz,qw\n5,0,0,0,0,0,0,0,1\n5.1,4,0,0,0,0,0,0,1\n5.25,4,,,,,,,\n5.25,8,0,0,0,0,0,0,1\n5.4,,0,0,0,0,0,0,1\n"
	x := []float64{startX, startX * 0.75} // after each step
	x = append(x, x[1]+(4./stretch-x[1])/4)
	x = append(x, x[2]+(4./stretch-x[2])/4) // 8 N act from the next step on
	x = append(x, x[3]+(8./stretch-x[3])/4)
	for _, c := range []struct {
		latency string
		want    []float64
		steps   int
	}{
		{"", []float64{x[0], x[1], 0, (x[2] + x[3]) / 2, x[4]}, 4},
		{"hardware: {latency_s: 0.1}\n", []float64{x[0], x[0], 0, (x[1] + x[2]) / 2, x[3]}, 3},
	} {
		var made *Carriage
		p := Carriages(t, c.latency, func(m *Model) { made = m.Model.(*Carriage) }, ReadTrial(t, text), ReadTrial(t, text))
		for i, trial := range deviations(t, p, stretch) {
			for k, d := range trial {
				if !near(d.p, spatial.Vec{X: c.want[k]}) || !near(d.r, spatial.Vec{Z: c.want[k]}) {
					t.Errorf("%strial %d, row %d: off by %v, want %g", c.latency, i, k, d, c.want[k])
				}
			}
		}
		if made.steps != 2*c.steps {
			t.Errorf("%s%d steps for two trials, want %d", c.latency, made.steps, 2*c.steps)
		}
	}
}

// Where the initial state is an equilibrium, a motion begins in that of its first
// commands.
func TestMotionFromRestByHand(t *testing.T) {
	tr := ReadTrial(t, "t,push,x,y,z\n0,4,0,0,0\n0.1,4,0,0,0\n")
	settled := func(m *Model) { m.InEquilibrium = true }
	for k, d := range deviations(t, Carriages(t, "", settled, tr), stretch)[0] {
		if !near(d.p, spatial.Vec{X: 4 / stretch}) {
			t.Errorf("row %d: off by %v", k, d)
		}
	}
	stuck := ReadTrial(t, "t,push,x,y,z\n0,16,0,0,0\n")
	if _, err := Carriages(t, "", settled, stuck).newPredictor(context.Background()).predict([]float64{stretch}); !errors.Is(err, errStuck) {
		t.Errorf("a robot without equilibrium: %v", err)
	}
}

// A prediction that fails says which trial, where and why.
func TestPredictionFails(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	static, motion := ReadTrial(t, "push,x,y,z\n1,0,0,0\n16,0,0,0\n"), ReadTrial(t, "t,push,x,y,z\n0,1,0,0,0\n0.5,1,0,0,0\n")
	for _, c := range []struct {
		name   string
		ctx    context.Context
		trial  *Trial
		change func(*Model)
		cause  error
		want   string
	}{
		{"no equilibrium", context.Background(), static, nil, errStuck, "trial.csv: row 2: the carriage is stuck"},
		{"a step", context.Background(), motion, func(m *Model) { m.Model.(*Carriage).failAt = 2 }, errStuck, "trial.csv: t = 0.1 s: the carriage is stuck"},
		{"no springs", context.Background(), static, func(m *Model) { m.Model = Sledge{m.Model} }, errNoEquilibrium, "trial.csv: rows without t are equilibria"},
		{"no pose", context.Background(), motion, func(m *Model) { m.Port = "servo_jf" }, errNoPose, "shows no pose"},
		{"cancelled equilibria", cancelled, static, nil, context.Canceled, "trial.csv"},
		{"cancelled motion", cancelled, motion, nil, context.Canceled, "trial.csv"},
	} {
		_, err := Carriages(t, "", c.change, c.trial).newPredictor(c.ctx).predict([]float64{stretch})
		if !errors.Is(err, c.cause) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// impatient is a context that ends at its n-th look.
type impatient struct {
	context.Context
	n int
}

func (c *impatient) Err() error {
	if c.n--; c.n <= 0 {
		return context.Canceled
	}
	return nil
}

// A long motion looks at the context every thousand steps.
func TestLongMotionIsCancelled(t *testing.T) {
	var made *Carriage
	p := Carriages(t, "", func(m *Model) { made = m.Model.(*Carriage) }, ReadTrial(t, "t,push,x,y,z\n0,1,0,0,0\n1000,1,0,0,0\n"))
	if _, err := p.newPredictor(&impatient{context.Background(), 3}).predict([]float64{stretch}); !errors.Is(err, context.Canceled) || made.steps != 1999 {
		t.Errorf("%v after %d steps", err, made.steps)
	}
}

// The fit finds k from equilibria, and the overlay has it with its comment and, of what
// would follow it, the shear modulus as it was.
func TestFitAndOverlay(t *testing.T) {
	tr := ReadTrial(t, "push,x,y,z,qx,qy,qz,qw\n2,0.01,0,0,0,0,0,1\n4,0.02,0,0,0,0,0,1\n8,0.04,0,0,0,0,0,1\n6,1,1,1,0,0,0,1\n")
	tr.rows[3].held = true
	p := Carriages(t, "", nil, tr)
	if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "rod.shear_modulus_pa is not free and stays at 33.3333 Pa") {
		t.Errorf("notes %q", p.Notes)
	}
	r, err := p.Fit(context.Background(), fit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Values()[0]; !(math.Abs(got/stretch-1) < 1e-6) {
		t.Errorf("k = %g N/m instead of %g", got, stretch)
	}
	r.Estimates[0].Value = 250
	comments := p.Comments(r, func(e *fit.Estimate, named bool) string {
		if named || e.Name != "rod.youngs_modulus_pa" {
			t.Errorf("comment on %s, named %t", e.Name, named)
		}
		return "found"
	})
	text, err := p.Overlay(p.base, r.Values(), comments)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"found", "youngs_modulus_pa: 250", "as it was", "shear_modulus_pa: 33.3333"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in the overlay:\n%s", want, text)
		}
	}
	r.Estimates[0].Value = -1
	if text, err = p.Overlay(p.base, r.Values(), comments); err == nil {
		t.Errorf("an overlay of a modulus below 0:\n%s", text)
	}
}

// Rotations count where they are measured and have a weight; what is held out counts
// in the summary only.
func TestResidualsAndSummary(t *testing.T) {
	plain := ReadTrial(t, "push,x,y,z\n2,0,0,0\n4,0,0.01,0\n,,,\n")
	turned := ReadTrial(t, "push,x,y,z,qx,qy,qz,qw\n4,0,0,0,0,0,0,1\n8,0,0,0,0,0,0,1\n")
	plain.rows[1].held = true
	p := Carriages(t, "", nil, plain, turned)
	for _, c := range []struct {
		weight float64
		want   []float64
	}{
		{0, []float64{0.01, 0, 0, 0.02, 0, 0, 0.04, 0, 0}},
		{0.5, []float64{0.01, 0, 0, 0.02, 0, 0, 0, 0, 0.01, 0.04, 0, 0, 0, 0, 0.02}},
	} {
		p.RotationWeight = c.weight
		if n := p.Residuals(); n != len(c.want) {
			t.Errorf("weight %g m: %d residuals, want %d", c.weight, n, len(c.want))
			continue
		}
		got := make([]float64, len(c.want))
		if err := p.newPredictor(context.Background()).residuals([]float64{stretch}, got); err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if !(math.Abs(got[i]-c.want[i]) < 1e-12) {
				t.Errorf("weight %g m: residuals %g, want %g", c.weight, got, c.want)
				break
			}
		}
	}
	s, err := p.Predict(context.Background(), []float64{stretch})
	if err != nil {
		t.Fatal(err)
	}
	a, b := s.Trials[0], s.Trials[1]
	if s.Fitted.Poses != 3 || s.Fitted.Rotations != 2 || s.HeldOut.Poses != 1 || s.HeldOut.Rotations != 0 || a.Fitted.Poses != 1 || a.HeldOut.Poses != 1 || b.Fitted.Poses != 2 || b.Fitted.Rotations != 2 || b.HeldOut.Poses != 0 || !a.Static || b.Name != "trial.csv" {
		t.Errorf("%+v", s)
	}
	if want := math.Hypot(0.02, 0.01); math.Abs(s.HeldOut.MaxM-want) > 1e-12 || math.Abs(a.HeldOut.RMS()-want) > 1e-12 || math.Abs(s.Fitted.MaxM-0.04) > 1e-12 {
		t.Errorf("held out %+v, fitted %+v", s.HeldOut, s.Fitted)
	}
	if got := p.Start(); len(got) != 1 || got[0] != 100 {
		t.Errorf("starts from %g", got)
	}
}

// A value that several parameters decide about is explained by all of them, by name.
func TestOverlayOfAGroup(t *testing.T) {
	p := Carriages(t, "", nil)
	numbers, err := p.base.Numbers()
	if err != nil {
		t.Fatal(err)
	}
	free, err := Resolve([]string{"tendon_offsets", "youngs_modulus_pa"}, numbers, 0.25)
	if err != nil {
		t.Fatal(err)
	}
	if p, err = NewProblem(func() File { return &carriageFile{} }, p.base, free); err != nil {
		t.Fatal(err)
	}
	r := new(fit.Result)
	for i, x := range []float64{150, 0.02, 0} {
		r.Estimates = append(r.Estimates, fit.Estimate{Parameter: p.parameters[i], Value: x})
	}
	comments := p.Comments(r, func(e *fit.Estimate, named bool) string {
		if named != strings.HasPrefix(e.Name, "tendon_offsets.") {
			t.Errorf("%s: named %t", e.Name, named)
		}
		return e.Name
	})
	text, err := p.Overlay(p.base, r.Values(), comments)
	if err != nil || !strings.Contains(string(text), "tendon_offsets.up.radius_m, tendon_offsets.up.azimuth_rad") || !strings.Contains(string(text), "offset_m: [0.02, 0]") {
		t.Errorf("%v\n%s", err, text)
	}
}
