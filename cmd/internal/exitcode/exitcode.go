// Package exitcode gives errors the exit codes that the programs document.
package exitcode

import (
	"errors"
	"fmt"
)

// The exit codes.
const (
	OK        = 0
	Failed    = 1
	Mistake   = 2 // wrong flags or a bad file
	Threshold = 3
)

// codedError is an error that decides the exit code.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string { return e.err.Error() }
func (e *codedError) Unwrap() error { return e.err }

// Usage marks err as the caller's mistake: wrong flags or a bad file.
func Usage(err error) error { return &codedError{Mistake, err} }

// Usagef is Usage of a formatted error.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// Exceeded marks err as a threshold of the command line that was exceeded.
func Exceeded(err error) error { return &codedError{Threshold, err} }

// Interrupted marks err as the end that Ctrl-C or SIGTERM requested. The results so far are kept,
// so that this is no failure.
func Interrupted(err error) error { return &codedError{OK, err} }

// Code returns the exit code of a program that ends with err. Of joined errors the greatest counts, so
// that a failure beside an interruption is a failure.
func Code(err error) int {
	switch err := err.(type) {
	case nil:
		return OK
	case *codedError:
		return err.code
	case interface{ Unwrap() []error }:
		code := OK
		for _, e := range err.Unwrap() {
			code = max(code, Code(e))
		}
		return code
	}
	if inner := errors.Unwrap(err); inner != nil {
		return Code(inner)
	}
	return Failed
}
