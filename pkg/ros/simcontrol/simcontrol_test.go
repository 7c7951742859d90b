package simcontrol_test

import (
	"slices"
	"strings"
	"testing"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	si "sinew/msgs/simulation_interfaces"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/simcontrol"
	"sinew/pkg/sim"
)

// network keeps what is served.
type network struct {
	ros.Transport
	services map[string]ros.Handler
}

func (n *network) Serve(name string, _ *msgs.Service, handle ros.Handler) error {
	n.services[name] = handle
	return nil
}

// simulator has operating states and a time that steps move by a millisecond.
type simulator struct {
	state sim.OperatingState
	time  float64
	ended int
	pose  *geometry_msgs.PoseStamped
}

func (s *simulator) do(q sim.Request) sim.Reply {
	no := sim.Reply{Message: s.state.String() + ": no " + q.String(), SimTime: s.time}
	switch {
	case q.Verb == sim.Reset:
		s.time = 0
	case q.Verb == sim.Pause && s.state == sim.Enabled:
		s.state = sim.Paused
	case q.Verb == sim.Resume && s.state == sim.Paused:
		s.state = sim.Enabled
	case q.Verb == sim.Step && s.state == sim.Paused && q.Steps > 0:
		s.time += float64(q.Steps) * 1e-3
	default:
		return no
	}
	return sim.Reply{OK: true, SimTime: s.time}
}

