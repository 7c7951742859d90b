package motion_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// randomCommands returns commands of a random robot as functions of time: some swing, some ramp, some jump, and some do so one after
// the other.
func randomCommands(r *rand.Rand, in *continuumtest.Inputs) func(time float64) {
	type way struct {
		kind     int
		from, hz float64
	}
	start, ways := slices.Clone(in.Setpoints), make([]way, len(in.Setpoints))
	for k := range ways {
		ways[k] = way{r.IntN(4), 1e-3 * float64(50+r.IntN(100)), 1 + 4*r.Float64()}
	}
	tip := in.Tip.Wrench
	return func(time float64) {
		for k, w := range ways {
			share, since := 0.5+0.5*math.Sin(2*math.Pi*w.hz*time), time-w.from
			switch {
			case w.kind == 1 || w.kind == 3 && since < 0:
				share = 2 * time
			case w.kind >= 2 && since >= 0:
				share += 0.3 + since
			}
			in.Setpoints[k].Tension, in.Setpoints[k].Pull = share*start[k].Tension, share*start[k].Pull
		}
		swing := math.Cos(9 * time)
		if time > 0.17 {
			swing = 0
		}
		in.Tip.Force, in.Tip.Moment = tip.Force.Scale(swing), tip.Moment.Scale(swing)
	}
}

// randomMotion moves a random robot without friction, of order 2 or 4, by steps of 1 ms in so many parts. It returns the positions of its nodes and the
// estimate of their errors after every millisecond; ok is false where the motion leaves the model.
func randomMotion(t *testing.T, seed uint64, parts int) (at [][]spatial.Vec, estimates []float64, ok bool) {
	t.Helper()
	const milliseconds = 300
	r := rand.New(rand.NewPCG(seed, 77))
	f, in := continuumtest.RandomRobot(r)
	f.Rod.Order = 2 + 2*int(seed%2)
	for k := range f.Tendons {
		f.Tendons[k].Friction = 0
	}
	e, set := continuumtest.New(t, f), randomCommands(r, in)
	dt := 1e-3 / float64(parts)
	for k := range milliseconds * parts {
		set((float64(k+1) - 1e-4) * dt) // the end of the step, before what jumps there
		if err := e.Step(dt, in); err != nil {
			return nil, nil, false
		}
		if (k+1)%parts == 0 {
			at, estimates = append(at, positions(e)), append(estimates, e.Stepper.TimeError())
		}
	}
	return at, estimates, true
}

// positions are those of the nodes, m.
func positions(e *continuumtest.Robot) (all []spatial.Vec) {
	for _, g := range e.System.State.Pose {
		all = append(all, g.P)
	}
	return all
}

// farthest is the largest distance of two positions of a node, m.
func farthest(a, b []spatial.Vec) (most float64) {
	for i := range a {
		most = max(most, a[i].Sub(b[i]).Norm())
	}
	return most
}

// The largest estimate of a motion is within a factor 3 of its largest error in nine of ten random motions. The error is against
// steps of an eighth.
func TestTimeErrorOfRandomMotions(t *testing.T) {
	robots := testsize.Of(4, 12, 40)
	atLeast := robots * 9 / 10
	within, done := 0, 0
	for seed := uint64(0); done < robots; seed++ {
		coarse, estimates, ok := randomMotion(t, seed, 1)
		if !ok {
			continue
		}
		fine, _, ok := randomMotion(t, seed, 8)
		if !ok {
			continue
		}
		done++
		worst := 0.0
		for k := range coarse {
			worst = max(worst, farthest(coarse[k], fine[k]))
		}
		ratio := slices.Max(estimates) / worst
		if ratio > 1./3 && ratio < 3 {
			within++
			continue
		}
		t.Logf("robot %d: estimate %.3g m, error %.3g m", seed, slices.Max(estimates), worst)
	}
	t.Logf("%d of %d estimates are within a factor 3", within, robots)
	if within < atLeast {
		t.Errorf("%d of %d estimates are within a factor 3, want at least %d", within, robots, atLeast)
	}
}

