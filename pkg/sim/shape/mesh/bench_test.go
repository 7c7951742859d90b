package mesh

import (
	"os"
	"testing"

	"sinew/pkg/sim/spatial"
)

// vessel reads the vessel of the contract.
func vessel(t testing.TB) *STL {
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

func BenchmarkNew(b *testing.B) {
	f := vessel(b)
	for b.Loop() {
		build(b, f, Options{Inside: true, Scale: 1, Reach: 0.00018})
	}
}

func BenchmarkAt(b *testing.B) {
	m := build(b, vessel(b), Options{Inside: true, Scale: 1, Reach: 0.00018})
	b.ReportAllocs()
	var d float64
	var n spatial.Vec
	var w spatial.Mat3
	x := spatial.Vec{X: 0.002, Y: 0.0005, Z: -0.002}
	for b.Loop() {
		if x.X += 1e-6; x.X > 0.015 {
			x.X = 0.002
		}
		m.At(x, &d, &n, &w)
	}
}
