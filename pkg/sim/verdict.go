package sim

import "errors"

// Verdict is what became of a command.
type Verdict uint8

// The verdicts. Accepted and Clamped commands take effect; after any other the
// last good command stays.
const (
	// Accepted: every value was within its limits.
	Accepted Verdict = iota
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
	// NotEnabled: the simulator is DISABLED, PAUSED with no step at work, or in FAULT.
	NotEnabled
	// Stale: the command is older than the receiver allows, or stamped in the future.
	Stale
	// NotInCommand: another source commands the group.
	NotInCommand
	// Overflow: in lock-step, more commands are waiting than the queue holds.
	Overflow
	// Unreadable: the message could not be understood at all.
	Unreadable

	// NumVerdicts is the number of verdicts.
	NumVerdicts = int(iota)
)

var verdictNames = [NumVerdicts]string{
	"accepted", "clamped", "not_finite", "out_of_range", "wrong_length", "unknown_name",
	"unknown_frame", "not_enabled", "stale", "not_in_command", "overflow", "unreadable",
}

var verdictErrors = [NumVerdicts]error{
	NotFinite:    errors.New("command refused: a value is not a finite number"),
	OutOfRange:   errors.New("command refused: a value is out of range"),
	WrongLength:  errors.New("command refused: wrong number of values"),
	UnknownName:  errors.New("command refused: unknown or repeated name"),
	UnknownFrame: errors.New("command refused: unknown frame"),
	NotEnabled:   errors.New("command refused: the simulator is not enabled"),
	Stale:        errors.New("command refused: it is too old"),
	NotInCommand: errors.New("command refused: another source commands"),
	Overflow:     errors.New("command refused: too many commands are waiting"),
	Unreadable:   errors.New("command refused: unreadable message"),
}

// String returns the name of v in snake_case, fit for a diagnostics key.
func (v Verdict) String() string {
	if int(v) < NumVerdicts {
		return verdictNames[v]
	}
	return "unknown_verdict"
}

// OK reports whether the command took effect.
func (v Verdict) OK() bool { return v <= Clamped }

// Err returns nil for a command that took effect, otherwise the reason why not.
func (v Verdict) Err() error {
	if int(v) < NumVerdicts {
		return verdictErrors[v]
	}
	return errors.New("command refused")
}
