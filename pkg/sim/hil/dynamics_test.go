package hil_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// An elliptic loop of half axes a, b has the area π a b; one half as wide has half.
func TestHysteresisOfEllipses(t *testing.T) {
	const lag = 0.3 // rad, of the tip behind the tendon
	var sim, hw trajectory.Trajectory
	for k := range 1001 {
		now := float64(k) * 0.01
		w := 2 * math.Pi * 0.5 * now
		sim.Actuation.T = append(sim.Actuation.T, now)
		sim.Actuation.Pull = append(sim.Actuation.Pull, []float64{0.005 * (1 - math.Cos(w)), 0})
		sim.Tip.Add(now, spatial.Pose{P: spatial.Vec{Y: 0.02 * (1 - math.Cos(w-lag/2))}})
		hw.Tip.Add(now, spatial.Pose{P: spatial.Vec{Y: 0.02 * (1 - math.Cos(w-lag))}})
	}
	sim.Actuation.Names = []string{"a", "idle"}
	c, err := hil.Compare(&sim, &hw, hil.Options{Latency: hil.LatencyNone})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Loops) != 1 || c.Loops[0].Tendon != "a" || c.Loops[0].Quantity != hil.Pull {
		t.Fatalf("loops %+v", c.Loops)
	}
	l := c.Loops[0]
	// x = −A cos w, y = −B cos(w − φ): area π A B sin φ; of the box 4 A B: π/4 sin φ
	for _, v := range []struct {
		name string
		l    hil.Loop
		lag  float64
	}{{"simulation", l.Sim, lag / 2}, {"hardware", l.Hw, lag}} {
		area := math.Pi * 0.005 * 0.02 * math.Sin(v.lag)
		if !(math.Abs(v.l.Area-area) <= 1e-3*area && math.Abs(v.l.Percent-25*math.Pi*math.Sin(v.lag)) <= 0.1) {
			t.Errorf("%s: area %g m², %g %%; want %g m², %g %%", v.name, v.l.Area, v.l.Percent, area, 25*math.Pi*math.Sin(v.lag))
		}
	}
	// cycles begin and end with the first sample from the middle on
	const middle, between = 0.005, 0.005 * math.Pi * 0.01
	for _, x := range []float64{l.Sim.X[0], l.Sim.X[len(l.Sim.X)-1]} {
		if x < middle-1e-12 || x > middle+between {
			t.Errorf("cycles begin or end at a pull of %g m, want the first sample from %g m on", x, middle)
		}
	}
	if l.Sim.Cycles != 4 {
		t.Errorf("%d whole cycles between the first passage of the middle at 0.5 s and the end at 10 s, want 4", l.Sim.Cycles)
	}
}

// The step response of a damped oscillator is known in closed form.
func TestStepResponseOfOscillator(t *testing.T) {
	const (
		f0    = 2.0 // Hz, undamped
		start = 0.5 // s
		way   = 0.03
	)
	respond := func(zeta, now float64) float64 {
		if now < start {
			return 0
		}
		w := 2 * math.Pi * f0
		wd := w * math.Sqrt(1-zeta*zeta)
		u := now - start
		return way * (1 - math.Exp(-zeta*w*u)*(math.Cos(wd*u)+zeta*w/wd*math.Sin(wd*u)))
	}
	tip := func(zeta float64) func(float64) spatial.Pose {
		return func(t float64) spatial.Pose {
			return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: 0.2, Z: respond(zeta, t)}}
		}
	}
	const soft, stiff = 0.08, 0.15
	sim := trajectory.Trajectory{Tip: sampled(tip(soft), 0, 5, 500)}
	hw := trajectory.Trajectory{Tip: noisy(sampled(tip(stiff), 0, 5, 240), 1e-4, 4)}
	hw.Actuation.Names = []string{"a"}
	for k := range 501 {
		now := float64(k) * 0.01
		hw.Actuation.T = append(hw.Actuation.T, now)
		v := 0.0
		if now >= start {
			v = 5
		}
		hw.Actuation.Tension = append(hw.Actuation.Tension, []float64{v})
	}
	c, err := hil.Compare(&sim, &hw, hil.Options{Latency: hil.LatencyNone})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Responses) != 1 {
		t.Fatalf("%d responses", len(c.Responses))
	}
	r := c.Responses[0]
	for _, v := range []struct {
		name string
		got  hil.Transient
		zeta float64
		tol  float64
	}{{"simulation", r.Sim, soft, 0.02}, {"hardware", r.Hw, stiff, 0.06}} {
		hz := f0 * math.Sqrt(1-v.zeta*v.zeta)
		overshoot := math.Exp(-math.Pi * v.zeta / math.Sqrt(1-v.zeta*v.zeta))
		t.Logf("%s: %+v", v.name, v.got)
		if !(math.Abs(v.got.FrequencyHz/hz-1) <= v.tol && math.Abs(v.got.DampingRatio/v.zeta-1) <= 2*v.tol && math.Abs(v.got.Overshoot/overshoot-1) <= v.tol) {
			t.Errorf("%s: %+v; want %g Hz, damping %g, overshoot %g", v.name, v.got, hz, v.zeta, overshoot)
		}
		// time from 10 % to 90 % by bisection of the formula
		rise := solve(func(u float64) float64 { return respond(v.zeta, u) - 0.9*way }) - solve(func(u float64) float64 { return respond(v.zeta, u) - 0.1*way })
		if !(math.Abs(v.got.RiseS/rise-1) <= 3*v.tol) {
			t.Errorf("%s: rise time %g s, want %g s", v.name, v.got.RiseS, rise)
		}
	}
	if d := c.SimMotion.DominantHz; !(math.Abs(d-f0) <= 0.3) {
		t.Errorf("dominant frequency %g Hz", d)
	}
}

