package diagnosis_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/hil/diagnosis"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// stepping is a motion of two points between levels of two tendons, each reached in 0.3 s and
// held for 1.2 s, and the residuals of a right model: noise of 0.5 mm. The second point moves a third as far.
func stepping(seed uint64) []*diagnosis.Series {
	const count, dt, noise = 200, 0.05, 0.5e-3
	random := rand.New(rand.NewPCG(seed, 4))
	var levels [2][]float64
	for range 9 {
		levels[0], levels[1] = append(levels[0], 3*random.Float64()), append(levels[1], 3*random.Float64())
	}
	pull := func(k int, t float64) float64 {
		at := max(0, t) / 1.5
		i := min(int(at), len(levels[k])-2)
		return levels[k][i] + (levels[k][i+1]-levels[k][i])*min(1, 5*(at-float64(i)))
	}
	place := func(t float64) spatial.Vec { return spatial.Vec{X: 0.02 * pull(0, t), Y: 0.02 * pull(1, t), Z: 0.2} }
	track := &diagnosis.Track{Names: []string{"left", "right"}}
	list := []*diagnosis.Series{{Recording: "a.csv", Point: "tip", Commands: track}, {Recording: "a.csv", Point: "mid", Commands: track}}
	for i := range count {
		t := dt * float64(i)
		track.T, track.U = append(track.T, t), append(track.U, []float64{pull(0, t), pull(1, t)})
		for k, s := range list {
			share := []float64{1, 1. / 3}[k]
			p := place(t).Scale(share)
			d := spatial.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()}.Scale(noise)
			s.Rows = append(s.Rows, diagnosis.Row{Index: i, T: t, At: t, Predicted: p, Measured: p.Sub(d), Weight: 1, Load: pull(0, t) + pull(1, t),
				Velocity: place(t + dt).Sub(place(t - dt)).Scale(share / (2 * dt))})
		}
	}
	return list
}

// TestMoreEffectsAreRecognized leaves out one effect at a time, of markers as well, with every seed.
func TestMoreEffectsAreRecognized(t *testing.T) {
	testsize.SkipInShort(t)
	for _, c := range []struct {
		effect diagnosis.Effect
		bend   func(s *diagnosis.Series, i int, slow *spatial.Vec) spatial.Vec // what it adds to a residual
	}{
		{"", func(*diagnosis.Series, int, *spatial.Vec) spatial.Vec { return spatial.Vec{} }},
		{diagnosis.Creep, func(s *diagnosis.Series, i int, slow *spatial.Vec) spatial.Vec {
			p := s.Rows[i].Predicted
			if i == 0 {
				*slow = p
			}
			*slow = slow.AddScaled(1-math.Exp(-0.05/0.5), p.Sub(*slow))
			return p.Sub(*slow).Scale(0.1)
		}},
		{diagnosis.Drift, func(s *diagnosis.Series, i int, _ *spatial.Vec) spatial.Vec {
			return s.Rows[i].Velocity.Scale(0.06 * (s.Rows[i].T/5 - 1))
		}},
		{diagnosis.Frame, func(s *diagnosis.Series, _ int, _ *spatial.Vec) spatial.Vec { return spatial.Vec{X: 0.8e-3, Z: 0.5e-3} }},
		{diagnosis.Load, func(s *diagnosis.Series, _ int, _ *spatial.Vec) spatial.Vec {
			return spatial.Vec{Z: map[string]float64{"tip": 1.5e-3, "mid": 0.5e-3}[s.Point]}
		}},
		{diagnosis.Outliers, func(s *diagnosis.Series, i int, _ *spatial.Vec) spatial.Vec {
			if s.Point == "tip" && i%70 == 33 {
				return spatial.Vec{Y: 0.03}
			}
			return spatial.Vec{}
		}},
	} {
		for seed := range uint64(seedsOfEffects) {
			series := stepping(seed)
			for _, s := range series {
				var slow spatial.Vec
				for i := range s.Rows {
					r := &s.Rows[i]
					r.Measured = r.Measured.Sub(c.bend(s, i, &slow))
				}
			}
			found := diagnosis.Find(series, nil)
			switch {
			case c.effect == "" && len(found) > 0:
				t.Errorf("seed %d: a right model is accused: %s", seed, found[0].Text)
			case c.effect != "" && len(found) == 0:
				t.Errorf("seed %d: %s is not recognized", seed, c.effect)
			case c.effect != "" && found[0].Effect != c.effect:
				t.Errorf("seed %d: %s: %s", seed, c.effect, found[0].Text)
			case c.effect == diagnosis.Outliers && len(found[0].Rows) != 3:
				t.Errorf("seed %d: %d outliers", seed, len(found[0].Rows))
			case c.effect == diagnosis.Creep && math.Abs(math.Log(found[0].TauS/0.5)) > math.Log(2.5):
				t.Errorf("seed %d: creep in %g s instead of 0.5", seed, found[0].TauS)
			}
		}
	}
}

