package sim

import "errors"

// CommandStatus says whether a command takes effect and, if not, why.
type CommandStatus uint8

// The statuses of a command. Accepted and Clamped commands take effect; after any other the
// last good command stays.
const (
	// Accepted: every value was within its limits.
	Accepted CommandStatus = iota
	// Clamped: accepted after moving values to the nearest limit.
	Clamped
	// NotFinite: a value was NaN or infinite.
	NotFinite
	// OutOfRange: a value is beyond the limits of a Strict port.
	OutOfRange
	// WrongLength: the number of values is not that of the port.
	WrongLength
	// UnknownName: a name is not among the labels of the port, or comes twice.
	UnknownName
	// UnknownFrame: the frame is not among the frames of the port.
	UnknownFrame
	// NotEnabled: the simulator is DISABLED, PAUSED without a current Step request, or in FAULT.
	NotEnabled
	// Stale: the stamp is further from now, past or future, than the command timeout, or from
	// before the simulator was enabled or resumed.
	Stale
	// NotInCommand: another source commands the group.
	NotInCommand
	// Overflow: in lock-step, more commands are waiting than the queue holds.
	Overflow
	// Unreadable: the message could not be understood at all.
	Unreadable

	// NumCommandStatuses is the number of statuses.
	NumCommandStatuses = int(iota)
)

var commandStatusNames = [NumCommandStatuses]string{
	"accepted", "clamped", "not_finite", "out_of_range", "wrong_length", "unknown_name",
	"unknown_frame", "not_enabled", "stale", "not_in_command", "overflow", "unreadable",
}

var commandStatusErrors = [NumCommandStatuses]error{
	NotFinite:    errors.New("command refused: a value is not a finite number"),
	OutOfRange:   errors.New("command refused: a value is out of range"),
	WrongLength:  errors.New("command refused: wrong number of values"),
	UnknownName:  errors.New("command refused: unknown or repeated name"),
	UnknownFrame: errors.New("command refused: unknown frame"),
	NotEnabled:   errors.New("command refused: the simulator is not enabled"),
	Stale:        errors.New("command refused: its stamp is too far from now"),
	NotInCommand: errors.New("command refused: another source commands"),
	Overflow:     errors.New("command refused: too many commands are waiting"),
	Unreadable:   errors.New("command refused: unreadable message"),
}

// String returns the name of c in snake_case, fit for a diagnostics key.
func (c CommandStatus) String() string {
	if int(c) < NumCommandStatuses {
		return commandStatusNames[c]
	}
	return "unknown_status"
}

// OK reports whether the command took effect.
func (c CommandStatus) OK() bool { return c <= Clamped }

// Err returns nil for a command that took effect, otherwise the reason why not.
func (c CommandStatus) Err() error {
	if int(c) < NumCommandStatuses {
		return commandStatusErrors[c]
	}
	return errors.New("command refused")
}
