package strain_test

import (
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// In statics the wrenches of all nodes sum to weight and loads: the stresses of the elements
// balance, and nothing of the step before remains.
func TestStaticWrenchesAreWeightAndLoads(t *testing.T) {
	strain.OfUniform(t, testStaticWrenchesAreWeightAndLoads)
}

func testStaticWrenchesAreWeightAndLoads(t *testing.T, order int) {
	s := strain.Between(t, order, strain.Everything, 1)
	s.BeginStatic()
	s.UpdateKinematics()
	s.ScaleGravity(0.5)
	q := strain.Assembled(s)
	want := make([]spatial.Wrench, len(s.Pose))
	perLength := 1000 * math.Pi * 0.02 * 0.02
	mass := make([]float64, 5)
	for i, l := range strain.Tributary[2] { // also the masses of the consistent load
		mass[i] = perLength*l + []float64{0, 0, 0.05, 0, 0.1}[i]
	}
	for i := 1; i < len(s.Pose); i++ {
		l, r := &s.Loads[i], s.Pose[i].R
		want[i] = spatial.Wrench{
			Force:  r.ApplyT(strain.Gravity.Scale(0.5 * mass[i]).Add(l.Force)).Add(l.Follower.Force),
			Moment: r.ApplyT(l.Moment).Add(l.Follower.Moment),
		}
	}
	if order == 4 { // the moments of the consistent load: those of equal elements cancel
		g := s.Pose[4].R.ApplyT(strain.Gravity.Scale(0.5 * perLength * 0.1 * 0.1 / 12))
		want[4].Moment = want[4].Moment.Sub(spatial.Vec{Z: 1}.Cross(g))
	}
	f, m := strain.Total(s.Pose, q.Wrench)
	wantF, wantM := strain.Total(s.Pose, want)
	strain.Within(t, "force", strain.Wrench6(spatial.Wrench{Force: f}), strain.Wrench6(spatial.Wrench{Force: wantF}), 1e-10)
	strain.Within(t, "moment", strain.Wrench6(spatial.Wrench{Force: m}), strain.Wrench6(spatial.Wrench{Force: wantM}), 1e-10)
}

// SetAtRest stops the rod at its configuration: a step without loads stays there with the elastic
// stress alone.
func TestSetAtRest(t *testing.T) { strain.OfOrders(t, testSetAtRest) }

func testSetAtRest(t *testing.T, order int) {
	s := strain.Between(t, order, strain.Everything, 6)
	s.Commit()
	s.SetAtRest()
	for i := range s.Pose {
		if s.NodeTwist(i) != (spatial.Twist{}) {
			t.Errorf("node %d moves: %v", i, s.NodeTwist(i))
		}
		s.Loads[i] = strain.NodeLoad{}
	}
	if kinetic, _ := s.Energy(); kinetic != 0 {
		t.Errorf("kinetic energy %g J", kinetic)
	}
	static := assembledStatic(s)
	s.Begin(integrate.NewBDF(2, 0.01, 0.01), 1, make([]spatial.Wrench, len(s.Pose)))
	for i, w := range strain.Assembled(s).Wrench {
		strain.Within(t, "wrench", strain.Wrench6(w), strain.Wrench6(static[i]), 1e-9)
	}
}

func assembledStatic(s *strain.State) []spatial.Wrench {
	s.BeginStatic()
	return slices.Clone(strain.Assembled(s).Wrench)
}

// An error that is not finite counts as the length of the rod, of which the gauge warns.
func TestTimeErrorThatIsNotFinite(t *testing.T) {
	for _, value := range []float64{math.NaN(), math.Inf(1)} {
		s := strain.Between(t, 2, strain.Everything, 1)
		e, length := strain.NewTimeError(len(s.Pose)-1), 0.0
		for _, l := range strain.Tributary[2] {
			length += l
		}
		x := make([]spatial.Vec6, len(s.Pose)-1)
		x[0][0] = value
		s.CommitTimeError(&e, x)
		if got := e.Largest(); !(math.Abs(got-length) <= 1e-12*length) {
			t.Errorf("an error of %g: %g m, want the length of the rod, %g m", value, got, length)
		}
	}
}
