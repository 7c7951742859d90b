package stokes

import (
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/spatial"
)

func benchSwarm(n int) (*Swarm, []spatial.Vec, []spatial.Wrench, []spatial.Twist) {
	r := rand.New(rand.NewPCG(1, 2))
	radii := make([]float64, n)
	x := make([]spatial.Vec, n)
	l := make([]spatial.Wrench, n)
	for i := range x {
		radii[i] = 1e-6
		x[i] = spatial.Vec{X: r.Float64(), Y: r.Float64(), Z: r.Float64()}.Scale(1e-4)
		l[i] = spatial.Wrench{Force: spatial.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}, Moment: spatial.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}}
	}
	s, err := NewSwarm(radii, 1e-3)
	if err != nil {
		panic(err)
	}
	return s, x, l, make([]spatial.Twist, n)
}

func BenchmarkSwarm150(b *testing.B) {
	s, x, l, t := benchSwarm(150)
	for b.Loop() {
		s.Motions(t, x, l)
	}
}
