package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
)

// The robot moves by itself when nobody chose one and nobody waits, or as asked.
func TestDemoWanted(t *testing.T) {
	yes, no := true, false
	for want, list := range map[bool][]Cmd{
		true:  {{}, {Demo: &yes}, {Demo: &yes, Lockstep: true, Disabled: true}},
		false: {{Demo: &no}, {Lockstep: true}, {Disabled: true}},
	} {
		for _, c := range list {
			if c.demoWanted() != want {
				t.Errorf("%+v: the demo is wanted: %t", c, !want)
			}
		}
	}
	var c Cmd
	c.Config = []string{"robot.yaml"}
	if c.demoWanted() {
		t.Error("the demo moves a robot that somebody chose")
	}
	if c.Demo = &yes; !c.demoWanted() {
		t.Error("the demo does not move a robot though it was asked to")
	}
}

// A signal, the end of the duration and the network end a run well; nothing else does.
func TestCleanEnd(t *testing.T) {
	for _, cause := range []error{nil, context.Canceled, context.DeadlineExceeded, errNetwork, fmt.Errorf("x: %w", context.Canceled)} {
		if !cleanEnd(cause) {
			t.Errorf("%v is no clean end", cause)
		}
	}
	if cleanEnd(errors.New("simulation loop: broken")) {
		t.Error("a loop that broke is a clean end")
	}
}

// Nested parameters are named with slashes, in the order of their names.
func TestFlatten(t *testing.T) {
	var got []string
	flatten(map[string]any{
		"solver": map[string]any{"step_s": 1e-3, "method": "cg4", "empty": map[string]any{}},
		"body":   map[string]any{"shape": map[string]any{"sphere_m": 2}},
		"a":      []any{1},
	}, "", func(path string, value any) { got = append(got, fmt.Sprint(path, "=", value)) })
	if want := []string{"a=[1]", "body/shape/sphere_m=2", "solver/method=cg4", "solver/step_s=0.001"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Tendons are pulled one after the other, each once in five seconds for half of the
// time, by two fifths of the limit, or by 1 N without one.
func TestTensionWave(t *testing.T) {
	ports := tendonPorts()
	for limit, peak := range map[float64]float64{10: 4, math.Inf(1): 1} {
		ports[0].Max = []float64{limit, limit, limit}
		d := newDemo(ports)
		for i := range d.values {
			start := float64(i) * 5 / 3
			for _, c := range []struct{ at, want float64 }{{0.625, peak * math.Sqrt2 / 2}, {1.25, peak}, {2.5, 0}, {3.75, 0}, {6.25, peak}} {
				d.wave(start+c.at, d.values)
				if got := d.values[i]; math.Abs(got-c.want) > 1e-9 {
					t.Errorf("limit %g: tendon %d has %g N %g s after its turn began, want %g", limit, i, got, c.at, c.want)
				}
			}
		}
	}
	ports[0].Max = nil
	d := newDemo(ports)
	if d.wave(1.25, d.values); d.values[0] != 1 {
		t.Errorf("without limits the first tendon has %g N, want 1", d.values[0])
	}
}
