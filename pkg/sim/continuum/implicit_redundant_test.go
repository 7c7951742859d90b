package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/continuum/force"
)

// TestRedundantCables pulls inextensible tendons that say the same several times, also
// things that cannot hold at once: of parallel ones the shortest pulls and the others
// are slack, and against each other they yield at the limit.
func TestRedundantCables(t *testing.T) {
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
