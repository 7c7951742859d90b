package mesh_test

import (
	"testing"

	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
)

func BenchmarkNew(b *testing.B) {
	f := mesh.Vessel(b)
	for b.Loop() {
		mesh.Build(b, f, mesh.Options{Inside: true, Scale: 1, Reach: 0.00018})
	}
}

func BenchmarkAt(b *testing.B) {
	m := mesh.Build(b, mesh.Vessel(b), mesh.Options{Inside: true, Scale: 1, Reach: 0.00018})
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
