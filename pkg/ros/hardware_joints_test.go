package ros

import (
	"fmt"
	"strings"
	"testing"

	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/pkg/sim"
)

// Positions and efforts are compared where the port has them and the message has them,
// each by its name, as root mean squares since the last report.
func TestMeasuredJointsAreCompared(t *testing.T) {
	labels := []string{"left", "right"}
	both := sim.Position | sim.Effort
	for _, c := range []struct {
		parts     sim.Parts
		simulated []float64
		position  string
		effort    string
	}{
		{sim.Position, []float64{1, 2}, "3 4", "0 0"},
		{sim.Effort, []float64{10, 20}, "0 0", "5 6"},
		{both, []float64{1, 2, 10, 20}, "3 4", "5 6"},
		{both | sim.Velocity, []float64{1, 2, 98, 99, 10, 20}, "3 4", "5 6"},
	} {
		port := &sim.Port{Kind: sim.JointState, Labels: labels, Parts: c.parts}
		p := jointPair{port: port, position: make([]float64, 2), effort: make([]float64, 2)}
		report := func() string {
			st := status("joints", "")
			p.report(st)
			return says(st.Values)
		}
		hear := func(position, effort []float64) {
			p.compare(&sensor_msgs.JointState{Position: position, Effort: effort}, []int{1, 0}) // right, left
		}
		hear([]float64{9, 9}, nil)
		if got := report(); got != "" {
			t.Errorf("%v: %q before the robot has moved", c.parts, got)
		}
		p.simulated = c.simulated
		hear([]float64{2 + 4, 1 + 3}, []float64{20 - 6, 10 - 5})
		if got, want := report(), told(1, c.position, c.effort); got != want {
			t.Errorf("%v: %q, want %q", c.parts, got, want)
		}
		hear([]float64{2 - 4, 1 - 3}, nil)
		if got, want := report(), told(1, c.position, "0 0"); got != want {
			t.Errorf("%v, no efforts: %q, want %q", c.parts, got, want)
		}
		hear(nil, []float64{20 + 6, 10 + 5})
		hear(nil, []float64{20 - 6, 10 - 5})
		if got, want := report(), told(2, "0 0", c.effort); got != want {
			t.Errorf("%v, no positions: %q, want %q", c.parts, got, want)
		}
		if got := report(); got != "" {
			t.Errorf("%v: %q without a message since", c.parts, got)
		}
	}
}

// says writes key-value pairs in a line.
func says(values []diagnostic_msgs.KeyValue) string {
	var all []string
	for _, v := range values {
		all = append(all, v.Key+"="+v.Value)
	}
	return strings.Join(all, " ")
}

// told is what a report says of the differences, each "left right".
func told(messages int, position, effort string) string {
	p, e := strings.Fields(position), strings.Fields(effort)
	return fmt.Sprintf("measured_js=%d position_rms/left=%s effort_rms/left=%s position_rms/right=%s effort_rms/right=%s", messages, p[0], e[0], p[1], e[1])
}
