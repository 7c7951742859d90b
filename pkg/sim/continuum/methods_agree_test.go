package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// The explicit method shares nothing with the implicit one but the material, neither kernels nor
// places of unknowns: both have the same limits.

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
func TestMethodsAgreeAtRest(t *testing.T) {
	testsize.SkipInShort(t)
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

// TestMethodsAgreeOnUnequalElements is TestMethodsAgreeAtRest with disks
// anywhere.
func TestMethodsAgreeOnUnequalElements(t *testing.T) {
	testsize.SkipInShort(t)
	file := func(n int, method robotfile.RodMethod) *robotfile.Continuum {
		f := loadedRobot(n, method)
		f.Solver.Step /= 10
		for k, disks := range [][]float64{{0.011, 0.06, 0.113, 0.2, 0.244}, {0.03, 0.113, 0.171, 0.237}} {
			f.Tendons[k].Disks = robotfile.Disks{Positions: disks, Mass: 0.002}
		}
		return f
	}
	apart := func(n int) float64 {
		x := tipPose(newModel(t, file(n, robotfile.Explicit)))
		y := tipPose(newModel(t, file(n, robotfile.Implicit)))
		return math.Hypot(x.P.Sub(y.P).Norm()/0.25, x.R.TMul(y.R).Log().Norm())
	}
	coarse, fine := apart(24), apart(48)
	t.Logf("tips differ by %.3g at n = 24, %.3g at n = 48", coarse, fine)
	if !(fine < 1e-3) || !(fine < 0.35*coarse) {
		t.Errorf("tips differ by %.3g at n = 24, %.3g at n = 48", coarse, fine)
	}
}

// extrapolated returns the limit of a second-order sequence whose last two terms
// are a and b, the mesh of b being half as wide.
func extrapolated(a, b spatial.Vec) spatial.Vec { return b.AddScaled(1./3, b.Sub(a)) }

// moved returns the tip of the silicone robot after tensions have risen over 0.1 s
// and acted until 0.4 s.
func moved(t *testing.T, method robotfile.RodMethod, elements int, dt float64) spatial.Vec {
	f := silicone(elements)
	f.Solver = robotfile.RodSolver{Method: method, Step: dt}
	m := newModel(t, f)
	const span = 0.4
	n := int(math.Round(span / dt))
	// a step acts with its loads in its middle, or at its end
	at := map[robotfile.RodMethod]float64{robotfile.Explicit: 0.5, robotfile.Implicit: 1}[method]
	for i := range n {
		rise := math.Min((float64(i)+at)*dt/0.1, 1)
		rise = rise * rise * (3 - 2*rise)
		command(t, m, "servo_jf", 3*rise, 1.5*rise)
		if err := m.Step(dt); err != nil {
			t.Fatal(err)
		}
	}
	return tipPose(m).P
}

// TestMethodsAgreeInMotion compares the limits of fine meshes and steps.
func TestMethodsAgreeInMotion(t *testing.T) {
	t.Parallel()
	testsize.SkipInShort(t)
	const length, tolerance = 0.25, 1e-4
	// the explicit steps are so small that only the mesh counts; the implicit ones
	// halve with the mesh, and so do both errors at once
	explicit := extrapolated(moved(t, robotfile.Explicit, 40, 2e-6), moved(t, robotfile.Explicit, 80, 2e-6))
	implicit := extrapolated(moved(t, robotfile.Implicit, 40, 2e-4), moved(t, robotfile.Implicit, 80, 1e-4))
	d := explicit.Sub(implicit).Norm() / length
	t.Logf("limits differ by %.2e of the length", d)
	if !(d <= tolerance) {
		t.Errorf("explicit %v, implicit %v: %.3g of the length apart, want at most %g", explicit, implicit, d, tolerance)
	}
}

// TestMethodsAgreeOnTransverseDiskForces compares the limits of equilibria.
func TestMethodsAgreeOnTransverseDiskForces(t *testing.T) {
	testsize.SkipInShort(t)
	at := func(method robotfile.RodMethod, force robotfile.DiskForce, elements int) spatial.Vec {
		f := silicone(elements)
		f.DiskForce = force
		f.Solver = robotfile.RodSolver{Method: method, Step: 1e-6}
		m := newModel(t, f)
		command(t, m, "servo_jf", 2, 1)
		if err := m.Equilibrate(); err != nil {
			t.Fatal(err)
		}
		return tipPose(m).P
	}
	const length = 0.25
	limit := func(method robotfile.RodMethod, force robotfile.DiskForce, elements int) spatial.Vec {
		return extrapolated(at(method, force, elements), at(method, force, 2*elements))
	}
	apart := func(elements int) float64 {
		const force = robotfile.TransverseDiskForce
		return limit(robotfile.Implicit, force, elements).Sub(limit(robotfile.Explicit, force, elements)).Norm() / length
	}
	effect := limit(robotfile.Implicit, robotfile.TransverseDiskForce, 40).Sub(limit(robotfile.Implicit, robotfile.FullDiskForce, 40)).Norm() / length
	coarse, fine := apart(20), apart(40)
	t.Logf("methods differ by %.2e and %.2e, the convention makes %.2e of the length", coarse, fine, effect)
	// the normal of the explicit method's last disk is that of half an element
	// before, which is of first order
	if !(fine < 0.6*coarse) || !(fine < 0.2*effect) {
		t.Errorf("the methods are %.3g and then %.3g of the length apart, the convention makes %.3g", coarse, fine, effect)
	}
}
