package robotfile

import (
	"os"
	"testing"
)

// Unexported names for the external tests.
const (
	MaxBytes    = maxBytes
	MaxMistakes = maxMistakes
)

var (
	DidYouMean   = didYouMean
	FormatNumber = formatNumber
	ParseNumber  = parseNumber
	Read         = read
)

func ReadFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The robots that the programs run when they are given no file.
const (
	BuiltinSilicone = "../../../launch/robots/silicone.yaml"
	BuiltinSwimmer  = "../../../launch/robots/swimmer.yaml"
)

// Builtin reads a robot that comes with a program.
func Builtin[T Robot](t *testing.T, file string) *T {
	t.Helper()
	r, err := Parse[T](file, ReadFile(t, file))
	if err != nil {
		t.Fatal(err)
	}
	return r
}
