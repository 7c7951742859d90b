package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// silicone is a soft robot of the explicit method: disks every tenth of its
// length, the last one at the tip.
func silicone(elements int) *robotfile.Continuum {
	disks := robotfile.Disks{Count: 10, First: 0.025, Last: 0.25}
	limits := robotfile.TendonLimits{MaxTension: 20, MaxRate: 1000, MaxPullRate: 0.1}
	f := &robotfile.Continuum{
		Rod: robotfile.Rod{
			Length: 0.25, Radius: 0.0055, Density: 997.7, YoungsModulus: 16598637, ShearModulus: 7216880,
			ShearCorrection: 27.0 / 28, Elements: elements, MaterialLaw: robotfile.Linear,
		},
		Base:         robotfile.Base{Direction: spatial.Vec{X: 1}, Normal: spatial.Vec{Z: 1}},
		Gravity:      spatial.Vec{Z: -9.80665},
		DiskForce:    robotfile.FullDiskForce,
		InitialState: robotfile.Straight,
		Solver:       robotfile.RodSolver{Method: robotfile.Explicit, Step: 1e-5},
		Tendons: []robotfile.Tendon{
			{Name: "up", Offset: [2]float64{0.015, 0}, Disks: disks, Limits: limits},
			{Name: "left", Offset: [2]float64{0, -0.012}, Disks: disks, Limits: limits},
		},
	}
	f.Tendons[0].Disks.Mass = 0.002
	return f
}

// Tip position and direction under smoothly growing tensions, disk masses, a
// payload and a load on the rod converge at second order in the element length.
func TestExplicitIsOfSecondOrderInElements(t *testing.T) {
	testsize.SkipInShort(t)
	run := func(n int) (p, d3 spatial.Vec) {
		f := silicone(n)
		f.InitialState = robotfile.Equilibrium // no waves that few elements cannot carry
		f.Tip = robotfile.Tip{Mass: 0.003, Inertia: spatial.Vec{X: 2e-7, Y: 2e-7, Z: 1e-7}}
		f.Loads = []robotfile.RodLoad{{At: 0.14, Force: spatial.Vec{Y: 0.02}, Moment: spatial.Vec{Z: 0.002, X: 1e-4}, Until: math.Inf(1), Frame: robotfile.BodyAxes}}
		f.Rod.Precurvature = spatial.Vec{X: 1, Y: 0.5}
		m := newModel(t, f)
		const steps, dt = 8000, 1e-5
		for i := range steps {
			s := float64(i) / steps
			s = s * s * (3 - 2*s)
			command(t, m, "servo_jf", 3*s, 1.5*s)
			step(t, m, dt, 1)
		}
		g := tipPose(m)
		return g.P, g.R.Col3()
	}
	p20, d20 := run(20)
	p40, d40 := run(40)
	p80, d80 := run(80)
	p, d := p20.Sub(p40).Norm()/p40.Sub(p80).Norm(), d20.Sub(d40).Norm()/d40.Sub(d80).Norm()
	t.Logf("n=40 to n=80 moves the tip by %.3g m and %.3g rad; ratios %.2f and %.2f", p40.Sub(p80).Norm(), d40.Sub(d80).Norm(), p, d)
	if !(p > 3.5 && p < 4.5) || !(d > 3.5) {
		t.Errorf("halving the elements divides the error by %.2f (tip) and %.2f (direction), want 4 and at least 4", p, d)
	}
}

// The silicone rod under its own weight: the tip of the continuum, with the
// linear law, is from shooting of the Cosserat equations.
func TestGravityCantilever(t *testing.T) {
	continuum := spatial.Vec{X: 0.24678141, Z: -0.03741836}
	const stated = 5e-3 // of the length, for a second-order method
	var errs [2]float64
	for i, n := range []int{10, 20} {
		f := silicone(n)
		f.Tendons = nil
		f.InitialState = robotfile.Equilibrium
		errs[i] = tipPose(newModel(t, f)).P.Sub(continuum).Norm()
	}
	t.Logf("errors %.3g m, %.3g m", errs[0], errs[1])
	if errs[1] > stated*0.25 || !(errs[0]/errs[1] > 3.5 && errs[0]/errs[1] < 4.6) {
		t.Errorf("errors %.3g m at n = 10, %.3g m at n = 20: not of second order", errs[0], errs[1])
	}
}

// An equilibrium stays where it is when it is stepped.
func TestEquilibriumIsAtRest(t *testing.T) {
	f := silicone(10)
	f.InitialState = robotfile.Equilibrium
	f.Tendons[0].Tension, f.Tendons[1].Tension = 3, 1
	f.Loads = []robotfile.RodLoad{{At: 0.25, Force: spatial.Vec{Z: -0.05}, Until: math.Inf(1)}}
	m := newModel(t, f)
	before := tipPose(m).P
	step(t, m, 2e-5, 5000)
	if d := tipPose(m).P.Sub(before).Norm(); d > 1e-7 {
		t.Errorf("moved by %.3g m in 0.1 s", d)
	}
}

