package diagnosis_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/hil/diagnosis"
	"sinew/pkg/sim/spatial"
)

// pushed is a point that is pushed about by what is not commanded, as one that swings after a command is, with noise
// of 0.5 mm in what is measured; at rest where size is 0.
func pushed(seed uint64, size float64) *diagnosis.Series {
	const count, dt, noise = 400, 0.05, 0.5e-3
	random := rand.New(rand.NewPCG(seed, 8))
	level := func() float64 { return 2*random.Float64() - 1 }
	s := &diagnosis.Series{Recording: "a.csv", Point: "tip", Commands: &diagnosis.Track{Names: []string{"left"}}}
	var from, to spatial.Vec
	for i := range count {
		const hold = 14
		if i%hold == 0 {
			from, to = to, spatial.Vec{X: level(), Y: level(), Z: 0.3 * level()}
		}
		share := min(1, float64(i%hold)/6)
		p := from.AddScaled(share, to.Sub(from)).Scale(size)
		r := diagnosis.Row{Index: i, T: dt * float64(i), At: dt * float64(i), Predicted: p, Weight: 1, Velocity: to.Sub(from).Scale(size / (6 * dt))}
		if share == 1 {
			r.Velocity = spatial.Vec{}
		}
		r.Measured = p.Add(spatial.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()}.Scale(noise))
		s.Rows = append(s.Rows, r)
		s.Commands.T, s.Commands.U = append(s.Commands.T, r.T), append(s.Commands.U, []float64{math.Sin(0.3 * float64(i))})
	}
	return s
}

// remember moves what was measured of a point as creep and friction inside it do.
func remember(s *diagnosis.Series) {
	const tau, width = 0.5, 0.02
	clamp := func(v float64) float64 { return max(-1, min(1, v)) }
	slow, held := s.Rows[0].Predicted, spatial.Vec{}
	for i := range s.Rows {
		r := &s.Rows[i]
		if i > 0 {
			held = held.AddScaled(1/width, r.Predicted.Sub(s.Rows[i-1].Predicted))
			held = spatial.Vec{X: clamp(held.X), Y: clamp(held.Y), Z: clamp(held.Z)}
		}
		slow = slow.AddScaled(1-math.Exp(-0.05/tau), r.Predicted.Sub(slow))
		r.Measured = r.Measured.Sub(r.Predicted.Sub(slow).Scale(0.05)).AddScaled(-0.8e-3, held)
	}
}

// What creeps and rubs inside a point that commands do not move is recognized by where it was. Noise, also of
// a point at rest, is nothing to remember.
func TestMemoryIsRecognized(t *testing.T) {
	for seed := range uint64(seedsOfEffects) {
		for _, size := range []float64{0.05, 0} {
			if found := diagnosis.Find([]*diagnosis.Series{pushed(seed, size)}, nil); len(found) > 0 {
				t.Errorf("seed %d: a right model is accused: %s", seed, found[0].Text)
			}
		}
		s := pushed(seed, 0.05)
		remember(s)
		found := diagnosis.Find([]*diagnosis.Series{s}, nil)
		if len(found) == 0 || found[0].Effect != diagnosis.Hysteresis {
			t.Errorf("seed %d: memory is not recognized: %v", seed, found)
		}
	}
}

// Hysteresis of a motion is recognized beside equilibria and a marker that was seen once, of which nothing can be remembered.
func TestMemoryBesideShortSeries(t *testing.T) {
	for seed := range uint64(seedsOfEffects) {
		s := pushed(seed, 0.05)
		still := &diagnosis.Series{Recording: "still.csv", Point: "tip", Static: true, Commands: &diagnosis.Track{Names: s.Commands.Names}}
		for i, r := range pushed(seed+100, 0.05).Rows[:40] {
			still.Rows = append(still.Rows, diagnosis.Row{Index: i, At: float64(i), Predicted: r.Predicted, Measured: r.Measured, Weight: 1})
			still.Commands.T, still.Commands.U = append(still.Commands.T, float64(i)), append(still.Commands.U, []float64{math.Sin(float64(i))})
		}
		seen := s.Rows[30]
		once := &diagnosis.Series{Recording: s.Recording, Point: "mid", Commands: s.Commands, Rows: []diagnosis.Row{seen}}
		remember(s)
		found := diagnosis.Find([]*diagnosis.Series{s, still, once}, nil)
		if len(found) == 0 || found[0].Effect != diagnosis.Hysteresis {
			t.Errorf("seed %d: memory is not recognized: %v", seed, found)
		}
	}
}

// Each command has a range, also where none was ever given.
func TestRangesOfWhatWasNeverCommanded(t *testing.T) {
	never := &diagnosis.Series{Commands: &diagnosis.Track{Names: []string{"a", "b"}}}
	some := &diagnosis.Series{Commands: &diagnosis.Track{Names: []string{"a", "b"}, U: [][]float64{{1, math.NaN()}, {3, math.NaN()}}}}
	if r := diagnosis.Ranges([]*diagnosis.Series{never}); !slices.Equal(r, []float64{0, 0}) {
		t.Errorf("ranges %v of nothing", r)
	}
	if r := diagnosis.Ranges([]*diagnosis.Series{never, some}); !slices.Equal(r, []float64{2, 0}) {
		t.Errorf("ranges %v, want 2 and 0", r)
	}
}
