package sim

// OperatingState is the state of a simulator as operators see it, after the
// collaborative robotics toolkit (CRTK).
type OperatingState uint8

// The operating states.
const (
	// Disabled refuses commands and ramps actuation to its safe values; time goes
	// on.
	Disabled OperatingState = iota
	// Enabled takes commands; time advances.
	Enabled
	// Paused refuses commands unless a Step request is at work; time stands still,
	// and the actuators stay as they are.
	Paused
	// Fault acts as Disabled does, and only Enable leaves it. After a failed step
	// time stands still as well.
	Fault
)

var stateNames = [...]string{"DISABLED", "ENABLED", "PAUSED", "FAULT"}

// String returns the CRTK name, in capitals.
func (s OperatingState) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "UNDEFINED"
}

// Accepts reports whether commands are accepted in this state.
func (s OperatingState) Accepts() bool { return s == Enabled }

// safe reports whether actuation goes to its safe values in this state.
func (s OperatingState) safe() bool { return s == Disabled || s == Fault }

// transition is the outcome of asking for a change of state.
type transition struct {
	to      OperatingState
	refused string // why nothing changes, or empty
}

// after returns what verb does in state s: it is the table of transitions. Verbs
// that leave the state alone are not in it.
func (s OperatingState) after(verb Verb) transition {
	stay := func(why string) transition { return transition{s, why} }
	switch verb {
	case EStop:
		return transition{Fault, ""}
	case Enable:
		if s == Paused {
			return stay("PAUSED: only resume or disable leave this state")
		}
		return transition{Enabled, ""}
	case Disable:
		if s == Fault {
			return stay(leaveFault)
		}
		return transition{Disabled, ""}
	case Pause, Resume:
		switch {
		case s == Fault:
			return stay(leaveFault)
		case s == Disabled:
			return stay("DISABLED: enable first")
		case verb == Pause:
			return transition{Paused, ""}
		}
		return transition{Enabled, ""}
	}
	return stay("")
}

// These are the reasons for which the simulator is in its state, or stays there.
const (
	leaveFault       = "FAULT: only enable leaves this state"
	reasonDisabled   = "disabled on request"
	reasonStartedOff = "started disabled"
	reasonPaused     = "paused on request"
)

// ReasonEStop is the Snapshot.Reason of a FAULT that an operator asked for.
const ReasonEStop = "emergency stop"
