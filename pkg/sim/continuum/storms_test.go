package continuum_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/motion"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// storm makes every tendon jump to 0 or a random tension every 20 ms and the tip
// force every 0.4 s.
type storm struct {
	r       *rand.Rand
	highest float64 // N
	in      *inputs
}

func newStorm(seed uint64, highest float64) *storm {
	return &storm{rand.New(rand.NewPCG(seed, 1)), highest, pulling(0, 0, 0, 0)}
}

func (s *storm) blow(time float64) {
	every := func(period float64) bool { return math.Abs(math.Remainder(time, period)) < 1e-9 }
	if every(0.02) {
		for k := range s.in.Setpoints {
			s.in.Setpoints[k].Tension = 0
			if s.r.IntN(2) == 1 {
				s.in.Setpoints[k].Tension = s.highest * s.r.Float64()
			}
		}
	}
	if every(0.4) {
		s.in.Tip.Force = spatial.Vec{X: s.r.NormFloat64(), Y: s.r.NormFloat64(), Z: s.r.NormFloat64()}.Scale(0.1)
	}
}

// TestStress runs 1, 2 and 5 elements per gap with the solver that ships: realistic
// loads always converge, absurd ones have a shape that the model knows, or end in a
// named error, and are recovered from.
func TestStress(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	span := testsize.Of(0.1, 0.4, 1)
	summaries := stress(t, 4, span)
	stress(t, 2, 0.4*span)
	if testsize.IsFull() && runtime.GOARCH == "amd64" { // others round otherwise
		testDocument(t, "../../../docs/validation.md", strings.Join(summaries, "; "))
	}
}

// stress holds storms of so many seconds to their bounds, on elements of an order, and returns
// how they went.
func stress(t *testing.T, order int, span float64) (summaries []string) {
	for _, c := range []struct {
		highest float64 // N
		divided float64 // largest share of divided steps
		refused float64 // largest share of steps that end in an error
	}{{2, 0.001, 0}, {5, 0.01, 0}, {15, 0.1, 0.05}} {
		steps, refused, divided, iterations := 0, 0, uint64(0), 0
		for _, n := range []int{10, 20, 50} {
			for _, dt := range []float64{1e-3, 5e-4} {
				f := wire(n, 0.0005, sideways, 0, 90, 180, 270)
				f.Rod.Order = order
				e := implicitOf(t, f)
				s := newStorm(uint64(n), c.highest)
				for i := range int(span / dt) {
					s.blow(float64(i) * dt)
					if err := e.Step(dt, s.in); beyondModel(err) {
						refused++
						e.Reset() // as the service of that name does
					} else if err != nil {
						t.Fatal(err)
					}
					if p := e.NodePose(n).P; !p.IsFinite() || p.Norm() > 0.25 {
						t.Fatalf("tip at %v m", p)
					}
					steps++
					iterations += e.Stepper.Report().Iterations
				}
				divided += e.Stepper.Counters().Divided
				// it recovers: at rest again, every step converges
				before := e.Stepper.Counters().Divided
				calm := pulling(1, 0, 0, 0)
				for range 200 {
					if err := e.Step(dt, calm); err != nil {
						t.Fatal(err)
					}
				}
				if late := e.Stepper.Counters().Divided - before; late > 20 {
					t.Errorf("order %d, %g N, n = %d, %g s: %d steps divided after the storm", order, c.highest, n, dt, late)
				}
			}
		}
		t.Logf("order %d, up to %g N: of %d steps %d divided and %d refused, %.2f iterations per step", order, c.highest, steps, divided, refused, float64(iterations)/float64(steps))
		if float64(divided) > c.divided*float64(steps) || float64(refused) > c.refused*float64(steps) {
			t.Errorf("order %d, up to %g N: of %d steps %d divided and %d refused, want at most the shares %g and %g", order, c.highest, steps, divided, refused, c.divided, c.refused)
		}
		summaries = append(summaries, strings.ReplaceAll(fmt.Sprintf("up to %g N %d divided, %d refused", c.highest, divided, refused), " 0 ", " none "))
	}
	return summaries
}

// TestRegularMotionIsCheap holds the bounds on the iterations of regular motion: it
// is what makes the method run in real time.
func TestRegularMotionIsCheap(t *testing.T) {
	for _, n := range []int{20, 100} {
		e := implicitOf(t, wire(n, 0.0005, sideways, 0, 90, 180, 270))
		in := pulling(0, 0, 0, 0)
		for i := range 1000 {
			sweep(in, float64(i)*1e-3)
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
		}
		mean := float64(e.Stepper.Counters().Iterations) / float64(e.Stepper.Counters().Steps)
		if !(mean <= 3) || e.Stepper.Counters().MaxIterations >= uint64(e.Stepper.IterationCap()) || e.Stepper.Counters().Divided > 0 {
			t.Errorf("n = %d: %.2f iterations on average, %d at most, %d steps unconverged; want at most 3, fewer than %d, none", n, mean, e.Stepper.Counters().MaxIterations, e.Stepper.Counters().Divided, e.Stepper.IterationCap())
		}
	}
}

// TestModelReports follows the report through the gauges of a model.
func TestModelReports(t *testing.T) {
	f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
	f.Tendons[0].Tension = 2
	m, err := continuum.New(f)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
	}
	values, r := make([]float64, len(m.Gauges())), map[string]float64{}
	m.Measure(values)
	for i, g := range m.Gauges() {
		r[g.Key] = values[i]
	}
	if r["unconverged_steps"] != 0 || r["newton_iterations"] < 1 || r["bdf_order"] != 2 || !(r["newton_increment"] < motion.AngleTolerance) {
		t.Errorf("gauges %v of a regular third step", r)
	}
	if want := 2 / (math.Pi * math.Pi * continuumtest.Of(t, m).System.Rod.Stiffness.Bend.X / (0.02 * 0.02)); math.Abs(r["thrust_over_buckling_load"]-want) > 1e-12 {
		t.Errorf("total tension %g of the Euler load, want %g", r["thrust_over_buckling_load"], want)
	}
}
