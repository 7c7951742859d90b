package app

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
)

// Robot is what a program adds to the verbs that all programs share.
type Robot struct {
	Name    string // program and default node name
	Summary string // one line for --help
	// File makes an empty robot file of the program's kind; see Files.
	File func() File
	// Defaults is the complete default robot file, the output of params.
	Defaults func() []byte
	// Shown is the Out port whose position the status line shows.
	Shown string
	// Shape, if not nil, gives the program the verb static.
	Shape *Shape
	// Samples gives the columns of the CSV that sim writes, after t, in order.
	Samples func(ports []sim.Port) []Samples
}

// Samples are CSV columns that show values of an Out port, from First on.
type Samples struct {
	Port    string
	First   int
	Columns []string
}

// File is a robot file in the making: files and single values laid over one
// another. Mistakes are collected and come back from Make, all at once.
type File interface {
	// MergeBuiltin lays the built-in robot over what there is.
	MergeBuiltin()
	// Merge lays a file over what there is; name stands in error messages.
	Merge(name string, data []byte)
	// Set lays one value over what there is; path is written with dots or
	// slashes, source says in error messages where the value came from.
	Set(path, value, source string)
	// Has reports whether path is a key of the file.
	Has(path string) bool
	// Make checks everything and makes the robot.
	Make() (*Made, error)

	// Print writes the complete file, every default filled in.
	Print() ([]byte, error)
	// Numbers lists the real numbers of the file.
	Numbers() ([]robotfile.Number, error)
	// Overlay writes the numbers that have a comment, by path, as a file of its own.
	Overlay(comments map[string]string) ([]byte, error)
}

// Made is what a robot file describes.
type Made struct {
	Model    sim.Model // in its initial state
	Settled  bool      // the initial state is an equilibrium
	Timing   Timing
	Hardware robotfile.Hardware // with which the robot is compared
	LengthM  float64            // of the robot, m, to which errors are compared
	MarkM    float64            // m, size of what marks a place of the robot in a picture
	Describe string             // the robot in one line
	Text     func() []byte      // the complete robot file, with all that was laid over it
}

// SolverError is the error of a robot whose file is right, but whose initial
// state could not be found.
type SolverError struct{ Err error }

func (e *SolverError) Error() string { return e.Err.Error() }
func (e *SolverError) Unwrap() error { return e.Err }

// Timing is what a robot file says about time.
type Timing struct {
	StepS           float64 // s
	EqualSteps      bool    // a run is divided into equal steps, so that the last is no shorter
	ControlHz       float64
	PublishHz       float64
	MarkerHz        float64
	CommandTimeoutS float64 // s; +Inf is never
}

// timeout is the command timeout as the simulator takes it: 0 is never.
func (t Timing) timeout() float64 {
	if math.IsInf(t.CommandTimeoutS, 1) {
		return 0
	}
	return t.CommandTimeoutS
}

// Files returns a Robot.File for robot files of type T, of which make makes the
// robot.
func Files[T robotfile.Robot](make func(*T) (*Made, error)) func() File {
	return func() File { return &typedFile[T]{make: make} }
}

// typedFile is a File of type T.
type typedFile[T robotfile.Robot] struct {
	robotfile.Draft[T]
	make func(*T) (*Made, error)
}

// Make implements File.
func (f *typedFile[T]) Make() (*Made, error) {
	r, err := f.Robot()
	if err != nil {
		return nil, err
	}
	made, err := f.make(r)
	if err == nil {
		made.Text = func() []byte { return robotfile.Print(r) }
	}
	return made, err
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

// Overlay implements File.
func (f *typedFile[T]) Overlay(comments map[string]string) ([]byte, error) {
	r, err := f.Robot()
	if err != nil {
		return nil, err
	}
	return robotfile.Overlay(r, comments), nil
}
