package ros

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"sinew/msgs/diagnostic_msgs"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// hardwareSensors passes the measurements of sensors of hardware to the In ports with Samples that take them.
type hardwareSensors struct {
	sim      *sim.Simulator
	stamper  *stamper
	refusals *refusalLog
	list     []*hardwareSensor
}

// hardwareSensor keeps the newest measurements of a sensor for its port.
type hardwareSensor struct {
	in    *inputPort // of a single measurement
	index int        // of the port
	lock  sync.Mutex // several transports may have the topic

	count  float64 // of measurements so far
	newest []stampedMeasurement
	port   []float64 // values of the port

	heard, interval time.Duration // when the newest one arrived, by stamps, and how long after the one before
	refused         uint64
	why             string // the newest refusal since the last status
}

// stampedMeasurement is what a sensor has measured at a time.
type stampedMeasurement struct {
	taken  time.Duration
	values []float64
}

// newHardwareSensors returns nil if no port takes measurements of sensors.
func newHardwareSensors(s *sim.Simulator, e *endpoints, o Options) *hardwareSensors {
	all := &hardwareSensors{sim: s, stamper: e.stamper, refusals: newRefusalLog("measurement", o.Log, o.Clock.Now)}
	ports := s.Ports()
	for i := range ports {
		p := &ports[i]
		if p.Direction != sim.In || p.Samples == 0 {
			continue
		}
		one := *p
		one.Samples = 0
		m := &hardwareSensor{in: newInputPort(i, &one, e.names), index: i, port: make([]float64, p.Width())}
		for range p.Samples {
			m.newest = append(m.newest, stampedMeasurement{values: make([]float64, one.Width())})
		}
		all.list = append(all.list, m)
	}
	if all.list == nil {
		return nil
	}
	return all
}

// open subscribes to the topics of the sensors.
func (h *hardwareSensors) open(e *endpoints) error {
	for _, m := range h.list {
		codec := codecs[m.in.port.Kind]
		if codec.decode == nil {
			return fmt.Errorf("port %q cannot take measurements: no message of kind %v is one", m.in.port.Name, m.in.port.Kind)
		}
		err := e.subscribe(Topic{Name: "~" + m.in.port.Name, Type: codec.messageType}, func(topic string) handler {
			v := make([]float64, m.in.port.Width())
			return func(got Received) bool {
				r := codec.decode(m.in, got.Message, v)
				if r.status == sim.Accepted {
					r = h.take(m, headerStamp(got.Message), v)
				}
				if r.status == sim.Accepted {
					return true
				}
				m.refuse(r)
				h.refusals.add(topic, r)
				if got.Refused != nil {
					got.Refused(r.status.String(), r.detail)
				}
				return true
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// take passes a measurement, with those before it, to its port. One without a stamp has been taken now.
func (h *hardwareSensors) take(m *hardwareSensor, taken time.Duration, v []float64) refusal {
	for i, x := range v {
		switch {
		case sim.IsKeep(x):
			return refusal{sim.WrongLength, m.in.valueName(i) + " is missing"}
		case !spatial.IsFinite(x):
			return refusal{sim.NotFinite, fmt.Sprintf("%s is %g", m.in.valueName(i), x)}
		}
	}
	now := h.stamper.now()
	if taken == 0 {
		taken = now
	}
	if ahead := taken - now; ahead > seconds(1/h.sim.Options().ControlHz) {
		return refusal{sim.Stale, fmt.Sprintf("stamped %.4g s in the future; synchronise the clocks (chrony, NTP)", ahead.Seconds())}
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.count > 0 {
		m.interval = now - m.heard
	}
	m.heard = now
	last := len(m.newest) - 1
	room := m.newest[last]
	copy(m.newest[1:], m.newest[:last])
	room.taken = taken
	copy(room.values, v)
	m.newest[0] = room
	m.count++
	m.port[0] = m.count
	to := m.port[1:]
	for i := range m.newest {
		s := &m.newest[i]
		to[0] = max(now-s.taken, 0).Seconds()
		to = to[1+copy(to[1:], s.values):]
	}
	switch status := h.sim.Post(sim.Source{Name: m.in.port.Name}, m.index, m.port); status {
	case sim.Accepted, sim.NotEnabled: // a robot that stands still measures on
		return refusal{}
	default:
		return refusal{status, status.Err().Error()}
	}
}

// refuse counts a measurement that is not taken.
func (m *hardwareSensor) refuse(r refusal) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.refused++
	m.why = r.detail
}

// status returns the state of the sensors as diagnostics: WARN while one is silent or refused.
func (h *hardwareSensors) status() diagnostic_msgs.DiagnosticStatus {
	h.refusals.flush()
	st := status("hardware sensors", "all sensors measure")
	now := h.stamper.now()
	var waiting []string
	for _, m := range slices.Backward(h.list) { // the first one of several problems stays
		m.lock.Lock()
		name := m.in.port.Name
		switch silent := now - m.heard; {
		case m.why != "":
			st.set(diagnostic_msgs.DiagnosticStatusWarn, "%s: measurements are refused: %s", name, m.why)
		case m.count == 0:
			waiting = append(waiting, name)
		case silent > max(hardwareTimeout, 3*m.interval):
			st.set(diagnostic_msgs.DiagnosticStatusWarn, "%s: silent for %.1f s", name, silent.Seconds())
		}
		m.why = ""
		st.count(name, uint64(m.count))
		st.count(name+"_refused", m.refused)
		m.lock.Unlock()
	}
	if len(waiting) > 0 && st.Level == diagnostic_msgs.DiagnosticStatusOk {
		st.Message = "waiting for " + waiting[len(waiting)-1]
	}
	return st.DiagnosticStatus
}