// solve finds the zero of f in the first rise after 0.5 s.
func solve(f func(float64) float64) float64 {
	a, b := 0.5, 0.5+0.25
	for range 60 {
		if m := (a + b) / 2; f(m) < 0 {
			a = m
		} else {
			b = m
		}
	}
	return a
}

func TestDominantFrequency(t *testing.T) {
	var ts, x []float64
	for k := range 2000 {
		now := float64(k) * 0.005
		ts = append(ts, now)
		x = append(x, 3+0.4*now+math.Sin(2*math.Pi*1.7342*now)+0.3*math.Sin(2*math.Pi*5.1*now))
	}
	if hz := hil.Dominant(ts, x, 0.005); !(math.Abs(hz-1.7342) <= 0.005) {
		t.Errorf("%g Hz, want 1.7342", hz)
	}
}

func TestShapeErrorGrowsAlongTheRobot(t *testing.T) {
	var sim, hw trajectory.Trajectory
	for k := range 101 {
		now := float64(k) * 0.01
		p := motion(now)
		sim.Tip.Add(now, p)
		hw.Tip.Add(now, p)
		var a, b []spatial.Vec
		for i := range 21 {
			a = append(a, spatial.Vec{X: 0.25 * float64(i) / 20, Z: now})
		}
		for i := range 6 { // fewer markers, off by up to 5 mm
			u := float64(i) / 5
			b = append(b, spatial.Vec{X: 0.25 * u, Y: 5e-3 * u, Z: now})
		}
		sim.Shape.T, sim.Shape.Nodes = append(sim.Shape.T, now), append(sim.Shape.Nodes, a)
		if k > 0 { // between stamps of the simulation
			hw.Shape.T, hw.Shape.Nodes = append(hw.Shape.T, now-0.005), append(hw.Shape.Nodes, shift(b, -0.005))
		}
	}
	c, err := hil.Compare(&sim, &hw, hil.Options{Latency: hil.LatencyNone, LengthM: 0.25})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Shape) != 6 {
		t.Fatalf("%d places", len(c.Shape))
	}
	for i, s := range c.Shape {
		u := float64(i) / 5
		if !(math.Abs(s.ArcM-0.25*u) <= 1e-12 && math.Abs(s.Mean-5e-3*u) <= 1e-12 && math.Abs(s.Max-5e-3*u) <= 1e-12) {
			t.Errorf("place %d: %+v", i, s)
		}
	}
}

func shift(p []spatial.Vec, z float64) []spatial.Vec {
	out := make([]spatial.Vec, len(p))
	for i := range p {
		out[i] = p[i].Add(spatial.Vec{Z: z})
	}
	return out
}

// Noise of 0.5 mm at 1 kHz would be 0.8 m/s if it were a way.
func TestNoiseIsNoSpeed(t *testing.T) {
	clean, dirty := sampled(motion, 0, 10, 1000), noisy(sampled(motion, 0, 10, 1000), 5e-4, 8)
	way := 0.0
	for i := 1; i < clean.Len(); i++ {
		way += clean.Pose[i].P.Sub(clean.Pose[i-1].P).Norm()
	}
	for name, s := range map[string]*trajectory.Poses{"clean": &clean, "noisy": &dirty} {
		if v := hil.MeanSpeed(s); !(math.Abs(v/(way/10)-1) <= 0.02) {
			t.Errorf("%s: %g m/s, want %g m/s", name, v, way/10)
		}
	}
}
