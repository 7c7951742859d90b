package continuum_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/equilibrium"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// nearby returns the robot file with numbers that differ by a share of them.
func nearby(f *robotfile.Continuum, share float64) *robotfile.Continuum {
	g := *f
	g.Rod.YoungsModulus *= 1 + share
	g.Rod.Radius *= 1 - share/3
	g.Rod.Density *= 1 + 2*share
	g.Rod.Precurvature = g.Rod.Precurvature.Scale(1 - share)
	g.Base.Position.X += share * 0.01
	g.Tendons = append([]robotfile.Tendon(nil), f.Tendons...)
	for k := range g.Tendons {
		g.Tendons[k].Stiffness *= 1 - share
		g.Tendons[k].Friction *= 1 + share
		g.Tendons[k].Limits.MaxTension *= 1 - share
		g.Tendons[k].Offset[0] *= 1 + share
	}
	return &g
}

// solveNear finds the equilibrium of e under in with the tangent of the reference alone.
func solveNear(e, reference *continuumtest.Robot, in *inputs) error {
	act(e, in, loadsOf(e.Model))
	if err := e.Solver.SolveNear(reference.Solver); err != nil {
		return err
	}
	return solved(e, nil)
}

// TestEquilibriaNearAReference finds equilibria of random robots whose numbers differ by 1e-4 from those
// of a reference: they are what searches from the stress-free shape find, in a few iterations without a tangent
// of their own.
func TestEquilibriaNearAReference(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	found, far, iterations, yields := 0, 0, 0, 0
	robots := testsize.Of(15, 60, 60) // of the first 24 none yields
	for seed := range uint64(robots) {
		r := rand.New(rand.NewPCG(seed, 19))
		f, in := randomRobot(r)
		for k := range f.Tendons { // some yield
			f.Tendons[k].Limits.MaxTension = 0.5 + 0.5*r.Float64()
			in.Setpoints[k].Tension = min(in.Setpoints[k].Tension, 0.5)
		}
		reference, e, own := implicitOf(t, f), implicitOf(t, nearby(f, 1e-4)), implicitOf(t, nearby(f, 1e-4))
		reference.KeepReference()
		if reference.Equilibrate(in) != nil || own.Equilibrate(in) != nil {
			continue
		}
		if err := solveNear(e, reference, in); errors.Is(err, equilibrium.ErrNotNearReference) {
			far++
			continue
		} else if err != nil {
			t.Fatalf("robot %d: %v", seed, err)
		}
		found++
		_, yielding := own.Tendons.Inactive()
		yields += yielding
		iterations += e.Stepper.Report().Iterations
		for i := range e.System.State.Pose {
			if d := e.System.State.Pose[i].P.Sub(own.System.State.Pose[i].P).Norm(); !(d < 1e-8*f.Rod.Length) {
				t.Fatalf("robot %d: node %d is %g m from where a search of its own ends", seed, i, d)
			}
		}
		for k, x := range e.Tendons.Multipliers() {
			if d := math.Abs(x - own.Tendons.Multipliers()[k]); !(d < 1e-7*(1+x)) {
				t.Fatalf("robot %d: tendon %d has %g N, by a search of its own %g N", seed, k, x, own.Tendons.Multipliers()[k])
			}
		}
	}
	t.Logf("%d found near the reference in %.2f iterations each, %d tendons yield, %d not near", found, float64(iterations)/float64(found), yields, far)
	if found < robots*3/4 || !testing.Short() && yields < 5 || far > found/20 {
		t.Errorf("%d found near the reference, %d not near", found, far)
	}
}

// TestPathsNearAReference moves robots with history-dependent equilibria, by friction of tendons and by Jenkins elements
// in the rod, along a path with turns. Each robot near the reference has its own history, as by searches of its own.
func TestPathsNearAReference(t *testing.T) {
	for route, f := range rubbing() {
		f.Rod.BendingFriction = []robotfile.ElastoplasticSpring{{Stiffness: 1e-3, Limit: 2e-4}, {Stiffness: 1e-3, Limit: 1e-3}}
		for mode, name := range map[force.ControlMode]string{force.TensionControl: "tension", force.LengthControl: "length"} {
			reference, e, own := implicitOf(t, f), implicitOf(t, nearby(f, 1e-5)), implicitOf(t, nearby(f, 1e-5))
			reference.KeepReference()
			near, worst := 0, 0.0
			const rows = 24
			for row := range rows {
				wave := math.Sin(2 * math.Pi * float64(row) / 9)
				in := &inputs{}
				for k := range f.Tendons {
					part := wave
					if k%2 == 1 {
						part = -0.5 * wave
					}
					in.Setpoints = append(in.Setpoints, force.Setpoint{Mode: mode, Tension: 1 + 0.8*part, Pull: 1e-3 + 8e-4*part})
				}
				for _, one := range []*continuumtest.Robot{reference, own} {
					if err := one.Equilibrate(in); err != nil {
						t.Fatalf("%s, %s, row %d: %v", route, name, row, err)
					}
				}
				before := e.State()
				if solveNear(e, reference, in) == nil {
					near++
				} else {
					if err := e.Restore(before); err != nil {
						t.Fatal(err)
					}
					equilibrate(t, e, in)
				}
				n := len(e.System.State.Pose) - 1
				worst = max(worst, e.System.State.Pose[n].P.Sub(own.System.State.Pose[n].P).Norm()/f.Rod.Length)
			}
			t.Logf("%s, %s: %d of %d rows near the reference, worst %.2g of the length", route, name, near, rows, worst)
			if near < rows*8/10 || !(worst < 1e-7) {
				t.Errorf("%s, %s: %d of %d rows near the reference, worst %.2g of the length", route, name, near, rows, worst)
			}
		}
	}
}

