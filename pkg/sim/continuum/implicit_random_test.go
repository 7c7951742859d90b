package continuum

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// randomRobot draws a robot with anything that the implicit method knows, and
// inputs to it.
func randomRobot(r *rand.Rand) (*robotfile.Continuum, *inputs) {
	vector := func(scale float64) spatial.Vec {
		return spatial.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Scale(scale)
	}
	sometimes := func(x float64) float64 { return x * float64(r.IntN(2)) }
	n := 2 + r.IntN(30)
	f := wire(n, 0, vector(5))
	if r.IntN(2) == 0 { // soft
		f.Rod.Radius, f.Rod.YoungsModulus, f.Rod.ShearModulus, f.Rod.Density = 0.005, 1e6, 3e5, 1000
	}
	f.Rod.Damping = robotfile.Damping{KelvinVoigt: sometimes(1e-3), Drag: sometimes(2), QuadraticDrag: sometimes(1)}
	f.Rod.Precurvature = vector(sometimes(3))
	f.Tip = robotfile.Tip{Mass: sometimes(0.01), Inertia: spatial.Vec{X: 1e-7, Y: 1e-7, Z: 1e-7}}
	if r.IntN(4) == 0 {
		f.DiskForce = robotfile.TransverseDiskForce
	}
	in := &inputs{Tip: force.TipWrench{Wrench: spatial.Wrench{Force: vector(sometimes(0.02)), Moment: vector(sometimes(0.002))}, Axes: force.Axes(r.IntN(2))}}
	if r.IntN(2) == 0 {
		in.Loads = []force.PointLoad{{At: 0.2 * r.Float64(), Wrench: spatial.Wrench{Force: vector(0.05), Moment: vector(0.001)}, Axes: force.Axes(r.IntN(2))}}
	}
	for k := range r.IntN(6) {
		var nodes []float64
		for i := 1; i <= n; i++ {
			if r.IntN(3) == 0 || (i == n && nodes == nil) {
				nodes = append(nodes, 0.2*float64(i)/float64(n))
			}
		}
		f.Tendons = append(f.Tendons, robotfile.Tendon{
			Name: string(rune('a' + k)), Offset: [2]float64{0.01 * r.NormFloat64(), 0.01 * r.NormFloat64()}, Twist: sometimes(10),
			Disks: robotfile.Disks{Positions: nodes, Mass: sometimes(0.001)}, Limits: robotfile.TendonLimits{MaxTension: 10},
			Stiffness: 1000, Friction: sometimes(0.3),
		})
		in.Setpoints = append(in.Setpoints, force.Setpoint{Mode: force.ControlMode(r.IntN(2)), Tension: r.Float64(), Pull: 0.003 * r.NormFloat64()})
	}
	return f, in
}

// beyondModel reports whether err says that the model knows nothing of the shape.
func beyondModel(err error) bool {
	var meet *DisksMeetError
	var coarse *CoarseMeshError
	return errors.As(err, &meet) || errors.As(err, &coarse)
}

// TestRandomRobots steps anything: no number is ever not finite, hardly a step is
// divided, and the saved state continues bit for bit.
func TestRandomRobots(t *testing.T) {
	steps, bad, ended := 0, uint64(0), 0
	for seed := range uint64(60) {
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
		bad += e.stepper.Counters().Divided
	}
	t.Logf("%d of %d steps divided, %d robots beyond the model", bad, steps, ended)
	if float64(bad) > 0.001*float64(steps) {
		t.Errorf("%d of %d steps divided, want at most one in a thousand", bad, steps)
	}
	if ended > 2 {
		t.Errorf("%d robots beyond the model, want at most 2", ended)
	}
}

// TestRandomEquilibria draws robots of which some are pulled beyond buckling: the
// others nearly always find a balance, and stay there.
func TestRandomEquilibria(t *testing.T) {
	failed, robots := 0, 100
	if testing.Short() {
		robots = 30 // without those that take a second to fail
	}
	for seed := range uint64(robots) {
		f, in := randomRobot(rand.New(rand.NewPCG(seed, 10)))
		e := implicitOf(t, f)
		if err := e.Equilibrate(in); err != nil {
			if !errors.Is(err, ErrBuckledBetweenDisks) && !beyondModel(err) {
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
