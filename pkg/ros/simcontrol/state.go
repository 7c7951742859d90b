package simcontrol

import (
	"sinew/msgs"
	si "sinew/msgs/simulation_interfaces"
	"sinew/pkg/sim"
)

// state returns the state of simulated time, and a note about an operating state that it does not
// show.
func (s *server) state() (now uint8, note string) {
	state, reason := s.Condition()
	switch {
	case state != sim.Paused && state != sim.Enabled:
		return si.SimulationStateStatePlaying, state.String() + ": " + reason
	case state != sim.Paused:
		return si.SimulationStateStatePlaying, ""
	case s.stopped && s.SimTime() == s.stoppedAt:
		return si.SimulationStateStateStopped, ""
	}
	return si.SimulationStateStatePaused, ""
}

func (s *server) getState(msgs.Message) msgs.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, note := s.state()
	return &si.GetSimulationStateResponse{State: si.SimulationState{State: now}, Result: result(si.ResultResultOk, "%s", note)}
}

func (s *server) setState(m msgs.Message, do func(sim.Request) sim.Reply) msgs.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &si.SetSimulationStateResponse{Result: s.goTo(m.(*si.SetSimulationStateRequest).State.State, do)}
}

// goTo changes the state of simulated time.
func (s *server) goTo(wanted uint8, do func(sim.Request) sim.Reply) si.Result {
	const failed = si.SetSimulationStateResponseStateTransitionError
	now, note := s.state()
	if wanted == now {
		return result(si.SetSimulationStateResponseAlreadyInTargetState, "%s", note)
	}
	switch wanted {
	case si.SimulationStateStatePlaying:
		return outcome(do(sim.Request{Verb: sim.Resume}), failed)
	case si.SimulationStateStatePaused:
		s.stopped = false
		if now == si.SimulationStateStateStopped {
			return done
		}
		return outcome(do(sim.Request{Verb: sim.Pause}), failed)
	case si.SimulationStateStateStopped:
		return s.stop(now, do)
	case si.SimulationStateStateQuitting:
		s.End()
		return done
	}
	return result(si.SetSimulationStateResponseIncorrectTransition, "state %d; allowed: 0 to 3", wanted)
}

// stop pauses and resets.
func (s *server) stop(now uint8, do func(sim.Request) sim.Reply) si.Result {
	if now == si.SimulationStateStatePlaying {
		if r := do(sim.Request{Verb: sim.Pause}); !r.OK {
			return outcome(r, si.SetSimulationStateResponseStateTransitionError)
		}
	}
	r := do(sim.Request{Verb: sim.Reset})
	if r.OK {
		s.stopped, s.stoppedAt = true, r.SimTime
	}
	return outcome(r, si.SetSimulationStateResponseStateTransitionError)
}
