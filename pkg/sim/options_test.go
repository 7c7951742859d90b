package sim_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim"
)

func TestOptions(t *testing.T) {
	good := sim.FakeOptions()
	for _, tt := range []struct {
		name   string
		change func(*sim.Options)
		want   string
	}{
		{"control", func(o *sim.Options) { o.ControlHz = 0.5 }, "control rate = 0.5 Hz: must be from 1 to 100000"},
		{"control too fast", func(o *sim.Options) { o.ControlHz = 100_001 }, "control rate = 100001 Hz: must be from 1 to 100000"},
		{"control NaN", func(o *sim.Options) { o.ControlHz = math.NaN() }, "control rate = NaN"},
		{"publish", func(o *sim.Options) { o.PublishHz = 300 }, "publish rate = 300 Hz: must be above 0 and at most"},
		{"marker", func(o *sim.Options) { o.MarkerHz = -1 }, "marker rate = -1 Hz"},
		{"step", func(o *sim.Options) { o.StepS = 0 }, "step = 0 s: must be above 0"},
		{"tiny step", func(o *sim.Options) { o.StepS = 1e-12 }, "at least a millionth"},
		{"timeout", func(o *sim.Options) { o.CommandTimeoutS = math.Inf(1) }, "command timeout = +Inf s"},
	} {
		o := good
		tt.change(&o)
		if _, err := sim.NewSimulator(&sim.FakeModel{}, &sim.FakeClock{}, o); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	_, err := sim.NewSimulator(&sim.FakeModel{}, &sim.FakeClock{}, sim.Options{})
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("not every mistake at once: %v", err)
	}
	_, err = sim.NewSimulator(&sim.FakeModel{X: [2]float64{0, math.Inf(1)}}, &sim.FakeClock{}, good)
	if err == nil || !strings.Contains(err.Error(), "measured_js[1] = +Inf") {
		t.Errorf("initial state: %v", err)
	}
}

func TestStepsPerPeriod(t *testing.T) {
	for _, tt := range []struct {
		hz, step float64
		want     int
	}{
		{1000, 0.0005, 2}, {1000, 5e-5, 20}, {1000, 0.001, 1}, {1000, 0.1, 1},
		{1000, 1.8e-5, 56}, {1000, 0.0003, 4}, {300, 1.0 / 900, 3}, {1000, 0.000999, 2}, {250, 3.2e-5, 125},
	} {
		if got := (sim.Options{ControlHz: tt.hz, StepS: tt.step}).StepsPerPeriod(); got != tt.want {
			t.Errorf("%v Hz in steps of %v s: %d, want %d", tt.hz, tt.step, got, tt.want)
		}
	}
}
