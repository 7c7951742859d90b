package effect

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/spatial"
)

// pushed is a point that is pushed about by what is not commanded, as one that swings after a command is, with noise
// of 0.5 mm in what is measured; at rest where size is 0.
func pushed(seed uint64, size float64) *Series {
	const count, dt, noise = 400, 0.05, 0.5e-3
	random := rand.New(rand.NewPCG(seed, 8))
	level := func() float64 { return 2*random.Float64() - 1 }
	s := &Series{Recording: "a.csv", Point: "tip", Commands: &Track{Names: []string{"left"}}}
	var from, to spatial.Vec
	for i := range count {
		const hold = 14
		if i%hold == 0 {
			from, to = to, spatial.Vec{X: level(), Y: level(), Z: 0.3 * level()}
		}
		share := min(1, float64(i%hold)/6)
		p := from.AddScaled(share, to.Sub(from)).Scale(size)
		r := Row{Index: i, T: dt * float64(i), At: dt * float64(i), Predicted: p, Weight: 1, Velocity: to.Sub(from).Scale(size / (6 * dt))}
		if share == 1 {
			r.Velocity = spatial.Vec{}
		}
		r.Measured = p.Add(spatial.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()}.Scale(noise))
		s.Rows = append(s.Rows, r)
		s.Commands.T, s.Commands.U = append(s.Commands.T, r.T), append(s.Commands.U, []float64{math.Sin(0.3 * float64(i))})
	}
	return s
}

// What creeps and rubs inside a point that commands do not move is recognized by where it was. Noise, also of
// a point at rest, is nothing to remember.
func TestMemoryIsRecognized(t *testing.T) {
	const tau, width = 0.5, 0.02
	for seed := range uint64(seedsOfEffects) {
		for _, size := range []float64{0.05, 0} {
			if found := Find([]*Series{pushed(seed, size)}, nil); len(found) > 0 {
				t.Errorf("seed %d: a right model is accused: %s", seed, found[0].Text)
			}
		}
		s := pushed(seed, 0.05)
		slow, held := s.Rows[0].Predicted, spatial.Vec{}
		for i := range s.Rows {
			r := &s.Rows[i]
			if i > 0 {
				step := r.Predicted.Sub(s.Rows[i-1].Predicted).Scale(1 / width)
				clamp := func(v float64) float64 { return max(-1, min(1, v)) }
				held = held.Add(step)
				held = spatial.Vec{X: clamp(held.X), Y: clamp(held.Y), Z: clamp(held.Z)}
			}
			slow = slow.AddScaled(1-math.Exp(-0.05/tau), r.Predicted.Sub(slow))
			r.Measured = r.Measured.Sub(r.Predicted.Sub(slow).Scale(0.05)).AddScaled(-0.8e-3, held)
		}
		found := Find([]*Series{s}, nil)
		if len(found) == 0 || found[0].Effect != Memory {
			t.Errorf("seed %d: memory is not recognized: %v", seed, found)
		}
	}
}
