package identify

import (
	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
)

// File is a robot file in the making, of which models are made again and again.
type File interface {
	// Merge lays a file over what there is; name stands in error messages.
	Merge(name string, data []byte)
	// Set lays one value over what there is; source says in error messages where
	// it came from.
	Set(path, value, source string)
	// Clone returns a file with the same content, of its own.
	Clone() File
	// Print writes the complete file, every default filled in.
	Print() ([]byte, error)
	// Numbers lists the real numbers of the file.
	Numbers() ([]robotfile.Number, error)
	// OverlayOn writes the numbers that have a comment, by path, as a file to be laid over one that gives the keys for
	// which given holds.
	OverlayOn(given func(path string) bool, comments map[string]string) ([]byte, error)
	// Gives reports whether the file gives a key, once its numbers have been asked for.
	Gives(path string) bool
	// Model makes the robot.
	Model() (*Model, error)
}

// Model is a robot made from a file, and what identification has to know of it.
type Model struct {
	sim.Model // in its initial state

	Port          string             // the Out port of the pose that is measured
	InEquilibrium bool               // the initial state is an equilibrium
	StepS         float64            // s
	Hardware      robotfile.Hardware // place of the measurements' frame, and their latency
}

// settler is a model that finds its own equilibrium.
type settler interface{ Equilibrate() error }

// warmStarter is a settler whose search for an equilibrium starts from a reference solution: that
// of a model with similar numbers under the same commands.
type warmStarter interface {
	settler
	KeepReference()
	EquilibrateNear(reference sim.Model) error
	// EquilibrateBySensitivity extrapolates the equilibrium of the reference by its derivative. It
	// returns an error if there is no derivative.
	EquilibrateBySensitivity(reference sim.Model) error
}

// motorised is a model with motors, which can be brought to rest separately.
type motorised interface{ SettleJoints() }

// historyDependent is a model that reports whether its equilibria depend on earlier ones.
type historyDependent interface{ IsHistoryDependent() bool }

// isHistoryDependent reports whether every row of equilibria must be computed.
func (m *Model) isHistoryDependent() bool {
	r, ok := sim.As[historyDependent](m.Model)
	return ok && r.IsHistoryDependent()
}

// settler returns the model as one that finds its own equilibrium, if it does.
func (m *Model) settler() (s settler, ok bool) {
	s, ok = sim.As[settler](m.Model)
	return s, ok
}
