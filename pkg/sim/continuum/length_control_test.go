package continuum_test

import (
	"errors"
	"math"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// stiffnesses are those of a rubber band, a thread, a steel cable of 1 mm, and of
// what gives nothing.
var stiffnesses = []float64{1e2, 1e4, 1e5, 6e5, 1e6, 1e7, 1e9, 1e12, math.Inf(1)}

// softWire is a soft rod as long as the wire.
func softWire() *robotfile.Continuum {
	f := wire(20, 0.0005, sideways, 0)
	f.Rod.Radius, f.Rod.YoungsModulus, f.Rod.ShearModulus, f.Rod.Density = 0.004, 5e6, 1.7e6, 1100
	return f
}

// TestLengthControlOfAnyStiffness pulls one tendon by 6 mm and back, once a second:
// with the penalty that cables once were, 875 of 3000 steps of the wire did not
// converge at 6e5 N/m, and at 1e7 the tip was on the wrong side.
func TestLengthControlOfAnyStiffness(t *testing.T) {
	for name, file := range map[string]func() *robotfile.Continuum{
		"wire": func() *robotfile.Continuum { return wire(20, 0.0005, sideways, 0) }, "soft": softWire,
	} {
		tip := map[float64]spatial.Vec{}
		for _, k := range stiffnesses {
			f := file()
			f.Rod.Damping.KelvinVoigt = 1e-3
			f.Tendons[0].Stiffness = k
			in := pulling(0)
			in.Setpoints[0].Mode = force.LengthControl
			e := implicitOf(t, f)
			for i := range 500 {
				in.Setpoints[0].Pull = 0.003 * (1 - math.Cos(2*math.Pi*float64(i+1)*1e-3))
				if err := e.Step(1e-3, in); err != nil {
					t.Fatalf("%s, k = %g N/m: %v", name, k, err)
				}
				// the constraint holds beyond what the last increment could see
				const tolerance = 1e-5 // m
				if v := math.Sqrt(e.Tendons.SquaredViolation()); !(v < tolerance) {
					t.Fatalf("%s, k = %g N/m: tendon off by %g m", name, k, v)
				}
			}
			tip[k] = e.NodePose(20).P
			mean := float64(e.Stepper.Counters().Iterations) / float64(e.Stepper.Counters().Steps)
			t.Logf("%s, k = %g N/m: %.2f iterations, tip (%.6f, %.6f, %.6f) m, %.4g N", name, k, mean, tip[k].X, tip[k].Y, tip[k].Z, e.Tendons.Multipliers()[0])
			if e.Stepper.Counters().Divided > 0 || !(mean <= 4) {
				t.Errorf("%s, k = %g N/m: %d steps divided, %.2f iterations in the mean; want none and at most 4", name, k, e.Stepper.Counters().Divided, mean)
			}
		}
		for _, k := range stiffnesses[5:] {
			const limit = 1e-4 // m: 0.3 N on 1e7 N/m are 30 nm
			if d := tip[k].Sub(tip[math.Inf(1)]).Norm(); !(d < limit) {
				t.Errorf("%s, k = %g N/m: tip %g m from that of the inextensible tendon", name, k, d)
			}
		}
	}
}

// TestEquilibriaOfAnyStiffness are found from straight at once, with friction and
// without; the penalty took 71 iterations at 1e5 N/m and failed from 1e8.
func TestEquilibriaOfAnyStiffness(t *testing.T) {
	for _, friction := range []float64{0, 0.1} {
		for _, pull := range []float64{0.002, 0.008, 0.02} {
			var limit []float64
			for i := range stiffnesses {
				k := stiffnesses[len(stiffnesses)-1-i]
				f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
				in := lengthControlled(f, k, pull)
				for j := range f.Tendons {
					f.Tendons[j].Friction = friction
				}
				e := implicitOf(t, f)
				equilibrate(t, e, in)
				if n := e.Stepper.Report().Iterations; n > 15 {
					t.Errorf("μ = %g, pull %g m, k = %g N/m: %d iterations, want at most 15", friction, pull, k, n)
				}
				if limit == nil {
					limit = tip(e)
				} else if k >= 1e7 {
					within(t, "tip against that of inextensible tendons", tip(e), limit, 1e-4)
				}
			}
		}
	}
}

// TestPullYieldsAtTheLimit asks for more than the largest tension can do: the limit
// holds in motion and in equilibrium, whatever the stiffness; it was 2 N for 1.
func TestPullYieldsAtTheLimit(t *testing.T) {
	for _, k := range []float64{1e3, 1e6, math.Inf(1)} {
		f := wire(20, 0.0005, sideways, 0)
		f.Rod.Damping.KelvinVoigt = 1e-3
		f.Tendons[0].Stiffness, f.Tendons[0].Limits.MaxTension = k, 1
		in := pulling(0)
		in.Setpoints[0].Mode = force.LengthControl
		e := implicitOf(t, f)
		most := 0.0
		for i := range 1500 {
			in.Setpoints[0].Pull = min(0.05, 1e-4*float64(i+1))
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
			most = max(most, e.Tension(0, in.Setpoints[0]))
		}
		if _, yielding := e.Tendons.Inactive(); most > 1 || yielding != 1 {
			t.Errorf("k = %g N/m: tension up to %.9g N, %d tendons yield, want at most 1 N and one", k, most, yielding)
		}
		held := implicitOf(t, f) // under 1 N
		equilibrate(t, held, pulling(1))
		yielding := implicitOf(t, f)
		equilibrate(t, yielding, in)
		within(t, "tip under the largest tension", tip(yielding), tip(held), 1e-9)
	}
}

// A step that is called converged where a cable does not hold is refused, by name.
func TestUnsolvedConstraintsAreRefused(t *testing.T) {
	f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
	in := lengthControlled(f, math.Inf(1), 0.002)
	e := implicitOf(t, f)
	equilibrate(t, e, in)
	const time = 1.5
	e.Act(in)
	begin(e, 1e-3, 1, 0)
	if err := e.System.Check(time, true); err != nil {
		t.Fatal(err)
	}
	allowed := 1e-6 * f.Rod.Length
	in.Setpoints[2].Pull += 3 * allowed
	in.Setpoints[0].Pull += 5 * allowed
	var cable *continuum.TendonLengthError
	if err := e.System.Check(time, true); !errors.As(err, &cable) {
		t.Fatalf("%v, want *continuum.TendonLengthError", err)
	}
	if cable.Tendon != "a" || cable.Time != 1.5 || math.Abs(cable.Violation-5*allowed) > 1e-9 || cable.Allowed != allowed || cable.Tension != e.Tendons.Multipliers()[0] {
		t.Errorf("%+v: %v", *cable, cable)
	}
}

// TestRedundantTendons pulls inextensible tendons that say the same several times, also
// things that cannot hold at once: of parallel ones the shortest pulls and the others
// are slack, and against each other they yield at the limit.
func TestRedundantTendons(t *testing.T) {
	for _, friction := range []float64{0, 0.2} {
		for name, angles := range map[string][]float64{
			"six in a row": {0, 0, 0, 0, 0, 0}, "opposed": {0, 180, 0, 180},
			"twelve": {0, 90, 180, 270, 0, 90, 180, 270, 0, 90, 180, 270},
		} {
			f := wire(20, 0.0005, sideways, angles...)
			f.Rod.Damping.KelvinVoigt = 1e-3
			in := &inputs{}
			for i := range f.Tendons {
				x := &f.Tendons[i]
				x.Stiffness, x.Friction, x.Limits.MaxTension = math.Inf(1), friction, 4
				in.Setpoints = append(in.Setpoints, force.Setpoint{Mode: force.LengthControl})
			}
			e := implicitOf(t, f)
			for i := range 80 {
				for k := range in.Setpoints {
					in.Setpoints[k].Pull = 0.004*math.Sin(float64(i)*0.05)*math.Cos(angles[k]*math.Pi/180)*(1+0.01*float64(k/4)) + 1e-6*float64(i)
				}
				if err := e.Step(1e-3, in); err != nil {
					t.Fatalf("%s, friction %g, step %d: %v", name, friction, i, err)
				}
				if err := e.System.Check(0, true); err != nil {
					t.Fatalf("%s, friction %g, step %d: %v", name, friction, i, err)
				}
				for k := range in.Setpoints {
					if x := e.Tension(k, in.Setpoints[k]); !(x >= 0 && x <= 4) {
						t.Fatalf("%s, friction %g, step %d: tension %g N of tendon %d", name, friction, i, x, k)
					}
				}
			}
			_, yielding := e.Tendons.Inactive()
			t.Logf("%s, friction %g: %d yield; %d of %d steps divided, %.2f iterations", name, friction, yielding, e.Stepper.Counters().Divided, e.Stepper.Counters().Steps, float64(e.Stepper.Counters().Iterations)/float64(e.Stepper.Counters().Steps))
			if name == "twelve" && yielding < 1 {
				t.Errorf("%s, friction %g: %d tendons yield, want those that pull against each other", name, friction, yielding)
			}
			s := implicitOf(t, f)
			equilibrate(t, s, in)
			if err := s.System.Check(0, true); err != nil {
				t.Errorf("%s, friction %g, equilibrium: %v", name, friction, err)
			}
		}
	}
}

func TestLengthControlWithSlack(t *testing.T) {
	for _, k := range []float64{1e3, 1e4, 1e5} {
		f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
		f.Rod.Damping.KelvinVoigt = 1e-3
		in := lengthControlled(f, k, 0)
		e := implicitOf(t, f)
		slack := 0
		for i := range 1000 {
			time := float64(i) * 1e-3
			x, y := 0.008*math.Sin(2*math.Pi*time), 0.008*math.Sin(3*math.Pi*time)
			for j, pull := range []float64{x, y, -x, -y} {
				in.Setpoints[j].Pull = pull
			}
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
			n, _ := e.Tendons.Inactive()
			slack += n
		}
		if e.Stepper.Counters().Divided > 0 || slack == 0 {
			t.Errorf("k = %g N/m: %d unconverged steps, want none; %d slack tendon-steps, want some", k, e.Stepper.Counters().Divided, slack)
		}
	}
}

// lengthControlled are inputs of length control that bend the wire by a pull of d on one
// side and slacken the other.
func lengthControlled(f *robotfile.Continuum, stiffness, d float64) *inputs {
	in := &inputs{}
	for i, pull := range []float64{d, 0.4 * d, -d, -0.4 * d} {
		f.Tendons[i].Stiffness = stiffness
		in.Setpoints = append(in.Setpoints, force.Setpoint{Mode: force.LengthControl, Pull: pull})
	}
	return in
}

func TestVeryStiffLengthControlConvergesCold(t *testing.T) {
	var last []float64
	for _, k := range []float64{1e3, 1e4, 1e5, 1e6, 1e7} {
		f := wire(10, 0.0005, sideways, 0, 90, 180, 270)
		in := lengthControlled(f, k, 0.008)
		e := implicitOf(t, f)
		equilibrate(t, e, in)
		if e.Stepper.Report().Residual > 1e-6 {
			t.Errorf("k = %g: residual %g N", k, e.Stepper.Report().Residual)
		}
		if last != nil && k >= 1e6 { // the limit of inextensible tendons exists
			within(t, "tip against ten times softer tendons", tip(e), last, 2e-3)
		}
		last = tip(e)
	}
}

// TestPullsInMillimetres: a pull of more than twice the length of the rod, or of the initial one, is refused.
func TestPullsInMillimetres(t *testing.T) {
	m := newModel(t, parse(t, `{rod: {length_m: 0.2, radius_m: 0.001, density_kg_per_m3: 1500, youngs_modulus_pa: 1e9, elements: 8}, gravity_m_per_s2: [0, 0, 0],
tendons: [{name: a, offset_m: [0.01, 0], stiffness_n_per_m: 1e3, disks: {count: 4, first_m: 0.05, last_m: 0.2}}]}`))
	in, pull := sim.NewInputs(m), port(t, m, "servo_jp")
	for x, want := range map[float64]sim.CommandStatus{0.005: sim.Accepted, -0.39: sim.Accepted, 0.41: sim.OutOfRange, -5: sim.OutOfRange} {
		if got := in.Set(pull, []float64{x}); got != want {
			t.Errorf("%g m: %v, want %v", x, got, want)
		}
	}
}
