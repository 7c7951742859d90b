package app

import "fmt"

// Exit codes, as documented in the README.
const (
	exitOK        = 0
	exitFailed    = 1
	exitUsage     = 2 // also a bad robot file
	exitThreshold = 3
)

// codedError is an error that decides the exit code.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string { return e.err.Error() }
func (e *codedError) Unwrap() error { return e.err }

// usage marks err as the caller's mistake: wrong flags or a bad file.
func usage(err error) error { return &codedError{exitUsage, err} }

// usagef is usage of a formatted error.
func usagef(format string, args ...any) error { return usage(fmt.Errorf(format, args...)) }
