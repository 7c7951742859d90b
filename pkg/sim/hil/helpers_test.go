package hil_test

import (
	"math"
	"math/rand/v2"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// motion is a smooth aperiodic motion of a tip with its rotation: sums of sines
// without a common period, amplitudes of some cm.
func motion(t float64) spatial.Pose {
	p := spatial.Vec{
		X: 0.2 - 0.02*math.Pow(math.Sin(1.3*t), 2),
		Y: 0.04*math.Sin(2.1*t) + 0.02*math.Sin(3.7*t+1),
		Z: 0.03*math.Cos(1.7*t) + 0.02*math.Sin(4.3*t),
	}
	return spatial.Pose{P: p, R: spatial.ExpRot(spatial.Vec{X: 0.2 * math.Sin(t), Y: 8 * p.Z, Z: 8 * p.Y})}
}

// sampled samples f from start to end at hz.
func sampled(f func(float64) spatial.Pose, start, end, hz float64) trajectory.Poses {
	s := trajectory.Poses{Rotations: true}
	for k := 0; ; k++ {
		t := start + float64(k)/hz
		if t > end+1e-9 {
			return s
		}
		s.Add(t, f(t))
	}
}

// noisy adds normally distributed noise of sigma (m) per axis.
func noisy(s trajectory.Poses, sigma float64, seed uint64) trajectory.Poses {
	r := rand.New(rand.NewPCG(seed, 7))
	out := trajectory.Poses{Rotations: s.Rotations}
	for i, t := range s.T {
		p := s.Pose[i]
		p.P = p.P.Add(spatial.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Scale(sigma))
		out.Add(t, p)
	}
	return out
}

// late returns f, later by tau (s).
func late(f func(float64) spatial.Pose, tau float64) func(float64) spatial.Pose {
	return func(t float64) spatial.Pose { return f(t - tau) }
}

// turned returns f in a frame moved by g.
func turned(f func(float64) spatial.Pose, g spatial.Pose) func(float64) spatial.Pose {
	return func(t float64) spatial.Pose { return g.Mul(f(t)) }
}
