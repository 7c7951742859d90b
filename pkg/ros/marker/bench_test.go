package marker

import (
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// BenchmarkSceneOfSwarm is what a picture of ten thousand bodies costs the server, message and bytes.
func BenchmarkSceneOfSwarm(b *testing.B) {
	var s sim.Scene
	for i := range 10000 {
		name := "swarm"
		if i == 0 {
			name = "body"
		}
		s.Spheres = append(s.Spheres, sim.Sphere{Name: name, Pose: spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: float64(i)}}, SemiAxes: spatial.Vec{X: 1, Y: 1, Z: 1}})
	}
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = Scene(&s, 0, 0).AppendCDR(buf[:0])
	}
	b.ReportMetric(float64(len(buf)), "bytes/op")
}