// pushed moves a robot with a payload by a smooth force for half a second, in steps of 1 ms in so many parts. The rotary inertia of the
// payload is so anisotropic that errors of rotations are those of a body that turns.
func pushed(t *testing.T, order int, drag float64, parts int) (at []spatial.Vec, estimate float64) {
	t.Helper()
	f := continuumtest.Wire(10, 0.0005, continuumtest.Sideways, 0, 90)
	f.Rod.Order = order
	f.Rod.Damping.QuadraticDrag = drag
	f.Tip.Mass, f.Tip.Inertia = 0.004, spatial.Vec{X: 1e-6, Y: 2e-6, Z: 1e-6}
	e, in := continuumtest.New(t, f), continuumtest.Pulling(0.5, 0.2)
	if err := e.Equilibrate(in); err != nil {
		t.Fatal(err)
	}
	dt := 1e-3 / float64(parts)
	for k := range 500 * parts {
		share := math.Sin(math.Pi * min(5*float64(k+1)*dt, 1))
		in.Tip.Force = spatial.Vec{X: 0.3, Y: 0.2}.Scale(math.Pow(share, 4))
		if err := e.Step(dt, in); err != nil {
			t.Fatal(err)
		}
	}
	return positions(e), e.Stepper.TimeError()
}

// Of a smooth motion the estimate is of order 2 in the length of the steps, as the error is, and off by at most a fifth of it.
func TestTimeErrorIsOfSecondOrder(t *testing.T) {
	testsize.SkipInShort(t)
	for _, c := range []struct {
		order int
		drag  float64 // kg/m²
	}{{2, 0}, {4, 0}, {4, 0.5}} {
		limit, _ := pushed(t, c.order, c.drag, 32)
		last := 0.0
		for _, parts := range []int{1, 2, 4} {
			at, estimate := pushed(t, c.order, c.drag, parts)
			worst := farthest(at, limit)
			t.Logf("order %d, drag %g kg/m², steps of 1/%d ms: estimate %.4g m, error %.4g m", c.order, c.drag, parts, estimate, worst)
			if !(math.Abs(estimate/worst-1) < 0.2) {
				t.Errorf("order %d, drag %g kg/m², steps of 1/%d ms: estimate %.4g m, error %.4g m: apart by more than a fifth", c.order, c.drag, parts, estimate, worst)
			}
			if observed := math.Log2(last / estimate); last > 0 && !(math.Abs(observed-2) < 0.2) {
				t.Errorf("order %d, drag %g kg/m², steps of 1/%d ms: order %.3g in the length of the steps, want 2", c.order, c.drag, parts, observed)
			}
			last = estimate
		}
	}
}

// A mass on a massless spring that a force pulls in proportion to time moves by c/k (t − sin(ωt)/ω). The estimate is that of the
// error against it, also after steps that are so much longer than those before that they have order 1, and the first two in
// a row have it.
func TestTimeErrorOfStepsOfOrder1(t *testing.T) {
	const (
		h    = 1e-4
		rate = 1e4 // N/s
		mass = 10  // kg
		// BDF1 has half the change of the velocity as δ, which omits a share h/(6t) of it at the time t, and an omitted ε acts one
		// step late: a hundredth each.
		tolerance = 0.03
	)
	for _, c := range []struct {
		name  string
		short int // steps of length h before those of 3 h
	}{{"one step of order 1 in motion", 20}, {"two in a row from rest", 1}} {
		t.Run(c.name, func(t *testing.T) {
			f := continuumtest.Wire(1, 0, spatial.Vec{})
			f.Rod.YoungsModulus, f.Rod.Density, f.Rod.Order = 60e6, 1, 2
			f.Tip.Mass = mass
			e, in := continuumtest.New(t, f), continuumtest.Pulling()
			stiffness := f.Rod.YoungsModulus * math.Pi * f.Rod.Radius * f.Rod.Radius / f.Rod.Length
			omega := math.Sqrt(stiffness / mass)
			now := 0.0
			for k := range c.short + 200 {
				dt := h
				if k >= c.short {
					dt = 3 * h
				}
				now += dt
				in.Tip.Force.Z = rate * now
				if err := e.Step(dt, in); err != nil {
					t.Fatal(err)
				}
			}
			exact := f.Rod.Length + rate/stiffness*(now-math.Sin(omega*now)/omega)
			off, estimate := math.Abs(e.Tip()[2]-exact), e.Stepper.TimeError()
			t.Logf("estimate %.5g m, error %.5g m, ratio %.4g", estimate, off, estimate/off)
			if !(math.Abs(estimate/off-1) < tolerance) {
				t.Errorf("estimate %.5g m, error %.5g m: apart by more than %g of it", estimate, off, tolerance)
			}
		})
	}
}

