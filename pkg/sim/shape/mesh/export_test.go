package mesh

import (
	"os"
	"testing"

	"sinew/pkg/sim/spatial"
)

// Unexported names for the external tests.
const MostGradient = mostGradient

var Most = most

// Vessel reads the vessel of the contract.
func Vessel(t testing.TB) *STL {
	t.Helper()
	data, err := os.ReadFile("../../../../../shared/contract/vessel.stl")
	if err != nil {
		t.Skip(err)
	}
	f, err := ReadSTL(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Place is what a field is to a point.
type Place struct {
	D float64
	N spatial.Vec
	W spatial.Mat3
}

func Build(t testing.TB, f *STL, o Options) *Field {
	t.Helper()
	m, err := New(f, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
