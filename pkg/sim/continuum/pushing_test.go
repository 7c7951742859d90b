package continuum_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/test/testsize"
)

// Tendons with a least tension below 0 push, as rods in tubes do.

// pushingRobot draws a robot of which some tendons push, up to a least tension that some of them reach.
func pushingRobot(r *rand.Rand) (*robotfile.Continuum, *inputs) {
	f, in := randomRobot(r)
	for k := range f.Tendons {
		f.Tendons[k].MinTension = [...]float64{-0.3, -10}[r.IntN(2)]
		in.Setpoints[k].Tension *= float64(1 - 2*r.IntN(2))
	}
	return f, in
}

// TestJacobianOfPushingTendons is that of random robots of which some tendons push, by differences of equilibria.
func TestJacobianOfPushingTendons(t *testing.T) {
	t.Parallel()
	jacobianAsDifferences(t, pushingRobot)
}

// TestLinearisationOfPushingTendons is that of steps of such robots, by differences of steps.
func TestLinearisationOfPushingTendons(t *testing.T) {
	t.Parallel()
	linearisedAsDifferences(t, func(t *testing.T, r *rand.Rand) (*continuumtest.Robot, *inputs) {
		f, in := pushingRobot(r)
		for k := range f.Tendons {
			f.Tendons[k].Friction = 0
		}
		e := implicitOf(t, f)
		e.Command(in)
		return e, in
	})
}

// TestPushYieldsAtTheLeastTension asks for a push beyond the least tension: it holds in motion and in equilibrium, whatever the stiffness.
func TestPushYieldsAtTheLeastTension(t *testing.T) {
	for _, k := range []float64{1e3, 1e6, math.Inf(1)} {
		f := wire(20, 0.0005, sideways, 0)
		f.Rod.Damping.KelvinVoigt = 1e-3
		f.Tendons[0].Stiffness, f.Tendons[0].MinTension = k, -1
		in := pulling(0)
		in.Setpoints[0].Mode = force.LengthControl
		e := implicitOf(t, f)
		least := 0.0
		for i := range 1500 {
			in.Setpoints[0].Pull = max(-0.05, -1e-4*float64(i+1))
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
			least = min(least, e.Tension(0, in.Setpoints[0]))
		}
		if slack, _ := e.Tendons.Inactive(); least < -1 || slack != 1 {
			t.Errorf("k = %g N/m: tension down to %.9g N, %d tendons at the least tension, want at least −1 N and one", k, least, slack)
		}
		held := implicitOf(t, f) // under −1 N
		equilibrate(t, held, pulling(-1))
		yielding := implicitOf(t, f)
		equilibrate(t, yielding, in)
		within(t, "tip under the least tension", tip(yielding), tip(held), 1e-9)
	}
}

// TestUnreachedLeastTension: a least tension that no tendon reaches changes nothing, to the bit.
func TestUnreachedLeastTension(t *testing.T) {
	for _, friction := range []float64{0, 0.3} {
		states := [2][]float64{}
		for i, least := range []float64{0, -5} {
			f := wire(20, 0.0005, sideways, 0, 90)
			f.Rod.Damping.KelvinVoigt = 1e-3
			for k := range f.Tendons {
				f.Tendons[k].Stiffness, f.Tendons[k].Friction, f.Tendons[k].MinTension = 1e4, friction, least
			}
			in := pulling(1, 0.5)
			in.ControlLength(1, 0.003)
			e := implicitOf(t, f)
			equilibrate(t, e, in)
			for n := range 100 {
				in.Setpoints[0].Tension, in.Setpoints[1].Pull = 1+0.005*float64(n), 0.003+1e-5*float64(n)
				if err := e.Step(1e-3, in); err != nil {
					t.Fatal(err)
				}
			}
			states[i] = e.State()
		}
		if !slices.Equal(states[0], states[1]) {
			t.Errorf("friction %g: a least tension of −5 N changes a robot that pulls", friction)
		}
	}
}

// TestMethodsAgreeOnPushing: the explicit method pushes as the implicit one does, under tension and under length control.
func TestMethodsAgreeOnPushing(t *testing.T) {
	testsize.SkipInShort(t)
	var tips [2][]float64
	for i, method := range []robotfile.RodMethod{robotfile.Explicit, robotfile.Implicit} {
		f := loadedRobot(40, method)
		pull := -0.005
		f.Tendons[0].Tension, f.Tendons[1].Pull = -1, &pull
		for k := range f.Tendons {
			f.Tendons[k].MinTension = -5
		}
		m := newModel(t, f)
		x := tipPose(m).P
		tips[i] = []float64{x.X, x.Y, x.Z}
		js := value(t, m, "measured_js")
		if n := len(f.Tendons); !(js[2*n] == -1 && js[2*n+1] < -0.5) {
			t.Errorf("%s: tensions %g N, want −1 N and one below −0.5 N", method, js[2*n:])
		}
		if p := m.Ports()[port(t, m, "servo_jf")]; p.Min[0] != -5 {
			t.Errorf("%s: commands down to %g N, want −5 N", method, p.Min[0])
		}
	}
	within(t, "tip", tips[0], tips[1], 1e-3)
}
