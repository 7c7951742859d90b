package continuum

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/continuum/equilibrium"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
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

// TestEquilibriaBeside finds equilibria of random robots whose numbers differ by 1e-4 from those
// of a leader: they are what the robots find by themselves, in a few iterations without a tangent
// of their own.
func TestEquilibriaBeside(t *testing.T) {
	found, alone, iterations, yields := 0, 0, 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 19))
		f, in := randomRobot(r)
		for k := range f.Tendons { // some yield
			f.Tendons[k].Limits.MaxTension = 0.5 + 0.5*r.Float64()
			in.Setpoints[k].Tension = min(in.Setpoints[k].Tension, 0.5)
		}
		leader, e, own := implicitOf(t, f), implicitOf(t, nearby(f, 1e-4)), implicitOf(t, nearby(f, 1e-4))
		leader.solver.KeepReference()
		if leader.Equilibrate(in) != nil || own.Equilibrate(in) != nil {
			continue
		}
		if err := e.equilibrateNear(leader, in); errors.Is(err, equilibrium.ErrFar) {
			alone++
			continue
		} else if err != nil {
			t.Fatalf("robot %d: %v", seed, err)
		}
		found++
		_, yielding := own.tendons.Inactive()
		yields += yielding
		iterations += e.stepper.Report().Iterations
		for i := range e.system.Rod.Pose {
			if d := e.system.Rod.Pose[i].P.Sub(own.system.Rod.Pose[i].P).Norm(); !(d < 1e-8*f.Rod.Length) {
				t.Fatalf("robot %d: node %d is %g m from where the robot is by itself", seed, i, d)
			}
		}
		for k, x := range e.tendons.Multipliers() {
			if d := math.Abs(x - own.tendons.Multipliers()[k]); !(d < 1e-7*(1+x)) {
				t.Fatalf("robot %d: tendon %d has %g N, by itself %g N", seed, k, x, own.tendons.Multipliers()[k])
			}
		}
	}
	t.Logf("%d found beside in %.2f iterations each, %d tendons yield, %d by themselves", found, float64(iterations)/float64(found), yields, alone)
	if found < 45 || yields < 5 || alone > found/20 {
		t.Errorf("%d found beside, %d not near", found, alone)
	}
}

// TestWaysBeside leads robots that remember along a way with turns: friction of tendons, springs that slip
// inside the rod, motors with play. Each robot beside remembers its own way, as by itself.
func TestWaysBeside(t *testing.T) {
	for route, f := range rubbing() {
		f.Rod.BendingFriction = []robotfile.ElastoplasticSpring{{Stiffness: 1e-3, Limit: 2e-4}, {Stiffness: 1e-3, Limit: 1e-3}}
		for mode, name := range map[force.ControlMode]string{force.TensionControl: "tension", force.LengthControl: "length"} {
			leader, e, own := implicitOf(t, f), implicitOf(t, nearby(f, 1e-5)), implicitOf(t, nearby(f, 1e-5))
			leader.solver.KeepReference()
			beside, worst := 0, 0.0
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
				for _, one := range []*implicit{leader, own} {
					if err := one.Equilibrate(in); err != nil {
						t.Fatalf("%s, %s, row %d: %v", route, name, row, err)
					}
				}
				before := make([]float64, e.StateLen())
				e.Save(before)
				if e.equilibrateNear(leader, in) == nil {
					beside++
				} else {
					e.Restore(before)
					if err := e.Equilibrate(in); err != nil {
						t.Fatal(err)
					}
				}
				n := len(e.system.Rod.Pose) - 1
				worst = max(worst, e.system.Rod.Pose[n].P.Sub(own.system.Rod.Pose[n].P).Norm()/f.Rod.Length)
			}
			t.Logf("%s, %s: %d of %d rows beside, worst %.2g of the length", route, name, beside, rows, worst)
			if beside < rows*8/10 || !(worst < 1e-7) {
				t.Errorf("%s, %s: %d of %d rows beside, worst %.2g of the length", route, name, beside, rows, worst)
			}
		}
	}
}

// TestFollowBeside goes beside random robots, of which some tendons yield and some rub, where the derivative leads: that is what
// differences of whole equilibria say. Beside walls there is none.
func TestFollowBeside(t *testing.T) {
	robots, worst := 0, 0.0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 19))
		f, in := randomRobot(r)
		for k := range f.Tendons {
			f.Tendons[k].Limits.MaxTension = 0.5 + 0.5*r.Float64()
			in.Setpoints[k].Tension = min(in.Setpoints[k].Tension, 0.5)
		}
		const follows, apart = 1e-6, 2e-3 // where equilibria with friction are found, too, exactly enough
		leader := implicitOf(t, f)
		leader.solver.KeepReference()
		if leader.Equilibrate(in) != nil {
			continue
		}
		n := len(leader.system.Rod.Pose) - 1
		var got, want spatial.Vec
		for _, side := range [...]float64{1, -1} {
			e := implicitOf(t, nearby(f, side*follows))
			if err := e.extrapolateEquilibrium(leader, in); err != nil {
				t.Fatalf("robot %d: %v", seed, err)
			}
			got = got.AddScaled(side/(2*follows), e.system.Rod.Pose[n].P)
		}
		beyond := false
		for _, side := range [...][2]float64{{1, 8. / 12}, {-1, -8. / 12}, {2, -1. / 12}, {-2, 1. / 12}} {
			own := implicitOf(t, nearby(f, side[0]*apart))
			copy(own.system.Rod.Strain, leader.system.Rod.Strain)
			copy(own.tendons.Multipliers(), leader.tendons.Multipliers())
			own.system.Rod.UpdateKinematics()
			own.system.UpdateKinematics()
			beyond = beyond || changed(t, own, in, "none", 0) != nil || inactive(own) != inactive(leader)
			want = want.AddScaled(side[1]/apart, own.system.Rod.Pose[n].P)
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
	if robots < 30 || worst > 1e-6 {
		t.Errorf("%d robots, worst %.2g", robots, worst)
	}
	rubs := wire(12, 0.001, spatial.Vec{Z: -9.81}, 0)
	rubs.Tendons[0].Friction = 0.2
	first, follower := newModel(t, rubs), newModel(t, rubs)
	for _, m := range [...]*Model{first, follower} {
		for _, tension := range [...]float64{1, 2} { // the second remembers the first
			command(t, m, "servo_jf", tension)
			first.KeepReference()
			if err := m.Equilibrate(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := follower.EquilibrateBySensitivity(first); !errors.Is(err, equilibrium.ErrHistory) {
		t.Errorf("friction that remembers: %v, want %v", err, equilibrium.ErrHistory)
	}
	f := wire(12, 0.001, spatial.Vec{Z: -9.81}, 0)
	f.Environment.Shapes = []robotfile.EnvironmentShape{{Sphere: &robotfile.Sphere{Center: spatial.Vec{X: 1}, Radius: 0.01}}}
	f.Environment.Stiffness = 1000
	leader, beside := newModel(t, f), newModel(t, f)
	leader.KeepReference()
	if err := leader.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	if err := beside.EquilibrateBySensitivity(leader); !errors.Is(err, equilibrium.ErrUnlike) {
		t.Error(err)
	}
}
