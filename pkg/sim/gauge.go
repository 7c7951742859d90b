package sim

import (
	"fmt"
	"slices"
	"strings"
)

// Gauge describes one number about the health of a model.
type Gauge struct {
	Key  string // name in snake_case, for example "newton_iterations"
	Unit string // SI unit of the value, or empty
	// Warn is the value above which the gauge deserves attention; 0 means never.
	Warn float64
	// Hint says what a value above Warn means, in words that can follow a colon; it
	// may be empty.
	Hint string
	// Accept is the name by which a robot file accepts values above Warn; empty where it
	// cannot.
	Accept string
}

// Keys of the gauges in which models count the steps that did not converge as a whole.
// Gauges of these keys never fall but by Restore.
const (
	// DividedSteps were taken in parts.
	DividedSteps = "divided_steps"
	// UnconvergedSteps could not be taken in parts either, and were not taken.
	UnconvergedSteps = "unconverged_steps"
)

// AcceptGauges takes their warnings from the gauges whose names are among those accepted.
func AcceptGauges[Name ~string](gauges []Gauge, accepted []Name) {
	for i := range gauges {
		if g := &gauges[i]; g.Accept != "" && slices.Contains(accepted, Name(g.Accept)) {
			g.Warn = 0
		}
	}
}

// Warning says that the gauge has reached a value above Warn. It is empty for any
// other value.
func (g *Gauge) Warning(value float64) string {
	if !(g.Warn > 0 && value > g.Warn) {
		return ""
	}
	text := fmt.Sprintf("%s reached %s, above %g", g.Key, strings.TrimSpace(fmt.Sprintf("%.6g %s", value, g.Unit)), g.Warn)
	if g.Hint != "" {
		text += ": " + g.Hint
	}
	if g.Accept != "" {
		text += fmt.Sprintf(" (accept: [%s] if it is meant)", g.Accept)
	}
	return text
}
