package continuum

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/robotfile"
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
		g.Tendons[k].Offset[0] *= 1 + share
	}
	return &g
}

// TestEquilibriaBeside finds equilibria of random robots whose numbers differ by 1e-4 from those
// of a leader: they are what the robots find by themselves, in a few iterations without a tangent
// of their own.
func TestEquilibriaBeside(t *testing.T) {
	found, alone, iterations := 0, 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 19))
		f, in := randomRobot(r)
		leader, e, own := implicitOf(t, f), implicitOf(t, nearby(f, 1e-4)), implicitOf(t, nearby(f, 1e-4))
		leader.Lead()
		if leader.Equilibrate(in) != nil || own.Equilibrate(in) != nil {
			continue
		}
		if err := e.EquilibrateBeside(leader, in); errors.Is(err, errFar) {
			alone++
			continue
		} else if err != nil {
			t.Fatalf("robot %d: %v", seed, err)
		}
		found++
		iterations += e.report.Iterations
		for i := range e.rod.Pose {
			if d := e.rod.Pose[i].P.Sub(own.rod.Pose[i].P).Norm(); !(d < 1e-8*f.Rod.Length) {
				t.Fatalf("robot %d: node %d is %g m from where the robot is by itself", seed, i, d)
			}
		}
		for k, x := range e.tendons.tensions {
			if d := math.Abs(x - own.tendons.tensions[k]); !(d < 1e-7*(1+x)) {
				t.Fatalf("robot %d: tendon %d has %g N, by itself %g N", seed, k, x, own.tendons.tensions[k])
			}
		}
	}
	t.Logf("%d found beside in %.2f iterations each, %d by themselves", found, float64(iterations)/float64(found), alone)
	if found < 45 || alone > found/20 {
		t.Errorf("%d found beside, %d not near", found, alone)
	}
}
