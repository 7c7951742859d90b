package ros

import (
	"math"
	"slices"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/pkg/sim"
)

// TestNewCommand: what a command's message says is what the bridge reads from it.
func TestNewCommand(t *testing.T) {
	m := everyKind()
	names := testNames()
	at := msgs.At(3 * time.Second)
	for i := range m.ports {
		p := &m.ports[i]
		if p.Direction != sim.In {
			continue
		}
		v := make([]float64, p.Width())
		for k := range v {
			v[k] = 0.25 * float64(k+1)
		}
		switch p.Kind {
		case sim.Pose:
			copy(v, tipValues)
		case sim.PoseArray:
			copy(v, tipValues)
			copy(v[7:], baseValues)
		case sim.Wrench:
			v[6] = 1 // the second frame
		case sim.Tension, sim.TendonLength:
			v[1] = sim.Keep
		}
		topic, s, err := NewCommand(names, p, v, at)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		if want := "/lab/left/" + p.Name; topic.Name != want || topic.Type != s.Message().Type() || s.Time != at {
			t.Errorf("%s: topic %+v at %v", p.Name, topic, s.Time)
		}
		got := make([]float64, p.Width())
		if r := codecs[p.Kind].decode(newInputPort(i, p, names), s.Message(), got); r.status != sim.Accepted {
			t.Errorf("%s: %v", p.Name, r)
		}
		for k := range v {
			if math.Float64bits(got[k]) != math.Float64bits(v[k]) {
				t.Errorf("%s: value %d is %v, want %v", p.Name, k, got[k], v[k])
			}
		}
	}
	field := &m.ports[m.index("in_field")]
	if _, _, err := NewCommand(names, field, []float64{0, sim.Keep, 0}, at); err == nil {
		t.Error("a field with a value to be kept: no error")
	}
	if _, _, err := NewCommand(names, field, []float64{0}, at); err == nil {
		t.Error("a field of one value: no error")
	}
	path := &sim.Port{Name: "path", Kind: sim.Path, Labels: two, Frames: []string{"world"}}
	if _, _, err := NewCommand(names, path, make([]float64, path.Width()), at); err == nil {
		t.Error("a path, which nothing can be commanded with: no error")
	}
}

// TestNewCommandKeepsJoints: joints that are to be kept are left out with all their
// values, and those that stay keep theirs.
func TestNewCommandKeepsJoints(t *testing.T) {
	p := &sim.Port{Name: "joints", Kind: sim.JointState, Labels: []string{"a", "b", "c"}, Parts: sim.Position | sim.Effort}
	_, s, err := NewCommand(testNames(), p, []float64{1, sim.Keep, 3, 10, 20, 30}, 0)
	if err != nil {
		t.Fatal(err)
	}
	js := s.Message().(*sensor_msgs.JointState)
	if !slices.Equal(js.Name, []string{"a", "c"}) || !slices.Equal(js.Position, []float64{1, 3}) || !slices.Equal(js.Effort, []float64{10, 30}) || len(js.Velocity) != 0 {
		t.Errorf("%+v", js)
	}
	if _, _, err := NewCommand(testNames(), &sim.Port{Name: "no name", Kind: sim.Field}, []float64{1, 2, 3}, 0); err == nil {
		t.Error("a port whose name is no topic's: no error")
	}
}

// What hardware has measured may name more than the port; what is no measurement, or names
// nothing that the port has, is refused.
func TestMeasuredPassesOthersBy(t *testing.T) {
	port := sim.Port{Name: "shaft_jp", Kind: sim.JointState, Labels: []string{"bow", "sway"}, Parts: sim.Position}
	for _, c := range []struct {
		names    []string
		measured bool
		want     []float64 // nil: refused
	}{
		{[]string{"front", "sway", "back", "bow", "left"}, true, []float64{3, 1}},
		{[]string{"sway", "front"}, true, []float64{sim.Keep, 0}},
		{[]string{"front", "sway"}, true, []float64{sim.Keep, 1}},
		{[]string{"front", "back"}, true, nil},
		{[]string{"front", "sway"}, false, nil},
		{[]string{"sway", "bow"}, false, []float64{1, 0}},
	} {
		p := port
		p.Measured = c.measured
		js, v := &sensor_msgs.JointState{Name: c.names}, make([]float64, 2)
		for i := range c.names {
			js.Position = append(js.Position, float64(i))
		}
		r := decodeJoints(newInputPort(0, &p, testNames()), js, v)
		if c.want == nil {
			if r.status != sim.UnknownName || r.detail == "" {
				t.Errorf("%v, measured %v: %+v", c.names, c.measured, r)
			}
			continue
		}
		same := func(x, y float64) bool { return x == y || sim.IsKeep(x) && sim.IsKeep(y) }
		if r.status != sim.Accepted || !slices.EqualFunc(v, c.want, same) {
			t.Errorf("%v, measured %v: %v, %+v, want %v", c.names, c.measured, v, r, c.want)
		}
	}
}

// A value is named by its label where each has one, by its number elsewhere.
func TestValueNames(t *testing.T) {
	two := []string{"left", "right"}
	for want, c := range map[string]struct {
		port sim.Port
		i    int
	}{
		"right":   {sim.Port{Kind: sim.Tension, Labels: two}, 1},
		"value 1": {sim.Port{Kind: sim.JointState, Labels: two, Parts: sim.Position | sim.Effort}, 1},
		"value 3": {sim.Port{Kind: sim.JointState, Labels: two, Parts: sim.Position | sim.Effort}, 3},
		"value 2": {sim.Port{Kind: sim.Field}, 2},
		"left":    {sim.Port{Kind: sim.JointState, Labels: two, Parts: sim.Effort}, 0},
	} {
		if got := (&inputPort{port: &c.port}).valueName(c.i); got != want {
			t.Errorf("value %d of %+v is called %q, want %q", c.i, c.port, got, want)
		}
	}
}
