package testbench

import (
	"sync"
	"testing"

	"sinew/test/subprocess"
)

var (
	tendonsimBuilt  = sync.OnceValues(func() (string, error) { return subprocess.Build(Programs, "tendonsim") })
	microrobotBuilt = sync.OnceValues(func() (string, error) { return subprocess.Build(Programs, "microrobot") })
)

// BuildTendonsim is the path of the built program.
func BuildTendonsim(t *testing.T) string {
	t.Helper()
	return Must(t)(tendonsimBuilt())
}

// BuildMicrorobot is the path of the built program.
func BuildMicrorobot(t *testing.T) string {
	t.Helper()
	return Must(t)(microrobotBuilt())
}

// Must returns a function that passes on a path and ends the test at an error.
func Must(t *testing.T) func(string, error) string {
	return func(s string, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}