// A load that ends at t = 0 bends the initial state and then lets go.
func TestLoadThatEndsAtZeroIsARelease(t *testing.T) {
	f := silicone(10)
	f.InitialState = robotfile.Equilibrium
	f.Gravity = spatial.Vec{}
	f.Tendons = nil
	f.Loads = []robotfile.RodLoad{{At: 0.25, Force: spatial.Vec{Z: 0.2}, Until: 0}}
	m := newModel(t, f)
	start := tipPose(m).P.Z
	if start < 0.02 {
		t.Fatalf("tip at %.4g m before the release", start)
	}
	lowest := start
	for range 6000 {
		step(t, m, 5e-5, 1)
		lowest = math.Min(lowest, tipPose(m).P.Z)
	}
	if !(lowest < -0.8*start) {
		t.Errorf("released from %.4g m, the undamped tip swings to %.4g m only", start, lowest)
	}
	f.Loads[0].Until = math.Inf(1)
	m = newModel(t, f)
	step(t, m, 5e-5, 2000)
	if d := math.Abs(tipPose(m).P.Z - start); d > 1e-6 {
		t.Errorf("a load that lasts lets the tip move by %.3g m", d)
	}
}

// At rest the base carries the weight of rod, disks and payload; what the motors
// pull at the tendons the rod pushes back.
func TestBaseCarriesTheWeight(t *testing.T) {
	f := silicone(10)
	f.InitialState = robotfile.Equilibrium
	f.Tendons[0].Tension, f.Tendons[1].Tension = 3, 1
	f.Tip = robotfile.Tip{Mass: 0.004}
	f.Gravity = spatial.Vec{X: 2, Y: -3, Z: -8}
	m := newModel(t, f)
	nodes := nodePoses(t, m)
	var force, moment spatial.Vec
	weigh := func(k int, mass float64) {
		w := f.Gravity.Scale(-mass)
		force = force.Add(w)
		moment = moment.Add(nodes[k].P.Cross(w))
	}
	for k := range 11 {
		share := 1.0
		if k == 0 || k == 10 {
			share = 0.5
		}
		weigh(k, share*elementMass(f))
	}
	for k := 1; k <= 10; k++ {
		weigh(k, f.Tendons[0].Disks.Mass)
	}
	weigh(10, 0.004)
	w := value(t, m, "measured_cf")
	r := basePose(m).R
	want := append(vals(r.ApplyT(force)), vals(r.ApplyT(moment))...)
	for i := range want {
		if math.Abs(w[i]-want[i]) > 1e-7 {
			t.Errorf("base wrench %v, want %v", w, want)
			break
		}
	}
}

// elementMass is the mass of an element of a round rod, kg.
func elementMass(f *robotfile.Continuum) float64 {
	return f.Rod.Density * math.Pi * f.Rod.Radius * f.Rod.Radius * f.Rod.Length / float64(f.Rod.Elements)
}

func vals(v spatial.Vec) []float64 { return []float64{v.X, v.Y, v.Z} }

// The reference rod carries its weight, and TendonForces' own, in the same way.
func TestReferenceBaseCarriesTheWeight(t *testing.T) {
	testsize.SkipInShort(t)
	r := readRun(t, "tf_two_tendons_small_n20")
	f := r.file()
	f.Rod.Damping.Drag = 8
	m := newModel(t, f)
	step(t, m, 5e-5, 100000)
	w := value(t, m, "measured_cf")
	weight := 9.80665 * (elementMass(f)*20 + 4*0.002 + 5*0.001)
	// base axes: x is world z, y is world −y, z is world x
	if math.Abs(w[0]-weight) > 1e-4*weight || math.Hypot(w[1], w[2]) > 1e-4*weight {
		t.Errorf("base force %v, want %.6f along x", w[:3], weight)
	}
}

// Rotating base, gravity and loads rotates the motion.
func TestRobotIsFrameIndifferent(t *testing.T) {
	turn := spatial.Quat{W: 0.3, X: 0.5, Y: -0.6, Z: 0.55}.Normalized().Rot()
	run := func(r spatial.Mat3, p spatial.Vec) spatial.Pose {
		f := silicone(10)
		f.Base = robotfile.Base{Position: p, Direction: r.Apply(spatial.Vec{X: 1}), Normal: r.Apply(spatial.Vec{Z: 1})}
		f.Gravity = r.Apply(f.Gravity)
		f.Tendons[0].Tension, f.Tendons[1].Tension = 2, 1
		m := newModel(t, f)
		w := r.Apply(spatial.Vec{X: 0.1, Y: 0.05})
		command(t, m, "external_wrench", w.X, w.Y, w.Z, 0, 0, 0, 0)
		step(t, m, 2e-5, 3000)
		return tipPose(m)
	}
	shift := spatial.Vec{X: 1, Y: 2, Z: 3}
	a, b := run(spatial.Identity3(), spatial.Vec{}), run(turn, shift)
	if d := turn.Apply(a.P).Add(shift).Sub(b.P).Norm(); d > 1e-10 {
		t.Errorf("tip off by %.3g m", d)
	}
}

// Without damping, rod, weight and elastic tendons keep their energy together.
func TestElasticTendonsKeepTheEnergy(t *testing.T) {
	t.Parallel()
	testsize.SkipInShort(t)
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
