package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// loadedRobot is a robot with all that both methods know.
func loadedRobot(n int, method robotfile.RodMethod) *robotfile.Continuum {
	f := silicone(n)
	f.Solver = robotfile.RodSolver{Method: method, Step: map[robotfile.RodMethod]float64{robotfile.Explicit: 1e-5, robotfile.Implicit: 1e-4}[method]}
	f.Rod.Precurvature = spatial.Vec{X: 0.5, Y: 1, Z: 0.4}
	f.Rod.Damping = robotfile.Damping{KelvinVoigt: 1e-5, Drag: 2, QuadraticDrag: 0.5}
	f.Tip = robotfile.Tip{Mass: 0.002, Inertia: spatial.Vec{X: 1e-7, Y: 1e-7, Z: 1e-7}}
	f.InitialState = robotfile.Equilibrium
	f.Loads = []robotfile.RodLoad{{At: 0.125, Force: spatial.Vec{Y: 0.05}, Moment: spatial.Vec{Z: 0.001}, Until: math.Inf(1)}}
	f.Tendons[0].Stiffness, f.Tendons[1].Stiffness = 800, 800
	pull := 0.004
	f.Tendons[1].Pull = &pull
	f.Tendons[0].Tension = 2
	f.Tendons[1].Twist = 4
	return f
}

// Two discretisations that share no kernel, staggered nodes and elements against
// constant-strain elements, come to the same shape, base wrench and tendon
// lengths, at second order.
func TestExplicitAndImplicitAgreeAtRest(t *testing.T) {
	skipInShort(t)
	const (
		limit = 1e-3 // of the scale, at n = 40
		same  = 1e-5 // no discretisation error to speak of
	)
	apart := func(n int, name string, scale float64) (worst float64) {
		x := value(t, newModel(t, loadedRobot(n, robotfile.Explicit)), name)
		y := value(t, newModel(t, loadedRobot(n, robotfile.Implicit)), name)
		for i := range x {
			worst = math.Max(worst, math.Abs(x[i]-y[i])/scale)
		}
		return worst
	}
	for name, scale := range map[string]float64{
		"measured_cp": 0.25, // m; and the quaternion beside it
		"measured_js": 2,    // N; pulls are smaller
		"measured_cf": 0.5,  // N; moments are smaller
	} {
		coarse, fine := apart(20, name, scale), apart(40, name, scale)
		t.Logf("%s differs by %.3g at n = 20, %.3g at n = 40", name, coarse, fine)
		if !(fine < limit) || !(fine < 0.35*coarse || fine < same) {
			t.Errorf("%s differs by %.3g at n = 20, %.3g at n = 40", name, coarse, fine)
		}
	}
}

// Without damping, rod, weight and elastic tendons keep their energy together.
func TestElasticTendonsKeepTheEnergy(t *testing.T) {
	skipInShort(t)
	f := silicone(10)
	pull := 0.003
	for i := range f.Tendons {
		f.Tendons[i].Stiffness, f.Tendons[i].Pull = 500, &pull
	}
	m := newModel(t, f)
	n, elementMass := len(f.Tendons), f.Rod.Density*math.Pi*f.Rod.Radius*f.Rod.Radius*f.Rod.Length/10
	energy := func() float64 {
		sum := gaugeOf(m, "kinetic_energy") + gaugeOf(m, "elastic_energy")
		for k, tension := range value(t, m, "measured_js")[2*n:] {
			sum += 0.5 * tension * tension / f.Tendons[k].Stiffness
		}
		poses := nodePoses(t, m)
		for k := range poses {
			share := 1.0
			if k == 0 || k == 10 {
				share = 0.5
			}
			sum -= share * elementMass * f.Gravity.Dot(poses[k].P)
		}
		for k := range 10 { // a disk on each node
			sum -= f.Tendons[0].Disks.Mass * f.Gravity.Dot(poses[k+1].P)
		}
		return sum
	}
	start := energy()
	var early, late, scale float64
	const steps = 100000
	for i := range steps {
		step(t, m, 2e-5, 1)
		scale = math.Max(scale, gaugeOf(m, "kinetic_energy"))
		if d := math.Abs(energy() - start); i < steps/2 {
			early = math.Max(early, d)
		} else {
			late = math.Max(late, d)
		}
	}
	t.Logf("energy off by %.3g, then %.3g of the largest kinetic energy", early/scale, late/scale)
	if !(early < 0.02*scale) || !(late < 1.5*early) {
		t.Errorf("energy off by %.3g, then %.3g of the largest kinetic energy", early/scale, late/scale)
	}
}
