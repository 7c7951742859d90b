package observer_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/observer"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/simtest"
)

// small is a robot whose observer is quick.
const small = `
rod: {length_m: 0.2, radius_m: 0.0005, elements: 3, element_order: 4, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9, density_kg_per_m3: 6450, damping: {kelvin_voigt_s: 0.002}}
tendons:
  - {name: tendon_1, offset_m: [ 0.008, 0], disks: {count: 10, first_m: 0.02, last_m: 0.2, mass_kg: 0.0005}, tension_n: 2.0}
  - {name: tendon_2, offset_m: [0,  0.008], disks: {count: 10, first_m: 0.02, last_m: 0.2, mass_kg: 0}, tension_n: 1.0}
solver: {step_s: 0.001}
initial_state: equilibrium
sensors:
  - {name: tracker, rate_hz: 200, latency_s: 0.004, latency_jitter_s: 0.004, dropout: 0.1, pose: {position_error: {noise: 0.0003}, rotation_error: {noise: 0.003}}}
  - {name: base, rate_hz: 500, load_cell: {base: true, force_error: {noise: 0.002}, torque_error: {noise: 0.0001}}}
observer: `

const tipForce, anywhere = small + `{force: {walk_n: 0.3}, stiffness: {deviation: 0.05}}`, small + `{force: {walk_n: 0.3, anywhere: true}}`

// observe makes the robot of a file, with its observer.
func observe(text []byte) (*robotfile.Continuum, *continuum.Model, *observer.Model, error) {
	f, err := robotfile.Parse[robotfile.Continuum]("robot", text)
	if err != nil {
		return nil, nil, nil, err
	}
	robot, err := continuum.New(f)
	if err != nil {
		return nil, nil, nil, err
	}
	o, err := observer.New(robot, f, func() (sim.Estimable, error) { return continuum.New(f.Predicting()) })
	return f, robot, o, err
}

func newObserver(text string) (*observer.Model, error) {
	_, _, o, err := observe([]byte(text))
	return o, err
}

func TestContract(t *testing.T) {
	for name, text := range map[string]string{"tip": tipForce, "anywhere": anywhere, "hardware": strings.Replace(tipForce, "{force:", "{hardware: true, force:", 1)} {
		t.Run(name, func(t *testing.T) {
			simtest.Contract(t, func() (sim.Model, error) { return newObserver(text) }, simtest.Motion{
				Step: 0.001, Steps: 40, Exercised: []string{"innovation_tracker", "innovation_base"},
				Command: func(p *sim.Port, phase float64, v []float64) bool {
					switch p.Name {
					case "servo_jf":
						v[0] = 2 + math.Sin(6*phase)
					case "external_wrench":
						v[1] = 0.02
					case "hardware/sensors/tracker": // which is nowhere near, so that the observer begins again
						clear(v)
						v[0], v[1], v[2], v[2+6] = 1+math.Floor(40*phase), 0.001, 0.1, 1
					case "hardware/sensors/base":
						clear(v)
						v[0], v[1] = 1+math.Floor(40*phase), 0.002
					default:
						return false
					}
					return true
				},
			})
		})
	}
}

// TestReplayOfAModelThatHasGoneOn wants a model that takes back a state, of any part of an update, to step as it did from there.
func TestReplayOfAModelThatHasGoneOn(t *testing.T) {
	o, err := newObserver(tipForce)
	if err != nil {
		t.Fatal(err)
	}
	saved, want, got := make([]float64, o.StateLen()), make([]float64, o.StateLen()), make([]float64, o.StateLen())
	step := func(n int) {
		for range n {
			if err := o.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}
	}
	step(20)
	for at := 20; at < 26; at++ {
		o.Save(saved)
		step(10)
		o.Save(want)
		step(2) // into an update
		if err := o.Restore(saved); err != nil {
			t.Fatal(err)
		}
		step(10)
		o.Save(got)
		if !slices.Equal(got, want) {
			t.Errorf("another state 10 steps after step %d, when it is restored", at)
		}
		if err := o.Restore(saved); err != nil {
			t.Fatal(err)
		}
		step(1)
	}
}

