package continuum_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/test/testsize"
)

// beyondModel reports whether err says that the model knows nothing of the shape.
func beyondModel(err error) bool {
	var meet *continuum.DiskCollisionError
	var coarse *continuum.CoarseMeshError
	return errors.As(err, &meet) || errors.As(err, &coarse)
}

// TestRandomRobots steps anything: no number is ever not finite, hardly a step is
// divided, and the saved state continues bit for bit.
func TestRandomRobots(t *testing.T) {
	steps, bad, ended, robots := 0, uint64(0), 0, testsize.Of[uint64](15, 30, 60)
	for seed := range robots {
		r := rand.New(rand.NewPCG(seed, 9))
		f, in := randomRobot(r)
		e := implicitOf(t, f)
		saved := make([]float64, e.StateLen())
		beyond := false
		run := func(n int) []float64 {
			for i := range n {
				for k := range in.Setpoints {
					in.Setpoints[k].Tension = 0.5 + 0.5*math.Sin(float64(i+k))
				}
				if err := e.Step(1e-3, in); beyondModel(err) {
					beyond = true
				} else if err != nil {
					t.Fatalf("robot %d: %v", seed, err)
				}
				steps++
			}
			s := make([]float64, e.StateLen())
			e.Save(s)
			return s
		}
		if run(50); beyond {
			ended++
			continue
		}
		e.Save(saved)
		want := run(50)
		e.Restore(saved)
		got := run(50)
		for i, x := range got {
			if x-x != 0 || x != want[i] {
				t.Fatalf("robot %d: value %d of the state is %v, want exactly %v", seed, i, x, want[i])
			}
		}
		bad += e.Stepper.Counters().Divided
	}
	t.Logf("%d of %d steps divided, %d robots beyond the model", bad, steps, ended)
	if float64(bad) > 0.001*float64(steps) {
		t.Errorf("%d of %d steps divided, want at most one in a thousand", bad, steps)
	}
	if ended > int(robots)/30 {
		t.Errorf("%d of %d robots beyond the model, want at most one in 30", ended, robots)
	}
}

// TestRandomEquilibria draws robots of which some are pulled beyond buckling: the
// others nearly always find a balance, and stay there.
func TestRandomEquilibria(t *testing.T) {
	t.Parallel()
	failed, robots := 0, testsize.Of(10, 40, 100)
	for seed := range uint64(robots) {
		f, in := randomRobot(rand.New(rand.NewPCG(seed, 10)))
		e := implicitOf(t, f)
		if err := e.Equilibrate(in); err != nil {
			if !errors.Is(err, continuum.ErrBuckledBetweenDisks) && !beyondModel(err) {
				failed++
				t.Logf("robot %d: %v", seed, err)
			}
			continue
		}
		// it stays where it is
		before := e.NodePose(f.Rod.Elements).P
		friction := false
		for _, x := range f.Tendons {
			friction = friction || x.Friction > 0
		}
		for range 20 {
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
		}
		if d := e.NodePose(f.Rod.Elements).P.Sub(before).Norm(); !(d < 1e-7) && !friction {
			t.Errorf("robot %d: tip moves by %.3g m from its equilibrium", seed, d)
		}
	}
	// that one would reach the Euler load between disks with all its load, but leans
	// over before, with an eigenvalue below 0
	if failed > 1 {
		t.Errorf("%d of %d robots have no equilibrium and do not buckle, want at most one", failed, robots)
	}
}
