package simcontrol

import (
	"fmt"
	"strings"
	"sync"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	si "sinew/msgs/simulation_interfaces"
	"sinew/pkg/ros"
	"sinew/pkg/sim"
)

// Options connect the services to a simulator.
type Options struct {
	// Arrive is called when a request arrives. The returned function executes requests to the
	// simulator, unless a request that has arrived since has stopped the robot.
	Arrive func() func(sim.Request) sim.Reply
	// Condition returns the operating state and its reason, SimTime the simulated time, s.
	Condition func() (sim.OperatingState, string)
	SimTime   func() float64
	// Pose returns the newest pose of the robot and its velocity, in the frame of the pose; nil
	// before the first.
	Pose func() (*geometry_msgs.PoseStamped, *geometry_msgs.TwistStamped)
	// End ends the program after the response has been sent.
	End func()
	// Entity is the name of the robot.
	Entity string
	// Info is the text beside the features.
	Info string
}

// server implements the services.
type server struct {
	Options
	mu        sync.Mutex
	stopped   bool    // at the initial state on request
	stoppedAt float64 // simulated time then, s
}

// Serve opens the services on a network of ROS 2. resolve makes private names absolute.
func Serve(t ros.Transport, resolve func(string) (string, error), o Options) error {
	s := &server{Options: o}
	for _, v := range []struct {
		name   string
		kind   *msgs.Service
		handle ros.Handler
	}{
		{"~get_simulator_features", si.GetSimulatorFeatures, ros.Deferred(s.features)},
		{"~get_simulation_state", si.GetSimulationState, ros.Deferred(s.getState)},
		{"~set_simulation_state", si.SetSimulationState, s.arriving(s.setState)},
		{"~step_simulation", si.StepSimulation, s.arriving(s.step)},
		{"~reset_simulation", si.ResetSimulation, s.arriving(s.reset)},
		{"~get_entity_state", si.GetEntityState, ros.Deferred(s.entity)},
	} {
		name, err := resolve(v.name)
		if err == nil {
			err = ros.OpenService(t, name, v.kind, v.handle)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// arriving returns the handler of a service that changes the simulator.
func (s *server) arriving(handle func(msgs.Message, func(sim.Request) sim.Reply) msgs.Message) ros.Handler {
	return func(m msgs.Message) func() msgs.Message {
		do := s.Arrive()
		return func() msgs.Message { return handle(m, do) }
	}
}

// result returns a result with a message.
func result(code uint8, format string, a ...any) si.Result {
	return si.Result{Result: code, ErrorMessage: fmt.Sprintf(format, a...)}
}

var done = si.Result{Result: si.ResultResultOk}

func (s *server) features(msgs.Message) msgs.Message {
	return &si.GetSimulatorFeaturesResponse{Features: si.SimulatorFeatures{
		Features: []uint16{
			si.SimulatorFeaturesEntityStateGetting, si.SimulatorFeaturesSimulationReset,
			si.SimulatorFeaturesSimulationStateGetting, si.SimulatorFeaturesSimulationStateSetting, si.SimulatorFeaturesSimulationStatePause,
			si.SimulatorFeaturesStepSimulationSingle, si.SimulatorFeaturesStepSimulationMultiple,
		},
		CustomInfo: s.Info,
	}}
}

// entity returns pose and velocity of the robot. The acceleration is unknown.
func (s *server) entity(m msgs.Message) msgs.Message {
	name := strings.TrimPrefix(m.(*si.GetEntityStateRequest).Entity, "/")
	if name != s.Entity {
		return &si.GetEntityStateResponse{Result: result(si.ResultResultNotFound, "no entity %.100q; the robot is %q", name, s.Entity)}
	}
	pose, twist := s.Pose()
	if pose == nil {
		return &si.GetEntityStateResponse{Result: result(si.ResultResultOperationFailed, "the robot has no pose yet")}
	}
	r := &si.GetEntityStateResponse{Result: done, State: si.EntityState{Header: pose.Header, Pose: pose.Pose}}
	if twist != nil {
		r.State.Twist = twist.Twist
	}
	return r
}

// step simulates some control periods and waits for their end.
func (s *server) step(m msgs.Message, do func(sim.Request) sim.Reply) msgs.Message {
	if state, _ := s.Condition(); state != sim.Paused {
		return &si.StepSimulationResponse{Result: result(si.ResultResultIncorrectState, "%s: steps only while paused", state)}
	}
	reply := do(sim.Request{Verb: sim.Step, Steps: m.(*si.StepSimulationRequest).Steps})
	return &si.StepSimulationResponse{Result: outcome(reply, si.ResultResultOperationFailed)}
}

// outcome returns a reply as a result; failed is the code of a refusal.
func outcome(r sim.Reply, failed uint8) si.Result {
	if r.OK {
		return done
	}
	return result(failed, "%s", r.Message)
}

// reset resets state and time together.
func (s *server) reset(m msgs.Message, do func(sim.Request) sim.Reply) msgs.Message {
	const both = si.ResetSimulationRequestScopeTime | si.ResetSimulationRequestScopeState
	scope := m.(*si.ResetSimulationRequest).Scope
	if scope != si.ResetSimulationRequestScopeDefault && scope&both != both {
		return &si.ResetSimulationResponse{Result: result(si.ResultResultFeatureUnsupported, "scope %d: state and time are reset together, nothing is spawned; allowed: 0, 3, 7, 255", scope)}
	}
	return &si.ResetSimulationResponse{Result: outcome(do(sim.Request{Verb: sim.Reset}), si.ResultResultOperationFailed)}
}
