package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// The explicit method shares nothing with the implicit one but the material: the
// two limits of fine meshes and steps must be one.

// extrapolated returns the limit of a second-order sequence whose last two terms
// are a and b, the mesh of b being half as wide.
func extrapolated(a, b spatial.Vec) spatial.Vec { return b.AddScaled(1./3, b.Sub(a)) }

// moved returns the tip of the silicone robot after tensions have risen over 0.1 s
// and acted until 0.4 s.
func moved(t *testing.T, method robotfile.RodMethod, elements int, dt float64) spatial.Vec {
	f := silicone(elements)
	f.Solver = robotfile.RodSolver{Method: method, Step: dt}
	r, err := continuum.NewRobot(f)
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.NewModel()
	if err != nil {
		t.Fatal(err)
	}
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

func TestImplicitAndExplicitAgreeInTheLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
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

func TestImplicitAndExplicitAgreeOnTransverseForces(t *testing.T) {
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
