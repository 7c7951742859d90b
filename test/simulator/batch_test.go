package simulator_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"sinew/launch/robots"
	"sinew/pkg/sim"
	"sinew/pkg/sim/batch"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/robotfile"
)

// rodsOf makes copies of a rod that comes with tendonsim; with varied, each
// of a Young's modulus of its own.
func rodsOf(t testing.TB, name string, n int, varied bool) (models []sim.Model) {
	t.Helper()
	return rodsOfElements(t, name, 0, n, varied)
}

// rodsOfElements makes copies with another number of elements, if any.
func rodsOfElements(t testing.TB, name string, elements, n int, varied bool) (models []sim.Model) {
	t.Helper()
	known, _ := robots.Find(name)
	file, err := robotfile.Parse[robotfile.Continuum](name, known.File())
	if err != nil {
		t.Fatal(err)
	}
	if elements > 0 {
		file.Rod.Elements = elements
	}
	robot, err := continuum.NewRobot(file)
	for i := range n {
		if varied {
			f := *file
			f.Rod.YoungsModulus *= 1 + 0.3*float64(i)/float64(n)
			robot, err = continuum.NewRobot(&f)
		}
		if err != nil {
			t.Fatal(err)
		}
		m, err := robot.NewModel()
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, m)
	}
	return models
}

// bodiesOf makes copies of a robot that comes with microrobot.
func bodiesOf(t testing.TB, name string, n int) (models []sim.Model) {
	t.Helper()
	known, _ := robots.Find(name)
	file, err := robotfile.Parse[robotfile.Microrobot](name, known.File())
	if err != nil {
		t.Fatal(err)
	}
	robot, err := microrobot.NewRobotWith(file, microrobot.Files{})
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		models = append(models, robot.NewModel())
	}
	return models
}

// commandWave commands the first port of every copy, each in its own phase, at the k-th period.
func commandWave(t testing.TB, b *batch.Batch, k int, most float64, v []float64) {
	for i := range b.Len() {
		for j := range v {
			phase := 0.01*float64(k) + 0.7*float64(i) + math.Pi/2*float64(j)
			v[j] = most * max(0, math.Sin(phase))
		}
		if verdict := b.Command(i, 0, v); verdict != sim.Accepted {
			t.Fatalf("copy %d: %v", i, verdict)
		}
	}
}

// Copies of real robots move with the same bits on any number of workers, and as each would alone.
func TestBatchHasTheSameBitsOnAnyWorkers(t *testing.T) {
	for _, c := range []struct {
		name string
		make func() []sim.Model
		most float64
		dt   float64
	}{
		{"nitinol", func() []sim.Model { return rodsOf(t, "nitinol", 7, false) }, 3.5, 1e-3},
		{"nitinol, varied", func() []sim.Model { return rodsOf(t, "nitinol", 7, true) }, 3.5, 1e-3},
		{"silicone, varied", func() []sim.Model { return rodsOf(t, "silicone", 5, true) }, 2, 1e-3},
		{"swimmer", func() []sim.Model { return bodiesOf(t, "swimmer", 9) }, 5e-3, 1e-3},
		{"beads", func() []sim.Model { return bodiesOf(t, "beads", 3) }, 5e-3, 1e-3},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want [][]float64
			for _, workers := range []int{1, 2, 5, 0} {
				var models []sim.Model
				if workers > 0 {
					models = c.make()
				} else {
					models = c.make()[1:2] // one alone
				}
				b, err := batch.New(models, workers)
				if err != nil {
					t.Fatal(err)
				}
				v := make([]float64, b.Ports()[0].Width())
				for k := range 40 {
					if workers > 0 {
						commandWave(t, b, k, c.most, v)
					} else {
						commandAlone(t, b, k, c.most, v)
					}
					if n := b.Step(c.dt, 3); n > 0 {
						t.Fatalf("step %d: %d failed: %v", k, n, errorsOf(b))
					}
				}
				var got [][]float64
				for i := range b.Len() {
					state := make([]float64, b.StateLen(i))
					b.Save(i, state)
					got = append(got, state)
				}
				b.Close()
				switch {
				case want == nil:
					want = got
					if slices.Equal(got[0], got[1]) {
						t.Error("copies of different commands are alike: nothing is tested")
					}
				case workers == 0:
					if !slices.Equal(got[0], want[1]) {
						t.Error("copy 1 alone moves otherwise")
					}
				case !slices.EqualFunc(got, want, slices.Equal[[]float64]):
					t.Errorf("%d workers: other bits than with one", workers)
				}
			}
		})
	}
}

// commandAlone commands a batch of copy 1 alone as commandWave commands copy 1.
func commandAlone(t testing.TB, b *batch.Batch, k int, most float64, v []float64) {
	for j := range v {
		v[j] = most * max(0, math.Sin(0.01*float64(k)+0.7+math.Pi/2*float64(j)))
	}
	if verdict := b.Command(0, 0, v); verdict != sim.Accepted {
		t.Fatal(verdict)
	}
}

func errorsOf(b *batch.Batch) error {
	var all []error
	for i := range b.Len() {
		if err := b.Err(i); err != nil {
			all = append(all, fmt.Errorf("copy %d: %w", i, err))
		}
	}
	return errors.Join(all...)
}

// A step of a batch of real robots does not allocate.
func TestBatchDoesNotAllocate(t *testing.T) {
	for name, models := range map[string][]sim.Model{"nitinol": rodsOf(t, "nitinol", 6, true), "swimmer": bodiesOf(t, "swimmer", 40)} {
		b, err := batch.New(models, 2)
		if err != nil {
			t.Fatal(err)
		}
		v := make([]float64, b.Ports()[0].Width())
		k := 0
		if n := testing.AllocsPerRun(50, func() { commandWave(t, b, k, 5e-3, v); b.Step(1e-3, 2); k++ }); n != 0 {
			t.Errorf("%s: %g allocations a step", name, n)
		}
		b.Close()
	}
}

// BenchmarkBatch steps 64 nitinol robots of 20 elements and of 10, which have the error of 20 of order 2,
// and 256 swimmers, by 1 ms under changing commands. robots are how many there may be in real time.
func BenchmarkBatch(b *testing.B) {
	for _, c := range []struct {
		name string
		make func() []sim.Model
		most float64
	}{
		{"nitinol", func() []sim.Model { return rodsOf(b, "nitinol", 64, false) }, 3.5},
		{"nitinol, 10 elements", func() []sim.Model { return rodsOfElements(b, "nitinol", 10, 64, false) }, 3.5},
		{"swimmer", func() []sim.Model { return bodiesOf(b, "swimmer", 256) }, 5e-3},
	} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", c.name, workers), func(b *testing.B) {
				const dt = 1e-3 // s
				many, err := batch.New(c.make(), workers)
				if err != nil {
					b.Fatal(err)
				}
				defer many.Close()
				v := make([]float64, many.Ports()[0].Width())
				b.ReportAllocs()
				for k := 0; b.Loop(); k++ {
					commandWave(b, many, k, c.most, v)
					if n := many.Step(dt, 1); n > 0 {
						b.Fatal(errorsOf(many))
					}
				}
				b.ReportMetric(float64(many.Len())*dt*float64(b.N)/b.Elapsed().Seconds(), "robots")
			})
		}
	}
}
