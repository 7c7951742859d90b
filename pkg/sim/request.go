package sim

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Verb is what a Request asks for.
type Verb uint8

// The verbs.
const (
	Enable Verb = iota + 1
	Disable
	Pause
	Resume
	Reset
	EStop
	Step
	SaveState
	RestoreState
	TakeCommand
	// reconfigure is the verb of Reconfigure. A Request cannot have it.
	reconfigure
)

var verbNames = [...]string{
	Enable: "enable", Disable: "disable", Pause: "pause", Resume: "resume",
	Reset: "reset", EStop: "e_stop", Step: "step", SaveState: "save_state",
	RestoreState: "restore_state", TakeCommand: "take_command",
}

// String returns the word that ParseRequest understands.
func (v Verb) String() string {
	if v >= Enable && int(v) < len(verbNames) {
		return verbNames[v]
	}
	return "unknown"
}

// Request asks the loop to do something between two control periods.
type Request struct {
	Verb Verb // what to do
	// Steps is the number of control periods of a Step, at least 1.
	Steps uint64
}

// String returns the text that ParseRequest turns back into r.
func (r Request) String() string {
	if r.Verb == Step {
		return "step " + strconv.FormatUint(r.Steps, 10)
	}
	return r.Verb.String()
}

// Reply answers a Request.
type Reply struct {
	OK      bool    // whether the request was done
	Message string  // for people: what was done, or why not
	SimTime float64 // s, after the request
}

// MaxSteps is the greatest number of control periods that one Step may ask for.
const MaxSteps = 1_000_000_000

var errSteps = fmt.Errorf("step needs a number of control periods from 1 to %d, for example \"step 10\"", MaxSteps)

// check returns what is wrong with r.
func (r Request) check() error {
	switch {
	case r.Verb < Enable || int(r.Verb) >= len(verbNames):
		return errors.New("unknown request")
	case r.Verb == Step && (r.Steps < 1 || r.Steps > MaxSteps):
		return errSteps
	}
	return nil
}

// ParseRequest reads a request as people type it: enable, disable, pause,
// resume, reset, e_stop, save_state, restore_state, take_command, or "step 10". Space around
// the words does not matter.
func ParseRequest(text string) (Request, error) {
	const longest = 64 // no request is longer; do not echo more than that
	if len(text) > longest {
		return Request{}, fmt.Errorf("unknown request of %d bytes", len(text))
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		return Request{}, errors.New("empty request")
	}
	for v := Enable; int(v) < len(verbNames); v++ {
		if words[0] != verbNames[v] {
			continue
		}
		r := Request{Verb: v}
		if v == Step {
			return parseStep(words[1:])
		}
		if len(words) > 1 {
			return Request{}, fmt.Errorf("%s takes no argument, got %q", v, words[1])
		}
		return r, nil
	}
	return Request{}, fmt.Errorf("unknown request %q; known are %s and step N",
		words[0], strings.Join(withoutStep(), ", "))
}

// parseStep reads the arguments of a step request.
func parseStep(args []string) (Request, error) {
	if len(args) != 1 {
		return Request{}, errSteps
	}
	n, err := strconv.ParseUint(args[0], 10, 64)
	r := Request{Verb: Step, Steps: n}
	if err != nil || r.check() != nil {
		return Request{}, fmt.Errorf("%w; got %q", errSteps, args[0])
	}
	return r, nil
}

// withoutStep returns the names of the verbs that take no argument.
func withoutStep() []string {
	var names []string
	for v := Enable; int(v) < len(verbNames); v++ {
		if v != Step {
			names = append(names, verbNames[v])
		}
	}
	return names
}
