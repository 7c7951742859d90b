package program

import (
	"sinew/cmd/internal/progress"
	"sinew/pkg/sim/robotfile"
)

// RodOrMechanism returns a Robot.File for robot files of one rod and of mechanisms. A file with rods, bodies or joints is of a mechanism.
func RodOrMechanism(rod, mechanism func() File) func() File {
	return func() File { return &alternative{rod(), mechanism()} }
}

// alternative reads files as of one rod and as of a mechanism, and is what they turn out to be.
type alternative struct{ rod, mechanism File }

// chosen returns the one that the files are of.
func (f *alternative) chosen() File {
	if m, ok := f.mechanism.(interface{ IsMechanism() bool }); ok && m.IsMechanism() {
		return f.mechanism
	}
	return f.rod
}

// Merge implements File.
func (f *alternative) Merge(name string, data []byte) {
	f.rod.Merge(name, data)
	f.mechanism.Merge(name, data)
}

// Set implements File.
func (f *alternative) Set(path, value, source string) {
	f.rod.Set(path, value, source)
	f.mechanism.Set(path, value, source)
}

// Clone implements File.
func (f *alternative) Clone() File { return &alternative{f.rod.Clone(), f.mechanism.Clone()} }

// Has implements File.
func (f *alternative) Has(path string) bool { return f.chosen().Has(path) }

// Hint implements File.
func (f *alternative) Hint(path string) string { return f.chosen().Hint(path) }

// Make implements File.
func (f *alternative) Make() (*Instance, error) { return f.chosen().Make() }

// Watch implements File.
func (f *alternative) Watch(bar *progress.Bar) {
	f.rod.Watch(bar)
	f.mechanism.Watch(bar)
}

// Print implements File.
func (f *alternative) Print() ([]byte, error) { return f.chosen().Print() }

// Numbers implements File.
func (f *alternative) Numbers() ([]robotfile.Number, error) { return f.chosen().Numbers() }

// Overridden implements File.
func (f *alternative) Overridden(path string) []string { return f.chosen().Overridden(path) }

// OverlayOn implements File.
func (f *alternative) OverlayOn(given func(path string) bool, comments map[string]string) ([]byte, error) {
	return f.chosen().OverlayOn(given, comments)
}

// Gives implements File.
func (f *alternative) Gives(path string) bool { return f.chosen().Gives(path) }
