package ros

import (
	"fmt"
	"math"

	"sinew/msgs/sensor_msgs"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// jointPair compares measured tendons or joints with the newest simulated ones.
type jointPair struct {
	port      *sim.Port
	simulated []float64 // newest values of the port
	count     int       // messages compared since the last report
	position  []float64 // sums of squared differences since then, by label
	effort    []float64
}

// openJoints subscribes to the tendons or joints that are measured on the hardware.
func (h *hardware) openJoints(e *endpoints, p *sim.Port) error {
	n := len(p.Labels)
	h.pair = jointPair{port: p, position: make([]float64, n), effort: make([]float64, n)}
	labels := newInputPort(-1, p, e.names).labels
	return e.subscribe(Topic{Name: "~hardware/measured_js", Type: sensor_msgs.JointStateType}, func(topic string) handler {
		return func(got Received) bool {
			js := got.Message.(*sensor_msgs.JointState)
			at, r := jointOrder(js, labels, p.Labels)
			if r.status == sim.Accepted {
				h.mu.Lock()
				h.pair.compare(js, at)
				h.mu.Unlock()
				h.measures.Store(true)
				return true
			}
			h.refuse(topic, r)
			return true
		}
	})
}

// jointOrder returns the index of the label of each value of a message; without names the
// values are those of all labels in their order.
func jointOrder(js *sensor_msgs.JointState, labels map[string]int, all []string) ([]int, refusal) {
	n := len(js.Name)
	if n == 0 {
		n = len(all)
	}
	for _, part := range [][]float64{js.Position, js.Effort} {
		if len(part) != 0 && len(part) != n {
			return nil, wrongLength("position or effort", len(part), n)
		}
		for _, x := range part {
			if !spatial.IsFinite(x) {
				return nil, refusal{sim.NotFinite, fmt.Sprintf("a value is %g", x)}
			}
		}
	}
	at := make([]int, n)
	for i := range at {
		at[i] = i
		if len(js.Name) == 0 {
			continue
		}
		l, ok := labels[js.Name[i]]
		if !ok {
			return nil, refusal{sim.UnknownName, fmt.Sprintf("no %q here, only %q", js.Name[i], all)}
		}
		at[i] = l
	}
	return at, refusal{}
}

// compare adds the differences of one message.
func (p *jointPair) compare(js *sensor_msgs.JointState, at []int) {
	if len(p.simulated) == 0 {
		return
	}
	n, have := len(p.port.Labels), parts(p.port)
	effort := 0 // where the efforts begin
	for _, before := range []sim.Parts{sim.Position, sim.Velocity} {
		if have&before != 0 {
			effort += n
		}
	}
	p.count++
	for i, l := range at {
		if have&sim.Position != 0 && len(js.Position) > 0 {
			p.position[l] += square(p.simulated[l] - js.Position[i])
		}
		if have&sim.Effort != 0 && len(js.Effort) > 0 {
			p.effort[l] += square(p.simulated[effort+l] - js.Effort[i])
		}
	}
}

// report adds the root mean squares since the last report, and resets them.
func (p *jointPair) report(st *statusBuilder) {
	if p.count == 0 {
		return
	}
	st.count("measured_js", uint64(p.count))
	for i, label := range p.port.Labels {
		st.number("position_rms/"+label, math.Sqrt(p.position[i]/float64(p.count)))
		st.number("effort_rms/"+label, math.Sqrt(p.effort[i]/float64(p.count)))
		p.position[i], p.effort[i] = 0, 0
	}
	p.count = 0
}

func square(x float64) float64 { return x * x }
