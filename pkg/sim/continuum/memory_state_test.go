package continuum_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
)

// TestMemoryIsSaved restores the state of a history-dependent robot in another one, which moves alike to
// the last bit, also from equilibrium to equilibrium.
func TestMemoryIsSaved(t *testing.T) { forOrders(t, testMemoryIsSaved) }

func testMemoryIsSaved(t *testing.T, order int) {
	f := remembering(order)
	for i := range f.Tendons {
		f.Tendons[i].Friction = 0.1
		f.Tendons[i].FrictionSprings = []robotfile.FrictionSpring{{Share: 1, Displacement: 1e-5}, {Share: 2, Displacement: 4e-5}, {Share: 1, Displacement: 1e-4}}
	}
	var models [2]*continuum.Model
	for i := range models {
		var err error
		if models[i], err = continuum.New(f); err != nil {
			t.Fatal(err)
		}
	}
	random := rand.New(rand.NewPCG(6, 0))
	input := port(t, models[0], "servo_jf")
	move := func(m *continuum.Model, tensions []float64, static bool) {
		t.Helper()
		m.Command(input, tensions)
		if static {
			if err := m.Equilibrate(); err != nil {
				t.Fatal(err)
			}
			return
		}
		for range 10 {
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
		}
	}
	some := func() (v []float64) {
		for range 4 {
			v = append(v, 2*random.Float64())
		}
		return v
	}
	for i := range 20 {
		move(models[0], some(), i%4 > 1)
	}
	state, other := make([]float64, models[0].StateLen()), make([]float64, models[1].StateLen())
	models[0].Save(state)
	if err := models[1].Restore(state); err != nil {
		t.Fatal(err)
	}
	for i := range 80 {
		v := some()
		for k, m := range models {
			move(m, v, i%4 > 1)
			m.Save([][]float64{state, other}[k])
		}
		if !slices.Equal(state, other) {
			t.Fatalf("other states %d moves after", i+1)
		}
	}
	if bare, err := continuum.New(plain(order)); err != nil || bare.StateLen() >= len(state) || bare.IsHistoryDependent() || !models[0].IsHistoryDependent() {
		t.Errorf("%d values with memory, %d without: %v", len(state), bare.StateLen(), err)
	}
}

// The other methods have no memory.
func TestMemoryIsImplicit(t *testing.T) {
	for name, change := range map[string]func(*robotfile.Rod){
		"viscoelasticity": func(r *robotfile.Rod) {
			r.Viscoelasticity = []robotfile.MaxwellBranch{{ModulusRatio: 1, RelaxationTime: 1}}
		},
		"bending_friction":    func(r *robotfile.Rod) { r.BendingFriction = loops },
		"rotational_drag_n_s": func(r *robotfile.Rod) { r.Damping.RotationalDrag = 1 },
	} {
		for method, want := range map[robotfile.RodMethod]error{robotfile.Explicit: continuum.ErrNotInExplicit, robotfile.Reference: continuum.ErrNotInReference} {
			f := silicone(20)
			f.Solver.Method = method
			change(&f.Rod)
			if _, err := continuum.New(f); !errors.Is(err, want) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s, method %s: error %v", name, method, err)
			}
		}
	}
}

