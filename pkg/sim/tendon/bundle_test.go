package tendon_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

func TestTensionWrenches(t *testing.T) {
	r := [4]spatial.Vec{{X: 0.01}, {X: 0.008, Y: 0.001}, {X: 0.006, Y: 0.003}, {Y: 0.009, Z: 0.001}}
	b := tendon.NewBundle([]*tendon.Route{{Nodes: []int{1, 2, 4}, Holes: r[1:], Base: r[0]}})
	pose := make([]spatial.Pose, 5)
	g := spatial.IdentityPose()
	for i := range pose {
		pose[i] = g
		g = g.Mul(spatial.Exp(spatial.Twist{Linear: spatial.Vec{X: 0.001, Z: 0.02}, Angular: spatial.Vec{X: 0.2, Y: -0.1, Z: 0.05}}))
	}
	q, pair := tendon.Equations(5, 3)
	b.SetTension(0, 3)
	b.UpdateKinematics(pose)
	b.Assemble(pose, &q, pair)
	grad := make([]spatial.Vec6, 4)
	b.AddTensionWrenches(0, pose, false, grad)
	for i := range grad {
		w := spatial.Vec6Of(q.Wrench[i+1].Force, q.Wrench[i+1].Moment)
		for j := range w {
			if d := math.Abs(w[j] + 3*grad[i][j]); !(d < 1e-14) {
				t.Errorf("node %d component %d: wrench %v, −T push %v", i+1, j, w[j], -3*grad[i][j])
			}
		}
	}
	if b.WeightedLength(0) != b.Length(0) {
		t.Errorf("without friction the reach is %v, the length %v", b.WeightedLength(0), b.Length(0))
	}
}
