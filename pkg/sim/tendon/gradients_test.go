package tendon_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// A straight tendon has the wrap angle 0 without a gradient.
func TestStraightTendonHasNoWrapGradient(t *testing.T) {
	b, pose := tendon.Bent(0)
	f, grad := tendon.NewFriction(b.Path(0), tendon.Everywhere(0.2), tendon.Bristle{1, 1e-5}), make([]spatial.Vec6, 3)
	f.AddWrapAngleGradient(0, pose, grad)
	for i := range grad {
		if grad[i] != (spatial.Vec6{}) {
			t.Errorf("node %d: %v", i+1, grad[i])
		}
	}
}

// Transverse tension wrenches are those of the wrenches without the normal components.
func TestTransverseTensionWrenches(t *testing.T) {
	b, _, pose := tendon.Crooked()
	for k, tension := range []float64{3, 2} {
		b.SetTension(1-k, 0)
		b.SetTension(k, tension)
		q, pair := tendon.Equations(5, len(b.Gaps()))
		b.Assemble(pose, &q, pair)
		b.OmitNormalForces(pose, q.Wrench)
		grad := make([]spatial.Vec6, 4)
		b.AddTensionWrenches(k, pose, true, grad)
		for i := range grad {
			w := spatial.Vec6Of(q.Wrench[i+1].Force, q.Wrench[i+1].Moment)
			for j := range w {
				if d := math.Abs(w[j] + tension*grad[i][j]); !(d < 1e-14) {
					t.Errorf("tendon %d, node %d, component %d: wrench %g, push %g", k, i+1, j, w[j], grad[i][j])
				}
			}
		}
	}
}

// MinDiskClearance returns the holes with the smallest ratio along the mean normal of their disks,
// and EulerLoadRatio the gap that is nearest to buckling.
func TestClearanceAndEulerLoadByHand(t *testing.T) {
	hole := spatial.Vec{X: 0.01}
	b := tendon.NewBundle([]*tendon.Route{{Nodes: []int{1, 3}, Holes: []spatial.Vec{hole, hole}, Base: hole}, {Nodes: []int{1}, Holes: []spatial.Vec{hole.Neg()}, Base: hole.Neg()}})
	pose := make([]spatial.Pose, 4)
	for i := range pose {
		pose[i] = spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{Z: 0.02 * float64(i)}}
	}
	b.UpdateKinematics(pose)
	b.SetRestLengths()
	if c := b.MinDiskClearance(pose); c != (tendon.DiskClearance{Ratio: 1}) {
		t.Errorf("at rest: %+v", c)
	}
	pose[3].P.Z = 0.05 // from 40 mm to 30 mm
	b.UpdateKinematics(pose)
	if c := b.MinDiskClearance(pose); c.Tendon != 0 || c.Nodes != [2]int{1, 3} || !(math.Abs(c.Ratio-0.75) < 1e-12) {
		t.Errorf("nearer: %+v", c)
	}
	pose[1].P.Z = -0.01 // through the base plate
	b.UpdateKinematics(pose)
	if c := b.MinDiskClearance(pose); c.Nodes != [2]int{0, 1} || !(math.Abs(c.Ratio+0.5) < 1e-12) {
		t.Errorf("passed through: %+v", c)
	}
	b.SetTension(0, 3)
	b.SetTension(1, 4)
	// 7 N on a gap of one element, 3 N on one of two: 12 N
	if ratio, gap := b.EulerLoadRatio([]float64{2, 2, 2, 2}[:len(b.Gaps())], []float64{0, 1, 2, 3}); ratio != 6 || gap != [2]int{1, 3} {
		t.Errorf("ratio %g at %v, want 6 at [1 3]", ratio, gap)
	}
	b.SetTension(1, 10)
	if ratio, gap := b.EulerLoadRatio([]float64{2, 2, 2, 2}[:len(b.Gaps())], []float64{0, 1, 2, 3}); ratio != 6.5 || gap != [2]int{0, 1} {
		t.Errorf("ratio %g at %v, want 6.5 at [0 1]", ratio, gap)
	}
}