// BenchmarkEquilibriumPath is a row of a path of equilibria with and without memory, around on a circle and at random.
func BenchmarkEquilibriumPath(b *testing.B) {
	smooth := rubbing()["parallel"]
	for i := range smooth.Tendons {
		smooth.Tendons[i].Friction, smooth.Tendons[i].FrictionSprings = 0, nil
	}
	strong := rubbing()["parallel"]
	for i := range strong.Tendons {
		strong.Tendons[i].Friction = 1.2
	}
	for _, c := range []struct {
		name string
		file *robotfile.Continuum
		mode force.ControlMode
		past bool // whether rows have predecessors
	}{
		{"memory", remembering(4), force.TensionControl, true}, {"plain", plain(4), force.TensionControl, true},
		{"tendons", rubbing()["parallel"], force.TensionControl, true}, {"tendons, lengths", rubbing()["parallel"], force.LengthControl, true},
		{"strong", strong, force.TensionControl, true}, {"strong, lengths", strong, force.LengthControl, true},
		{"just pulled", rubbing()["parallel"], force.TensionControl, false}, {"just pulled, lengths", rubbing()["parallel"], force.LengthControl, false},
		{"smooth", smooth, force.TensionControl, true}, {"smooth, lengths", smooth, force.LengthControl, true},
	} {
		for name, way := range map[string]func(force.ControlMode, int) *inputs{"circle": circling, "random": jumping} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				e, i, chords, tangents := implicitOf(b, c.file), 0, 0, 0
				for b.Loop() {
					if !c.past {
						e.System.Reset()
					}
					equilibrate(b, e, way(c.mode, i))
					i++
					chords += e.Stepper.Report().Chords
					tangents += e.Stepper.Report().Iterations - e.Stepper.Report().Chords
				}
				b.ReportMetric(float64(tangents)/float64(i), "tangents/op")
				b.ReportMetric(float64(chords)/float64(i), "chords/op")
			})
		}
	}
}

// jumping is row i of a way on which every tendon goes anywhere between slack and circling's most.
func jumping(mode force.ControlMode, i int) *inputs {
	random := rand.New(rand.NewPCG(9, uint64(i)))
	var way [4]float64
	for k := range way {
		way[k] = 2 * random.Float64() / 3
	}
	return commandedBy(control{mode, 1}, way[:]...)
}

// circling is row i of a way on which all tendons are pulled and let go, one after the other.
func circling(mode force.ControlMode, i int) *inputs {
	var way [4]float64
	for k := range way {
		way[k] = (1 + math.Sin(0.1*float64(i)+0.5*math.Pi*float64(k))) / 3
	}
	return commandedBy(control{mode, 1}, way[:]...)
}

// BenchmarkMemoryStep is a step of 1 ms with and without memory.
func BenchmarkMemoryStep(b *testing.B) {
	for _, c := range []struct {
		name string
		file *robotfile.Continuum
	}{{"memory", remembering(4)}, {"plain", plain(4)}} {
		b.Run(c.name, func(b *testing.B) {
			e, in, i, iterations := implicitOf(b, c.file), pulling(0, 0, 0, 0), 0, 0
			for b.Loop() {
				for k := range in.Setpoints {
					in.Setpoints[k].Tension = 1 + math.Sin(0.01*float64(i)+float64(k))
				}
				if err := e.Step(1e-3, in); err != nil {
					b.Fatal(err)
				}
				i++
				iterations += e.Stepper.Report().Iterations
			}
			b.ReportMetric(float64(iterations)/float64(i), "iterations/step")
		})
	}
}

// The smallest numbers of memory that a robot file may have do nothing, and no harm.
func TestSmallestMemory(t *testing.T) {
	want := implicitOf(t, plain(4))
	f := plain(4)
	f.Rod.Viscoelasticity = []robotfile.MaxwellBranch{{ModulusRatio: 1e-9, RelaxationTime: 1e-9}}
	f.Rod.BendingFriction = []robotfile.ElastoplasticSpring{{Stiffness: 1e-15, Limit: 1e-15}}
	for i := range f.Tendons {
		f.Tendons[i].Friction = 1e-9
		f.Tendons[i].FrictionSprings = []robotfile.FrictionSpring{{Share: 1e-9, Displacement: 1e-9}, {Share: 1000, Displacement: 1e-9}}
	}
	e := implicitOf(t, f)
	for i := range 40 {
		in := pulling(1+math.Sin(float64(i)), 0.5, 0, 0.3)
		for _, x := range []*continuumtest.Robot{e, want} {
			if i%10 == 9 {
				equilibrate(t, x, in)
			} else if err := x.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
		}
	}
	within(t, "tip", tip(e), tip(want), 1e-6)
}