// TestHidesNothing wants all interfaces of the robot to be found through the observer, and its own before them.
func TestHidesNothing(t *testing.T) {
	o, err := newObserver(tipForce)
	if err != nil {
		t.Fatal(err)
	}
	robot := o.Unwrap()
	if d, ok := sim.As[sim.Differentiable](o); !ok || d != robot.(sim.Differentiable) {
		t.Errorf("Differentiable: %v", ok)
	}
	if d, ok := sim.As[sim.StepErrorEstimator](o); !ok || d != robot.(sim.StepErrorEstimator) {
		t.Errorf("StepErrorEstimator: %v", ok)
	}
	if _, ok := sim.As[sim.Linearisable](o); !ok {
		t.Error("no Linearisable")
	}
	if h, ok := sim.As[sim.Holder](o); !ok || h != sim.Holder(o) {
		t.Errorf("Holder: %v, want the observer, whose members stand still too", ok)
	}
	if s, ok := sim.As[sim.Stopper](o); !ok || s != sim.Stopper(o) {
		t.Errorf("Stopper: %v, want the observer", ok)
	}
}

// value reads a port.
func value(t *testing.T, m sim.Model, name string) []float64 {
	t.Helper()
	ports := m.Ports()
	i := slices.IndexFunc(ports, func(p sim.Port) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("no port %s", name)
	}
	v := make([]float64, ports[i].Width())
	m.Value(i, v)
	return v
}

// gauge reads a gauge.
func gauge(t *testing.T, m sim.Model, key string) float64 {
	t.Helper()
	all := m.Gauges()
	i := slices.IndexFunc(all, func(g sim.Gauge) bool { return g.Key == key })
	if i < 0 {
		t.Fatalf("no gauge %s", key)
	}
	v := make([]float64, len(all))
	m.Measure(v)
	return v[i]
}

// TestPortsShowTheEstimate wants the ports to show the force that acts, where it does, and the robot.
func TestPortsShowTheEstimate(t *testing.T) {
	o, err := newObserver(tipForce)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(o.Ports(), func(p sim.Port) bool { return p.Name == "external_wrench" })
	o.Command(i, []float64{0, 0.03, -0.02, 0, 0, 0, 0})
	for range 600 {
		if err := o.Step(0.001); err != nil {
			t.Fatal(err)
		}
	}
	force, p := value(t, o, "estimate/external_wrench"), value(t, o, "estimate/parameters")
	for c, want := range []float64{0, 0.03, -0.02} {
		if force[c] != p[2*c] {
			t.Errorf("the wrench says %g, the parameters %g", force[c], p[2*c])
		}
		if d := p[2*c+1]; !(d > 0) || math.Abs(force[c]-want) > 4*d {
			t.Errorf("force %d is %g ± %g, want %g", c, force[c], d, want)
		}
	}
	if s, d := p[6], p[7]; !(d > 0) || math.Abs(s-1) > 4*d {
		t.Errorf("stiffness %g ± %g, want 1", s, d)
	}
	tip, truth := value(t, o, "estimate/measured_cp"), value(t, o, "measured_cp")
	for c := range 3 {
		v := tip[sim.PoseWidth+7*c]
		if off := tip[c] - truth[c]; !(v > 0) || off*off > 16*v {
			t.Errorf("coordinate %d of the tip is off by %g m, with a variance of %g", c, off, v)
		}
	}
	nodes, at := value(t, o, "estimate/backbone"), value(t, o, "estimate/contact")
	last := nodes[len(nodes)-7:]
	for c := range 7 {
		if math.Abs(last[c]-tip[c]) > 1e-12 {
			t.Errorf("value %d of the last node is %g, of the tip %g", c, last[c], tip[c])
		}
	}
	for c := range 3 {
		if math.Abs(at[c]-tip[c]) > 1e-12 {
			t.Errorf("coordinate %d of the contact is %g, of the tip %g", c, at[c], tip[c])
		}
	}
	if x := gauge(t, o, "estimate_lost"); x != 0 {
		t.Errorf("estimate_lost %g", x)
	}
}

// TestLostEstimateIsTold wants an estimate that does not fit to be told, and to be found again, while the robot goes on.
func TestLostEstimateIsTold(t *testing.T) {
	o, err := newObserver(strings.Replace(small, "noise: 0.0003", "noise: 0.00003", 1) + `{force: {walk_n: 0.00001, steady_s: 0}}`)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(o.Ports(), func(p sim.Port) bool { return p.Name == "external_wrench" })
	for step := range 700 {
		switch step {
		case 100:
			if x := gauge(t, o, "estimate_lost"); x != 0 {
				t.Errorf("estimate_lost %g before there is a force", x)
			}
			o.Command(i, []float64{0, 0.3, 0, 0, 0, 0, 0}) // which such a walk does not reach
		case 500:
			if x := gauge(t, o, "estimate_lost"); x != 1 {
				t.Errorf("estimate_lost %g, innovation of the tracker %g", x, gauge(t, o, "innovation_tracker"))
			}
		}
		if err := o.Step(0.001); err != nil {
			t.Fatal(err)
		}
	}
}