// TestSharedCompliance has equilibria in which the robot bends 4 % less for each newton of all tensions.
// The gains are free, so that only what they cannot explain is left; without tensions nothing is said.
func TestSharedCompliance(t *testing.T) {
	for seed := range uint64(seedsOfEffects) {
		random := rand.New(rand.NewPCG(seed, 9))
		s := &diagnosis.Series{Recording: "a.csv", Point: "tip", Static: true, Commands: &diagnosis.Track{Names: []string{"left", "right"}}}
		for i := range 60 {
			u := []float64{3 * random.Float64(), 3 * random.Float64()}
			p := spatial.Vec{X: 0.02 * u[0], Y: 0.02 * u[1], Z: 0.2}
			load := u[0] + u[1]
			d := spatial.Vec{X: p.X, Y: p.Y}.Scale(0.04 * (load - 3)).Add(spatial.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()}.Scale(0.5e-3))
			s.Rows = append(s.Rows, diagnosis.Row{Index: i, At: float64(i), Predicted: p, Measured: p.Sub(d), Weight: 1, Load: load, Slopes: [3][]float64{{p.X, 0}, {0, p.Y}, {0, 0}}})
			s.Commands.T, s.Commands.U = append(s.Commands.T, float64(i)), append(s.Commands.U, u)
		}
		if found := diagnosis.Find([]*diagnosis.Series{s}, nil); len(found) == 0 || found[0].Effect != diagnosis.Shared {
			t.Errorf("seed %d: %+v", seed, found)
		}
		for i := range s.Rows {
			s.Rows[i].Load = math.NaN()
		}
		for _, f := range diagnosis.Find([]*diagnosis.Series{s}, nil) {
			if f.Effect == diagnosis.Shared {
				t.Errorf("seed %d: shared compliance of tensions that are not known", seed)
			}
		}
	}
}

// component returns a component of v: 0 is that along x.
func component(v spatial.Vec, axis int) float64 { return [3]float64{v.X, v.Y, v.Z}[axis] }

// TestParametersHideEffects fits the residuals of a lag to a parameter that acts as three quarters of
// it: what is left is recognized by what the parameter cannot do, with the whole delay. A parameter that acts just as a
// lag leaves nothing to find.
func TestParametersHideEffects(t *testing.T) {
	const delay = 0.03
	for _, whole := range []bool{false, true} {
		series := stepping(1)[:1]
		var slopes, residuals []float64
		s := series[0]
		for i := range s.Rows {
			r := &s.Rows[i]
			v := r.Velocity
			r.Measured = r.Measured.Sub(v.Scale(delay))
			along := v
			if !whole && i%2 == 0 {
				along = v.Scale(0.5)
			}
			d := r.Residual()
			for a := range 3 {
				r.Slopes[a] = []float64{component(along, a)}
				slopes, residuals = append(slopes, component(along, a)), append(residuals, component(d, a))
			}
		}
		product, square := 0.0, 0.0
		for k := range slopes {
			product += slopes[k] * residuals[k]
			square += slopes[k] * slopes[k]
		}
		for i := range s.Rows { // the best value of the parameter
			r := &s.Rows[i]
			for a, axis := range [3]spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
				r.Measured = r.Measured.Add(axis.Scale(r.Slopes[a][0] * product / square))
			}
		}
		found := diagnosis.Find(series, nil)
		switch {
		case whole && len(found) > 0:
			t.Errorf("%s: nothing is left of it", found[0].Text)
		case !whole && (len(found) == 0 || found[0].Effect != diagnosis.Lag || math.Abs(found[0].DelayS-delay) > 0.1*delay):
			t.Errorf("%+v", found)
		}
	}
}

// A finding says which command it is of, and which effects are as likely.
func TestCommandOfAFinding(t *testing.T) {
	series := stepping(3)
	for _, s := range series {
		at := s.CommandsAt()
		for i := range s.Rows {
			s.Rows[i].Measured = s.Rows[i].Measured.Sub(spatial.Vec{Y: 1e-3 * at[i][1]})
		}
	}
	found := diagnosis.Find(series[:1], nil)
	if len(found) != 1 || found[0].Effect != diagnosis.Gain || found[0].Command != "right" {
		t.Errorf("%+v", found)
	}
}