func open(t *testing.T) (*simulator, *network) {
	t.Helper()
	s, n := &simulator{state: sim.Enabled, time: 5}, &network{services: map[string]ros.Handler{}}
	err := simcontrol.Serve(n, func(name string) (string, error) { return strings.Replace(name, "~", "/lab/left/", 1), nil }, simcontrol.Options{
		Arrive: func() func(sim.Request) sim.Reply { return s.do }, Condition: func() (sim.OperatingState, string) { return s.state, "why" }, SimTime: func() float64 { return s.time },
		Pose: func() (*geometry_msgs.PoseStamped, *geometry_msgs.TwistStamped) {
			return s.pose, &geometry_msgs.TwistStamped{Twist: geometry_msgs.Twist{Linear: geometry_msgs.Vector3{Y: 2}}}
		},
		End: func() { s.ended++ }, Entity: "lab/left", Info: "about",
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, n
}

func (n *network) set(state uint8) si.Result {
	return n.services["/lab/left/set_simulation_state"](&si.SetSimulationStateRequest{State: si.SimulationState{State: state}})().(*si.SetSimulationStateResponse).Result
}

func (n *network) get() (uint8, string) {
	r := n.services["/lab/left/get_simulation_state"](&si.GetSimulationStateRequest{})().(*si.GetSimulationStateResponse)
	return r.State.State, r.Result.ErrorMessage
}

func (n *network) step(steps uint64) si.Result {
	return n.services["/lab/left/step_simulation"](&si.StepSimulationRequest{Steps: steps})().(*si.StepSimulationResponse).Result
}

func (n *network) reset(scope uint8) si.Result {
	return n.services["/lab/left/reset_simulation"](&si.ResetSimulationRequest{Scope: scope})().(*si.ResetSimulationResponse).Result
}

const (
	stopped = si.SimulationStateStateStopped
	playing = si.SimulationStateStatePlaying
	paused  = si.SimulationStateStatePaused
)

// The states of the interface, in the orders that it allows.
func TestStates(t *testing.T) {
	s, n := open(t)
	for i, c := range []struct {
		set, result, state uint8
		robot              sim.OperatingState
	}{
		{playing, 101, playing, sim.Enabled}, {paused, 1, paused, sim.Paused}, {paused, 101, paused, sim.Paused}, {playing, 1, playing, sim.Enabled},
		{stopped, 1, stopped, sim.Paused}, {stopped, 101, stopped, sim.Paused}, {paused, 1, paused, sim.Paused},
		{stopped, 1, stopped, sim.Paused}, {playing, 1, playing, sim.Enabled}, {9, 103, playing, sim.Enabled},
	} {
		s.time += 1e-3 * float64(map[bool]int{true: 1}[s.state == sim.Enabled])
		r := n.set(c.set)
		if state, _ := n.get(); r.Result != c.result || state != c.state || s.state != c.robot {
			t.Errorf("%d: set %d: %+v, state %d, robot %v; want %+v", i, c.set, r, state, s.state, c)
		}
	}
	s.state = sim.Fault
	if state, note := n.get(); state != playing || note != "FAULT: why" {
		t.Errorf("in FAULT: %d, %q", state, note)
	}
	if r := n.set(paused); r.Result != 102 || r.ErrorMessage == "" {
		t.Errorf("pausing a FAULT: %+v", r)
	}
	if r := n.set(stopped); r.Result != 102 {
		t.Errorf("stopping a FAULT: %+v", r)
	}
	if r := n.set(3); r.Result != 1 || s.ended != 1 {
		t.Errorf("quitting: %+v, ended %d times", r, s.ended)
	}
}

// Steps are taken while paused; a stopped simulation that has stepped is a paused one.
func TestSteps(t *testing.T) {
	s, n := open(t)
	if r := n.step(3); r.Result != 3 || !strings.Contains(r.ErrorMessage, "ENABLED") || s.time != 5 {
		t.Errorf("while playing: %+v", r)
	}
	n.set(stopped)
	if r := n.step(3); r.Result != 1 || s.time != 3e-3 {
		t.Errorf("three steps: %+v, %g s", r, s.time)
	}
	if state, _ := n.get(); state != paused {
		t.Errorf("after steps the state is %d", state)
	}
	if r := n.step(0); r.Result != 4 || r.ErrorMessage == "" {
		t.Errorf("no step: %+v", r)
	}
}

// State and time are reset together or not at all.
func TestReset(t *testing.T) {
	for scope, want := range map[uint8]uint8{0: 1, 255: 1, 3: 1, 7: 1, 1: 0, 2: 0, 4: 0} {
		s, n := open(t)
		r := n.reset(scope)
		if r.Result != want || (s.time == 0) != (want == 1) || (want == 1) != (r.ErrorMessage == "") {
			t.Errorf("scope %d: %+v, time %g; want result %d", scope, r, s.time, want)
		}
	}
}

// The robot is the one entity.
func TestEntity(t *testing.T) {
	s, n := open(t)
	ask := func(name string) *si.GetEntityStateResponse {
		return n.services["/lab/left/get_entity_state"](&si.GetEntityStateRequest{Entity: name})().(*si.GetEntityStateResponse)
	}
	if r := ask("lab/left"); r.Result.Result != 4 {
		t.Errorf("without a pose: %+v", r)
	}
	s.pose = &geometry_msgs.PoseStamped{Header: std_msgs.Header{FrameID: "world", Stamp: 9}, Pose: geometry_msgs.Pose{Position: geometry_msgs.Point{X: 1}}}
	for _, name := range []string{"lab/left", "/lab/left"} {
		if r := ask(name); r.Result.Result != 1 || r.State.Header.FrameID != "world" || r.State.Header.Stamp != 9 || r.State.Pose.Position.X != 1 || r.State.Twist.Linear.Y != 2 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := ask("left"); r.Result.Result != 2 || !strings.Contains(r.Result.ErrorMessage, `"lab/left"`) {
		t.Errorf("another name: %+v", r)
	}
}

// Each reported feature exists.
func TestFeatures(t *testing.T) {
	_, n := open(t)
	f := n.services["/lab/left/get_simulator_features"](&si.GetSimulatorFeaturesRequest{})().(*si.GetSimulatorFeaturesResponse).Features
	if !slices.Equal(f.Features, []uint16{10, 20, 24, 25, 26, 31, 32}) || f.CustomInfo != "about" || len(f.SpawnFormats) != 0 {
		t.Errorf("%+v", f)
	}
}
