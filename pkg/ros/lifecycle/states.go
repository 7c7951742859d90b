package lifecycle

import (
	lm "sinew/msgs/lifecycle_msgs"
	"sinew/pkg/sim"
)

// The states of the lifecycle that the node has; unconfigured and finalized are only the
// ends of transitions.
var (
	unconfigured = lm.State{ID: lm.StatePrimaryStateUnconfigured, Label: "unconfigured"}
	inactive     = lm.State{ID: lm.StatePrimaryStateInactive, Label: "inactive"}
	active       = lm.State{ID: lm.StatePrimaryStateActive, Label: "active"}
	finalized    = lm.State{ID: lm.StatePrimaryStateFinalized, Label: "finalized"}
)

// stateOf returns the lifecycle state of an operating state.
func stateOf(s sim.OperatingState) lm.State {
	if s == sim.Enabled || s == sim.Paused {
		return active
	}
	return inactive
}

// transition is a transition that may be requested.
type transition struct {
	lm.Transition
	from, to lm.State
	asked    lm.State // the state in which it may be requested
}

// transitions lists all transitions.
var transitions = []transition{
	{lm.Transition{ID: lm.TransitionTransitionConfigure, Label: "configure"}, unconfigured, inactive, inactive},
	{lm.Transition{ID: lm.TransitionTransitionActivate, Label: "activate"}, inactive, active, inactive},
	{lm.Transition{ID: lm.TransitionTransitionInactiveShutdown, Label: "shutdown"}, inactive, finalized, inactive},
	{lm.Transition{ID: lm.TransitionTransitionDeactivate, Label: "deactivate"}, active, inactive, active},
	{lm.Transition{ID: lm.TransitionTransitionActiveShutdown, Label: "shutdown"}, active, finalized, active},
}

// find returns the requested transition in a state: as in rclcpp by its label or, if that is empty,
// by its number.
func find(t lm.Transition, now lm.State) (transition, bool) {
	for _, known := range transitions {
		if known.asked == now && (t.Label == known.Label || t.Label == "" && t.ID == known.ID) {
			return known, true
		}
	}
	return transition{}, false
}

// described returns the descriptions of transitions: of those that may be requested in a state, or
// of all.
func described(now *lm.State) (all []lm.TransitionDescription) {
	for _, t := range transitions {
		if now == nil || t.asked == *now {
			all = append(all, lm.TransitionDescription{Transition: t.Transition, StartState: t.asked, GoalState: t.to})
		}
	}
	return all
}
