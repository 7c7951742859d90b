package ros

import (
	"math"
	"testing"
	"time"

	"sinew/msgs"
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
		if r := codecs[p.Kind].decode(newInputPort(i, p, names), s.Message(), got); r.verdict != sim.Accepted {
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
}