// A robot without damping that tensions excite all at once is off by a tenth of its length after 3 s in steps of 1 ms. The gauge warns of it,
// and not of the same robot with damping and with tensions that rise in a second.
func TestTimeErrorWarns(t *testing.T) {
	for _, c := range []struct {
		name          string
		damping, rise float64 // s
		warns         bool
	}{{"undamped", 0, 0, true}, {"damped", 2e-3, 1, false}} {
		f := continuumtest.Wire(20, 0.0005, spatial.Vec{Z: -9.80665}, 0, 90, 180, 270)
		f.Rod.Damping.KelvinVoigt = c.damping
		e, in := continuumtest.New(t, f), continuumtest.Pulling(2, 1, 0, 0)
		gauges := e.Gauges()
		values := make([]float64, len(gauges))
		i := slices.IndexFunc(gauges, func(g sim.Gauge) bool { return g.Key == sim.TimeError })
		worst := 0.0
		for k := range 3000 {
			share := 1.
			if c.rise > 0 {
				share = min(1, 1e-3*float64(k+1)/c.rise)
			}
			in.Setpoints[0].Tension, in.Setpoints[1].Tension = 2*share, share
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
			e.Measure(values)
			worst = max(worst, values[i])
		}
		t.Logf("%s: at most %.3g", c.name, worst)
		if warning := gauges[i].Warning(worst); (warning != "") != c.warns {
			t.Errorf("%s: %s = %g gives the warning %q", c.name, gauges[i].Key, worst, warning)
		}
	}
}

// An equilibrium has no error in time, whatever the motion before.
func TestEquilibriumHasNoTimeError(t *testing.T) {
	e, in := continuumtest.New(t, continuumtest.Wire(10, 0.0005, continuumtest.Sideways, 0, 90)), continuumtest.Pulling(1, 0.5)
	for range 50 {
		if err := e.Step(1e-3, in); err != nil {
			t.Fatal(err)
		}
	}
	moving := e.Stepper.TimeError()
	if err := e.Equilibrate(in); err != nil {
		t.Fatal(err)
	}
	if rest := e.Stepper.TimeError(); !(moving > 0) || rest != 0 {
		t.Errorf("errors of %g m in motion and %g m in an equilibrium, want one above 0 and 0", moving, rest)
	}
}

// BenchmarkTimeError is the estimate of one step; BenchmarkImplicitStep of package continuum is the step of the same robots.
func BenchmarkTimeError(b *testing.B) {
	for _, n := range []int{10, 20, 100} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			e, in := continuumtest.New(b, continuumtest.Wire(n, 0.0005, continuumtest.Sideways, 0, 90, 180, 270)), continuumtest.Pulling(1, 0.5, 0, 0)
			for range 10 {
				if err := e.Step(1e-3, in); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				e.Stepper.EstimateTimeError(1e-3)
			}
		})
	}
}
