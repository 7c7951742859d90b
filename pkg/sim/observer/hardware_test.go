package observer_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/observer"
	"sinew/pkg/sim/robotfile"
)

// pair is an observer of simulated sensors, and one that is given what they measure as measurements of hardware.
type pair struct {
	*testing.T
	simulated, hardware *observer.Model
	change              func(sensor string, v []float64) // of what is given; nil: none
}

func newPair(t *testing.T) *pair {
	t.Helper()
	p := &pair{T: t}
	var err error
	if p.simulated, err = newObserver(tipForce); err == nil {
		p.hardware, err = newObserver(strings.Replace(tipForce, "{force:", "{hardware: true, force:", 1))
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func portOf(m sim.Model, name string) (int, *sim.Port) {
	ports := m.Ports()
	i := slices.IndexFunc(ports, func(p sim.Port) bool { return p.Name == name })
	return i, &ports[i]
}

func (p *pair) step() {
	p.Helper()
	if err := p.simulated.Step(0.001); err != nil {
		p.Fatal(err)
	}
	for _, sensor := range []string{"tracker", "base"} {
		from := value(p.T, p.simulated, robotfile.SensorTopic(sensor))
		i, in := portOf(p.hardware, "hardware/"+robotfile.SensorTopic(sensor))
		v := from[:in.Width()]
		if p.change != nil {
			p.change(sensor, v)
		}
		p.hardware.Command(i, v)
	}
	if err := p.hardware.Step(0.001); err != nil {
		p.Fatal(err)
	}
}

// TestMeasurementsOfHardware wants the same estimate from measurements of hardware as from the same ones of simulated sensors.
func TestMeasurementsOfHardware(t *testing.T) {
	p := newPair(t)
	for step := range 300 {
		if step == 100 {
			for _, o := range []*observer.Model{p.simulated, p.hardware} {
				i, _ := portOf(o, "external_wrench")
				o.Command(i, []float64{0, 0.03, -0.02, 0, 0, 0, 0})
			}
		}
		p.step()
		for _, name := range []string{"estimate/measured_cp", "estimate/parameters"} {
			if got, want := value(t, p.hardware, name), value(t, p.simulated, name); !slices.Equal(got, want) {
				t.Fatalf("step %d: %s is %v, want %v", step, name, got, want)
			}
		}
	}
	if x := value(t, p.hardware, "estimate/parameters")[2]; math.Abs(x-0.03) > 0.01 {
		t.Errorf("force %g, want 0.03", x)
	}
}

// TestLateMeasurementsOfHardware wants measurements that are older than the history counted, and neither they nor a silent sensor to harm.
func TestLateMeasurementsOfHardware(t *testing.T) {
	p := newPair(t)
	silent := false
	var last []float64
	p.change = func(sensor string, v []float64) {
		if sensor != "tracker" {
			return
		}
		if silent {
			copy(v, last)
			return
		}
		for i := range 10 {
			v[1+8*i] += 1e9
		}
		last = slices.Clone(v)
	}
	for range 200 {
		p.step()
	}
	if x := gauge(t, p.hardware, "late_tracker"); x < 10 {
		t.Errorf("%g measurements were late", x)
	}
	if x := gauge(t, p.hardware, "innovation_tracker"); x != 0 {
		t.Errorf("late measurements have an innovation of %g", x)
	}
	silent = true
	for range 200 {
		p.step()
	}
	if x := gauge(t, p.hardware, "estimate_lost"); x != 0 {
		t.Errorf("estimate_lost %g", x)
	}
	tip, truth := value(t, p.hardware, "estimate/measured_cp"), value(t, p.hardware, "measured_cp")
	for c := range 3 {
		if off := tip[c] - truth[c]; off*off > 16*tip[sim.PoseWidth+7*c] {
			t.Errorf("coordinate %d is off by %g m with a variance of %g", c, off, tip[sim.PoseWidth+7*c])
		}
	}
}