// TestEquilibriaBySensitivity moves random robots, of which some tendons yield and some have friction, by the derivative of the
// equilibrium of a reference: it is what differences of whole equilibria give. Beside walls there is none.
func TestEquilibriaBySensitivity(t *testing.T) {
	t.Parallel()
	robots, drawn, worst := 0, testsize.Of(4, 12, 40), 0.0
	for seed := range uint64(drawn) {
		r := rand.New(rand.NewPCG(seed, 19))
		f, in := randomRobot(r)
		for k := range f.Tendons {
			f.Tendons[k].Limits.MaxTension = 0.5 + 0.5*r.Float64()
			in.Setpoints[k].Tension = min(in.Setpoints[k].Tension, 0.5)
		}
		const share, apart = 1e-6, 2e-3 // where equilibria with friction are found, too, exactly enough
		reference := implicitOf(t, f)
		reference.KeepReference()
		if reference.Equilibrate(in) != nil {
			continue
		}
		n := len(reference.System.State.Pose) - 1
		var got, want spatial.Vec
		for _, side := range [...]float64{1, -1} {
			e := implicitOf(t, nearby(f, side*share))
			e.Command(in)
			if err := e.EquilibrateBySensitivity(reference.Model); err != nil {
				t.Fatalf("robot %d: %v", seed, err)
			}
			got = got.AddScaled(side/(2*share), e.System.State.Pose[n].P)
		}
		beyond := false
		for _, side := range [...][2]float64{{1, 8. / 12}, {-1, -8. / 12}, {2, -1. / 12}, {-2, 1. / 12}} {
			own := implicitOf(t, nearby(f, side[0]*apart))
			copy(own.System.State.Strain, reference.System.State.Strain)
			copy(own.Tendons.Multipliers(), reference.Tendons.Multipliers())
			own.System.State.UpdateKinematics()
			own.System.UpdateKinematics()
			beyond = beyond || changed(t, own, in, "none", 0) != nil || inactive(own) != inactive(reference)
			want = want.AddScaled(side[1]/apart, own.System.State.Pose[n].P)
		}
		if beyond { // a kink is between
			continue
		}
		robots++
		if d := got.Sub(want).Norm() / want.Norm(); d > worst {
			worst = d
			t.Logf("robot %d: %v, by differences %v: %.2g", seed, got, want, d)
		}
	}
	t.Logf("%d robots, worst %.2g", robots, worst)
	if robots < drawn*3/4 || worst > 1e-6 {
		t.Errorf("%d robots, worst %.2g", robots, worst)
	}
	rubs := wire(12, 0.001, spatial.Vec{Z: -9.81}, 0)
	rubs.Tendons[0].Friction = 0.2
	first, second := newModel(t, rubs), newModel(t, rubs)
	for _, m := range [...]*continuum.Model{first, second} {
		for _, tension := range [...]float64{1, 2} { // the second depends on the first
			command(t, m, "servo_jf", tension)
			first.KeepReference()
			if err := m.Equilibrate(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := second.EquilibrateBySensitivity(first); !errors.Is(err, equilibrium.ErrHistory) {
		t.Errorf("history-dependent friction: %v, want %v", err, equilibrium.ErrHistory)
	}
	f := wire(12, 0.001, spatial.Vec{Z: -9.81}, 0)
	f.Environment.Shapes = []robotfile.EnvironmentShape{{Sphere: &robotfile.Sphere{Center: spatial.Vec{X: 1}, Radius: 0.01}}}
	f.Environment.Stiffness = 1000
	reference, near := newModel(t, f), newModel(t, f)
	reference.KeepReference()
	if err := reference.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	if err := near.EquilibrateBySensitivity(reference); !errors.Is(err, equilibrium.ErrNotComparable) {
		t.Error(err)
	}
}
