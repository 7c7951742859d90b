package sim

// OperatingState is the state of a simulator as operators see it, after the
// collaborative robotics toolkit (CRTK).
type OperatingState uint8

// The operating states.
const (
	// Disabled: commands are refused, actuation ramps to its safe values, time
	// goes on.
	Disabled OperatingState = iota
	// Enabled: commands take effect, time goes on.
	Enabled
	// Paused: time stands; commands are kept for when it goes on.
	Paused
	// Fault: as Disabled, and only Enable leaves it. After a failed step time
	// stands as well.
	Fault
)

var stateNames = [...]string{"DISABLED", "ENABLED", "PAUSED", "FAULT"}

// String is the CRTK name, in capitals.
func (s OperatingState) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "UNDEFINED"
}

// Accepts reports whether commands are accepted in this state.
func (s OperatingState) Accepts() bool { return s == Enabled || s == Paused }

// transition is the outcome of asking for a change of state.
type transition struct {
	to      OperatingState
	refused string // why nothing changes, or empty
}

// after is the table of transitions: what verb does in state s. Verbs that
// leave the state alone are not in it.
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

// Why the simulator is in the state it is in, and why it stays there.
const (
	leaveFault       = "FAULT: only enable leaves this state"
	reasonDisabled   = "disabled on request"
	reasonStartedOff = "started disabled"
	reasonPaused     = "paused on request"
)

// ReasonEStop is the Reason of a FAULT that was asked for, not found.
const ReasonEStop = "emergency stop"
