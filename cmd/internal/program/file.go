package program

import (
	"errors"
	"fmt"
	"strings"

	"sinew/cmd/internal/progress"
	"sinew/pkg/sim/environment"
	"sinew/pkg/sim/lint"
	"sinew/pkg/sim/robotfile"
)

// File is a robot file under construction: files and single values that override one
// another. Make returns all mistakes at once.
type File interface {
	// Merge overrides the content with a file; name stands in error messages.
	Merge(name string, data []byte)
	// Set overrides one value; path is written with dots or slashes, source names the origin of
	// the value in error messages.
	Set(path, value, source string)
	// Clone returns a deep copy.
	Clone() File
	// Has reports whether path is a key of the file.
	Has(path string) bool
	// Hint suggests a key for an unknown path; it is empty if no key is similar.
	Hint(path string) string
	// Make checks everything and makes the robot.
	Make() (*Instance, error)
	// Watch shows on a bar what takes long in Make; nil: nowhere.
	Watch(bar *progress.Bar)

	// Print writes the complete file, every default filled in.
	Print() ([]byte, error)
	// Numbers lists the real numbers of the file.
	Numbers() ([]robotfile.Number, error)
	// Overridden returns the keys that replace a number wherever it would have an effect.
	Overridden(path string) []string
	// OverlayOn writes the numbers that have a comment, by path, as an override of a file that gives the keys for
	// which given returns true.
	OverlayOn(given func(path string) bool, comments map[string]string) ([]byte, error)
	// Gives reports whether the file gives a key. Call Numbers first.
	Gives(path string) bool
}

// RefuseOverridden returns an error for numbers of a robot file that have no effect because other
// keys replace them. Call base.Numbers first.
func RefuseOverridden(base File, paths []string) error {
	var err error
	for _, p := range paths {
		by := base.Overridden(p)
		if by == nil {
			return nil
		}
		err = fmt.Errorf("%s has no effect: %s %s given instead everywhere; use these, or remove one of them from the robot file",
			p, strings.Join(by, ", "), map[bool]string{true: "is", false: "are"}[len(by) == 1])
	}
	return err
}

// WithoutObserver removes the observer from a file, for verbs that show no estimate: an ensemble takes many times as long as the robot.
func WithoutObserver(f File) {
	if f.Has("observer") {
		f.Set("observer", "null", "none is needed")
	}
}

// Files returns a Robot.File for robot files of type T. make makes a robot of one.
func Files[T robotfile.Robot](make func(*T) (*Instance, error)) func() File {
	return WatchedFiles(func(f *T, _ *progress.Bar) (*Instance, error) { return make(f) })
}

// WatchedFiles is Files for a make that shows what takes long on a bar, which may be nil.
func WatchedFiles[T robotfile.Robot](make func(*T, *progress.Bar) (*Instance, error)) func() File {
	return func() File { return &typedFile[T]{make: make} }
}

// typedFile is a File of type T.
type typedFile[T robotfile.Robot] struct {
	robotfile.Draft[T]
	make func(*T, *progress.Bar) (*Instance, error)
	bar  *progress.Bar
}

// Clone implements File.
func (f *typedFile[T]) Clone() File { return &typedFile[T]{Draft: f.Draft.Clone(), make: f.make} }

// Watch implements File.
func (f *typedFile[T]) Watch(bar *progress.Bar) { f.bar = bar }

// Make implements File.
func (f *typedFile[T]) Make() (*Instance, error) {
	r, err := f.Robot()
	if err != nil {
		return nil, err
	}
	made, err := f.make(r, f.bar)
	var k *KeyError
	var failed *SolverError
	var shape *environment.ShapeError
	switch {
	case errors.As(err, &k):
		return nil, fmt.Errorf("%s: %w", f.Location(k.Key), err)
	case errors.As(err, &shape):
		return nil, fmt.Errorf("%s: %w", f.Location(shape.Key()), err)
	case err != nil && !errors.As(err, &failed): // keys that exclude one another
		return nil, fmt.Errorf("%s: %w", f.Location("solver.method"), err)
	}
	if err == nil {
		made.Warnings = addLint(&f.Draft, r, made)
		made.DisabledTopics = disabledTopics(r)
		made.Running = newLiveFile(r, made.Timing, f.make)
		made.Text = func() []byte { return robotfile.Print(r) }
		made.Files = namedFiles(r)
	}
	return made, err
}

// addLint returns the warnings of a robot with those about suspicious values and meshes.
func addLint[T robotfile.Robot](d *robotfile.Draft[T], r *T, made *Instance) []robotfile.Mistake {
	meshes := lint.Meshes(made.MeshFindings)
	switch r := any(r).(type) {
	case *robotfile.Continuum:
		d.AddFindings(append(lint.Continuum(r, d.Given, d.Source, made.ShapeDistances), meshes...), r.Accept)
	case *robotfile.Mechanism:
		d.AddFindings(nil, r.Accept)
	case *robotfile.Microrobot:
		d.AddFindings(append(lint.Microrobot(r, d.Given, made.ShapeDistances), meshes...), r.Accept)
	}
	return d.Warnings()
}

// Print implements File.
func (f *typedFile[T]) Print() ([]byte, error) {
	r, err := f.Robot()
	if err != nil {
		return nil, err
	}
	return robotfile.Print(r), nil
}

// Numbers implements File.
func (f *typedFile[T]) Numbers() ([]robotfile.Number, error) {
	r, err := f.Robot()
	if err != nil {
		return nil, err
	}
	return robotfile.Numbers(r), nil
}
