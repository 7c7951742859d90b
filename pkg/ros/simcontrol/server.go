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

// Options say which simulator is served.
type Options struct {
	// Arrive is called when a request arrives; what it returns does requests to the
	// simulator, as long as what arrives later does not stop the robot.
	Arrive func() func(sim.Request) sim.Reply
	// Condition is its operating state and the reason for it, SimTime its time, s.
	Condition func() (sim.OperatingState, string)
	SimTime   func() float64
	// Pose is the newest pose of the robot and its velocity, in the frame of the pose; nil
	// before there is one.
	Pose func() (*geometry_msgs.PoseStamped, *geometry_msgs.TwistStamped)
	// End ends the program, after the answer is on its way.
	End func()
	// Entity is the name of the robot.
	Entity string
	// Info is said beside the features.
	Info string
}

// server answers the services.
type server struct {
	Options
	mu        sync.Mutex
	stopped   bool    // at the beginning on request
	stoppedAt float64 // simulated time then, s
}

// Serve opens the services on a network of ROS 2. resolve makes absolute names of private
// ones.
func Serve(t ros.Transport, resolve func(string) (string, error), o Options) error {
	s := &server{Options: o}
	for _, v := range []struct {
		name   string
		kind   *msgs.Service
		handle ros.Handler
	}{
		{"~get_simulator_features", si.GetSimulatorFeatures, ros.AnyOrder(s.features)},
		{"~get_simulation_state", si.GetSimulationState, ros.AnyOrder(s.getState)},
		{"~set_simulation_state", si.SetSimulationState, s.arriving(s.setState)},
		{"~step_simulation", si.StepSimulation, s.arriving(s.step)},
		{"~reset_simulation", si.ResetSimulation, s.arriving(s.reset)},
		{"~get_entity_state", si.GetEntityState, ros.AnyOrder(s.entity)},
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

// arriving is the handler of a service that changes something, with what does that.
func (s *server) arriving(handle func(msgs.Message, func(sim.Request) sim.Reply) msgs.Message) ros.Handler {
	return func(m msgs.Message) func() msgs.Message {
		do := s.Arrive()
		return func() msgs.Message { return handle(m, do) }
	}
}

// result is an outcome with a word about it.
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

// entity tells where the robot is. The acceleration is not known.
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

// step simulates some control periods and waits for them.
func (s *server) step(m msgs.Message, do func(sim.Request) sim.Reply) msgs.Message {
	if state, _ := s.Condition(); state != sim.Paused {
		return &si.StepSimulationResponse{Result: result(si.ResultResultIncorrectState, "%s: steps only while paused", state)}
	}
	reply := do(sim.Request{Verb: sim.Step, Steps: m.(*si.StepSimulationRequest).Steps})
	return &si.StepSimulationResponse{Result: outcome(reply, si.ResultResultOperationFailed)}
}

// outcome is a reply as a result; failed is the code where it was refused.
func outcome(r sim.Reply, failed uint8) si.Result {
	if r.OK {
		return done
	}
	return result(failed, "%s", r.Message)
}

// reset goes back to the beginning, state and time together.
func (s *server) reset(m msgs.Message, do func(sim.Request) sim.Reply) msgs.Message {
	const both = si.ResetSimulationRequestScopeTime | si.ResetSimulationRequestScopeState
	scope := m.(*si.ResetSimulationRequest).Scope
	if scope != si.ResetSimulationRequestScopeDefault && scope&both != both {
		return &si.ResetSimulationResponse{Result: result(si.ResultResultFeatureUnsupported, "scope %d: state and time are reset together, nothing is spawned; allowed: 0, 3, 7, 255", scope)}
	}
	return &si.ResetSimulationResponse{Result: outcome(do(sim.Request{Verb: sim.Reset}), si.ResultResultOperationFailed)}
}
