package diagnosis_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/hil/diagnosis"
	"sinew/pkg/sim/spatial"
)

const seedsOfEffects = 20

// observation is a residual and what it may depend on.
type observation struct {
	t           float64
	at          spatial.Vec // where the point is predicted
	d, velocity spatial.Vec
	command     []float64
	history     []float64 // 1 where the command last rose, −1 where it fell
}

// seriesOf makes a series of rows of which each has the commands of its own.
func seriesOf(rows []observation) []*diagnosis.Series {
	s := &diagnosis.Series{Recording: "a.csv", Point: "tip", Commands: &diagnosis.Track{Names: []string{"left", "right"}}}
	for i, o := range rows {
		s.Rows = append(s.Rows, diagnosis.Row{Index: i, T: o.t, At: o.t, Predicted: o.at, Measured: o.at.Sub(o.d), Velocity: o.velocity, Weight: 1, Load: o.command[0] + o.command[1]})
		s.Commands.T, s.Commands.U = append(s.Commands.T, o.t), append(s.Commands.U, o.command)
	}
	return []*diagnosis.Series{s}
}

// wandering is a motion of a point that two tendons pull, each by a sum of sines, and the
// residuals of a right model: noise of 0.5 mm.
func wandering(seed uint64) (rows []observation) {
	const count, dt, noise = 150, 0.05, 0.5e-3
	random := rand.New(rand.NewPCG(seed, 21))
	var phase, speed [2]float64
	for k := range phase {
		phase[k], speed[k] = 2*math.Pi*random.Float64(), 0.5+random.Float64()
	}
	pull := func(k int, t float64) float64 {
		return 2 + math.Sin(speed[k]*t+phase[k]) + 0.5*math.Sin(2.3*speed[k]*t)
	}
	at := func(t float64) spatial.Vec { return spatial.Vec{X: 0.02 * pull(0, t), Y: 0.02 * pull(1, t), Z: 0.2} }
	for i := range count {
		t := dt * float64(i)
		o := observation{t: t, at: at(t), velocity: at(t + dt).Sub(at(t - dt)).Scale(1 / (2 * dt))}
		for k := range 2 {
			rise := pull(k, t) - pull(k, t-dt)
			o.command, o.history = append(o.command, pull(k, t)), append(o.history, math.Copysign(1, rise))
		}
		o.d = spatial.Vec{X: noise * random.NormFloat64(), Y: noise * random.NormFloat64(), Z: noise * random.NormFloat64()}
		rows = append(rows, o)
	}
	return rows
}

// TestEffectsAreRecognized leaves one effect out at a time, of about twice the noise: it
// is the first that is found, with every seed. A right model is never accused.
func TestEffectsAreRecognized(t *testing.T) {
	for _, c := range []struct {
		effect diagnosis.Effect // empty: nothing is left out
		bend   func(o *observation, state *[2]float64)
	}{
		{"", func(*observation, *[2]float64) {}},
		{diagnosis.Lag, func(o *observation, _ *[2]float64) { o.d = o.d.AddScaled(0.04, o.velocity) }},
		{diagnosis.Friction, func(o *observation, _ *[2]float64) {
			o.d = o.d.Add(spatial.Vec{X: 0.6e-3 * o.history[0] * o.command[0], Y: 0.6e-3 * o.history[1] * o.command[1]})
		}},
		// friction with a transition: an elastic, perfectly plastic element on each tendon
		{diagnosis.Friction, func(o *observation, state *[2]float64) {
			for k := range state {
				state[k] += 0.3 * o.history[k]
				state[k] = max(-1, min(1, state[k]))
			}
			o.d = o.d.Add(spatial.Vec{X: 1.2e-3 * state[0], Y: 1.2e-3 * state[1]})
		}},
		// a payload: down, and less where the point stands out far
		{diagnosis.Load, func(o *observation, _ *[2]float64) {
			o.d = o.d.Add(spatial.Vec{Z: 1.5e-3 - 0.2e-3*o.command[0]})
		}},
		// certain, but too little to matter: 8 % of the squares
		{"", func(o *observation, _ *[2]float64) { o.d = o.d.Add(spatial.Vec{Z: 0.25e-3}) }},
		{diagnosis.Gain, func(o *observation, _ *[2]float64) {
			o.d = o.d.Add(spatial.Vec{X: 1e-3 * (o.command[0] - 2), Y: -1e-3 * (o.command[1] - 2)}).Add(spatial.Vec{X: 2e-3, Y: -2e-3})
		}},
	} {
		for seed := range uint64(seedsOfEffects) {
			rows := wandering(seed)
			var state [2]float64
			for i := range rows {
				c.bend(&rows[i], &state)
			}
			found := diagnosis.Find(seriesOf(rows), nil)
			switch {
			case c.effect == "" && len(found) > 0:
				t.Errorf("seed %d: a right model is accused of %+v", seed, found)
			case c.effect != "" && (len(found) == 0 || found[0].Effect != c.effect):
				t.Errorf("seed %d: %s is not recognized, but %+v", seed, c.effect, found)
			case c.effect == diagnosis.Lag && math.Abs(found[0].DelayS-0.04) > 0.01:
				t.Errorf("seed %d: a lag of %g s instead of 0.04", seed, found[0].DelayS)
			}
		}
	}
}

// Of equilibria nothing is said about lag, of few rows nothing at all.
func TestNothingToRecognize(t *testing.T) {
	rows := wandering(1)
	for i := range rows {
		rows[i].d = spatial.Vec{X: 0.04 * rows[i].velocity.X}
	}
	if found := diagnosis.Find(seriesOf(rows[:diagnosis.MinRows-1]), nil); len(found) > 0 {
		t.Errorf("%+v of few rows", found)
	}
	still := seriesOf(rows)
	still[0].Static = true
	for i := range still[0].Rows {
		still[0].Rows[i].Velocity = spatial.Vec{}
	}
	for _, f := range diagnosis.Find(still, nil) {
		if f.Effect == diagnosis.Lag || f.Effect == diagnosis.Drift || f.Effect == diagnosis.Creep {
			t.Errorf("%s of equilibria", f.Effect)
		}
	}
	for i := range rows {
		rows[i].d = spatial.Vec{}
	}
	if found := diagnosis.Find(seriesOf(rows), nil); len(found) > 0 {
		t.Errorf("%+v of residuals that are 0", found)
	}
}
