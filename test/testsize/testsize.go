// Package testsize says how many cases a test takes of those that it draws: few with -short, the usual
// number, in which each kind of case occurs, or all with SINEW_TEST_SIZE=full in the environment, as in
// the continuous integration. Tolerances and shares do not depend on the size.
package testsize

import (
	"os"
	"testing"
)

// variable is that of the environment; all packages of go test ./... see it, unlike a flag.
const variable = "SINEW_TEST_SIZE"

// IsFull reports whether tests take all their cases. Flag -short overrides the environment.
func IsFull() bool { return os.Getenv(variable) == "full" && !testing.Short() }

// Of returns few, usual or all.
func Of[T any](few, usual, all T) T {
	switch {
	case testing.Short():
		return few
	case IsFull():
		return all
	}
	return usual
}

// SkipInShort leaves a test that computes for seconds out of a first look at a clone.
func SkipInShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("computes for seconds: not with -short")
	}
}
