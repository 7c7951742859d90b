package multibody_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/robotfile"
)

// commandAtRandom gives motors and tendons random commands within their limits every 50 ms. It returns the error that ends the motion.
func commandAtRandom(t *testing.T, f *robotfile.Mechanism, seed uint64, periods int) (m sim.Model, err error) {
	m = mustModel(t, f)
	in, r := sim.NewInputs(m), rand.New(rand.NewPCG(seed, 1))
	for n := 0; n < 50*periods && err == nil; n++ {
		for _, name := range []string{"servo_jf", "servo_jp"} {
			if n%50 != 0 {
				break
			}
			k := portOf(t, m, name, sim.In)
			p := &m.Ports()[k]
			v := make([]float64, p.Width())
			for i := range v {
				v[i] = p.Min[i] + r.Float64()*(p.Max[i]-p.Min[i])
			}
			if s := in.Set(k, v); !s.OK() {
				t.Fatal(s)
			}
		}
		in.Advance(f.Solver.Step)
		err = m.Step(f.Solver.Step)
	}
	return m, err
}

// TestRandomCommandsEndNoMotion of the arm, whose motors shake its rod.
func TestRandomCommandsEndNoMotion(t *testing.T) {
	f := read(t, "arm_with_rod")
	for _, seed := range []uint64{2, 6} {
		if _, err := commandAtRandom(t, f, seed, 20); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// TestDisksThatCollideAreNamed, and announced: with tendons that may pull with 20 N holes pass each other, where the direction of the
// tendon jumps.
func TestDisksThatCollideAreNamed(t *testing.T) {
	f := read(t, "arm_with_rod")
	for i := range f.Tendons {
		f.Tendons[i].Limits.MaxTension = 20
	}
	m, err := commandAtRandom(t, f, 6, 20)
	var e *mechanism.DiskCollisionError
	if !errors.As(err, &e) || e.Rod != "flexible" || !(e.Ratio < mechanism.LeastDiskDistance) {
		t.Errorf("the motion ends with %v", err)
	}
	k := slices.IndexFunc(m.Gauges(), func(g sim.Gauge) bool { return g.Key == "disk_approach" })
	values := make([]float64, len(m.Gauges()))
	m.Measure(values)
	if g := m.Gauges()[k]; !(values[k] > g.Warn && values[k] < 1) {
		t.Errorf("%s is %.3g before, it warns above %g", g.Key, values[k], g.Warn)
	}
	t.Log(err)
}
