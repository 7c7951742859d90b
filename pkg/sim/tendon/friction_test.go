package tendon_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

func TestSlidingFollowsTheCapstanLaw(t *testing.T) {
	const mu, turn = 0.3, 0.2
	b, _ := tendon.Bent(turn)
	f := tendon.NewFriction(b.Path(0), tendon.Everywhere(mu), tendon.Bristle{1, 1e-5})
	e := math.Exp(mu * turn)
	f.SetSlidingShares(true)
	if rate := f.SlidingExponent(0, true); rate != -mu {
		t.Errorf("rate %g, want %g", rate, -mu)
	}
	tendon.Within(t, "pull", tendon.Tensions(b, 2), []float64{2, 2 / e, 2 / (e * e)}, 1e-14)
	f.SetSlidingShares(false)
	tendon.Within(t, "release", tendon.Tensions(b, 2), []float64{2, 2 * e, 2 * e * e}, 1e-14)
	f.ClearShares()
	tendon.Within(t, "free", tendon.Tensions(b, 2), []float64{2, 2, 2}, 0)
}

func TestTransverseForcesHaveNoNormalPart(t *testing.T) {
	b, pose := tendon.Bent(0.2)
	b.SetTension(0, 3)
	q, pair := tendon.Equations(4, 3)
	b.Assemble(pose, &q, pair)
	full := append([]spatial.Wrench(nil), q.Wrench...)
	b.OmitNormalForces(pose, q.Wrench)
	for i := 1; i <= 2; i++ { // the tendon passes nodes 1 and 2
		w := q.Wrench[i]
		if math.Abs(w.Force.Z) > 1e-15 || math.Abs(w.Moment.Y) > 1e-16 {
			t.Errorf("node %d: force %v, moment %v, want neither normal force nor its moment", i, w.Force, w.Moment)
		}
		if w.Force.X != full[i].Force.X {
			t.Errorf("node %d: transverse force %g changed from %g", i, w.Force.X, full[i].Force.X)
		}
	}
	if q.Wrench[3] != full[3] {
		t.Error("at its last disk a tendon pulls with all its force")
	}
}

func TestAllWrenchesOfATendonBalance(t *testing.T) {
	b, pose := tendon.Bent(0.7)
	b.SetTension(0, 3)
	q, pair := tendon.Equations(4, 3)
	b.Assemble(pose, &q, pair)
	var force, moment spatial.Vec
	for i, w := range q.Wrench {
		c := pose[i].Coadjoint(w)
		force, moment = force.Add(c.Force), moment.Add(c.Moment)
	}
	if force.Norm() > 1e-14 || moment.Norm() > 1e-15 {
		t.Errorf("a tendon is inside the robot, but its wrenches sum to %v, %v", force, moment)
	}
	base := b.BaseWrench(&pose[0])
	got, want := spatial.Vec6Of(base.Force, base.Moment), spatial.Vec6Of(q.Wrench[0].Force, q.Wrench[0].Moment)
	tendon.Within(t, "base", got[:], want[:], 1e-14)
}
