package tendon

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/spatial"
)

// crooked is two tendons with friction through the disks of a bent and twisted rod, and the poses
// of its nodes.
func crooked() (*Bundle, []*Friction, []spatial.Pose) {
	random := rand.New(rand.NewPCG(5, 6))
	hole := func() spatial.Vec { return spatial.Vec{X: 0.01 * random.NormFloat64(), Y: 0.01 * random.NormFloat64()} }
	b := NewBundle([]*Route{
		{Nodes: []int{1, 2, 4}, Holes: []spatial.Vec{hole(), hole(), hole()}, Base: hole()},
		{Nodes: []int{2, 3, 4}, Holes: []spatial.Vec{hole(), hole(), hole()}, Base: hole()},
	})
	pose := []spatial.Pose{{R: spatial.ExpRot(spatial.Vec{X: 1, Y: 2}), P: spatial.Vec{Z: 0.3}}}
	for i := range 4 {
		turn := spatial.Vec{X: 0.3, Y: -0.2, Z: 0.1}.Scale(float64(i + 1))
		pose = append(pose, pose[i].Mul(spatial.Exp(spatial.Twist{Linear: spatial.Vec{X: 0.002, Z: 0.03}, Angular: turn})))
	}
	b.UpdateKinematics(pose)
	var f []*Friction
	for k, tension := range []float64{3, 2} {
		f = append(f, NewFriction(b, k, 0.2, Bristle{1, 1e-5}))
		f[k].SetSlidingShares(true)
		b.SetTension(k, tension)
	}
	return b, f, pose
}

// slopeBy compares a gradient with the derivative of value by body increments of the nodes but the
// base.
func slopeBy(t *testing.T, what string, b *Bundle, pose []spatial.Pose, gradient []spatial.Vec6, value func() float64) {
	t.Helper()
	const h = 1e-6
	for i := range gradient {
		for k := range 6 {
			at := func(by float64) float64 {
				var eta spatial.Vec6
				eta[k] = by
				moved := slices.Clone(pose)
				moved[i+1] = pose[i+1].Mul(spatial.Exp(spatial.Twist{Linear: eta.Linear(), Angular: eta.Angular()}))
				b.UpdateKinematics(moved)
				defer b.UpdateKinematics(pose)
				return value()
			}
			if want := (at(h) - at(-h)) / (2 * h); !(math.Abs(gradient[i][k]-want) < 1e-7*(1+math.Abs(want))) {
				t.Errorf("%s: node %d, component %d: %g, the derivative is %g", what, i+1, k, gradient[i][k], want)
			}
		}
	}
}

// The gradients of the length, of the weighted length, of its part beyond a disk and of the wrap
// angle are derivatives.
func TestGradientsAreDerivatives(t *testing.T) {
	b, f, pose := crooked()
	for k := range 2 {
		grad := make([]spatial.Vec6, 4)
		b.AddLengthGradient(k, pose, grad)
		slopeBy(t, "length", b, pose, grad, func() float64 { return b.Length(k) })
		clear(grad)
		b.AddTensionWrenches(k, pose, false, grad)
		slopeBy(t, "reach", b, pose, grad, func() float64 { return b.WeightedLength(k) })
		if f[k].PassedDisks() != 2 {
			t.Fatalf("tendon %d passes %d disks, want 2", k, f[k].PassedDisks())
		}
		for j := range 2 {
			clear(grad)
			f[k].AddWrapAngleGradient(j, pose, grad)
			slopeBy(t, "wrap", b, pose, grad, func() float64 { return f[k].wrapAngle(j) })
			clear(grad)
			f[k].AddDistalTensionWrenches(j, pose, false, grad)
			slopeBy(t, "reach beyond a disk", b, pose, grad, func() (sum float64) {
				for _, i := range b.order[k][j+1:] {
					sum += b.chords[i].share * b.chords[i].length
				}
				return sum
			})
		}
	}
}

// A straight tendon has the wrap angle 0 without a gradient.
func TestStraightTendonHasNoWrapGradient(t *testing.T) {
	b, pose := bent(0)
	f, grad := NewFriction(b, 0, 0.2, Bristle{1, 1e-5}), make([]spatial.Vec6, 3)
	f.AddWrapAngleGradient(0, pose, grad)
	for i := range grad {
		if grad[i] != (spatial.Vec6{}) {
			t.Errorf("node %d: %v", i+1, grad[i])
		}
	}
}

// A component that OmitNormalForces removes is the tension along the normal of the disk. Its
// gradient is the derivative, and the missing wrench is the normal at the hole.
func TestNormalForceGradients(t *testing.T) {
	b, _, pose := crooked()
	if b.NormalForceCount() != 12 {
		t.Fatalf("%d parts, want two for each of 6 chords", b.NormalForceCount())
	}
	parts := 0
	sum := make([]spatial.Wrench, len(pose))
	for i := range b.NormalForceCount() {
		c := &b.chords[i/2]
		node, hole, sign := c.a, c.ra, 1.
		if i%2 == 1 {
			node, hole, sign = c.b, c.rb, -1
		}
		grad := make([]spatial.Vec6, 4)
		got, push := b.AddNormalForceGradient(i, pose, grad)
		if node == 0 || i%2 == 1 && c.isEnd {
			if got != 0 || push != (spatial.Vec6{}) || slices.ContainsFunc(grad, func(v spatial.Vec6) bool { return v != spatial.Vec6{} }) {
				t.Errorf("part %d: node %d loses %v, want nothing", i, got, push)
			}
			continue
		}
		parts++
		if want := spatial.Vec6Of(spatial.Vec{Z: 1}, hole.Cross(spatial.Vec{Z: 1})); got != node || push != want {
			t.Errorf("part %d: node %d, push %v; want node %d, push %v", i, got, push, node, want)
		}
		moved := slices.Clone(pose)
		for n := range grad {
			for k := range 6 {
				const h = 1e-6
				at := func(by float64) float64 {
					var eta spatial.Vec6
					eta[k] = by
					copy(moved, pose)
					moved[n+1] = pose[n+1].Mul(spatial.Exp(spatial.Twist{Linear: eta.Linear(), Angular: eta.Angular()}))
					b.UpdateKinematics(moved)
					defer b.UpdateKinematics(pose)
					return sign * c.tension * moved[node].R.Col3().Dot(c.dir)
				}
				if want := (at(h) - at(-h)) / (2 * h); !(math.Abs(grad[n][k]-want) < 1e-6) {
					t.Errorf("part %d: node %d, component %d: %g, the derivative is %g", i, n+1, k, grad[n][k], want)
				}
			}
		}
		removeNormalForce(&sum[node], hole, sign*c.tension*pose[node].R.Col3().Dot(c.dir))
	}
	if parts != 8 {
		t.Errorf("%d parts are dropped, want those at 2 disks of each tendon on both sides", parts)
	}
	all := make([]spatial.Wrench, len(pose))
	b.OmitNormalForces(pose, all)
	for i := range all {
		if d := all[i].Force.Sub(sum[i].Force).Norm() + all[i].Moment.Sub(sum[i].Moment).Norm(); !(d < 1e-14) {
			t.Errorf("node %d: Transverse drops %v, the parts are %v", i, all[i], sum[i])
		}
	}
}

// Transverse tension wrenches are those of the wrenches without the normal components.
func TestTransverseTensionWrenches(t *testing.T) {
	b, _, pose := crooked()
	for k, tension := range []float64{3, 2} {
		b.SetTension(1-k, 0)
		b.SetTension(k, tension)
		q, pair := equations(5, len(b.Gaps()))
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
	b := NewBundle([]*Route{{Nodes: []int{1, 3}, Holes: []spatial.Vec{hole, hole}, Base: hole}, {Nodes: []int{1}, Holes: []spatial.Vec{hole.Neg()}, Base: hole.Neg()}})
	pose := make([]spatial.Pose, 4)
	for i := range pose {
		pose[i] = spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{Z: 0.02 * float64(i)}}
	}
	b.UpdateKinematics(pose)
	b.SetRestLengths()
	if c := b.MinDiskClearance(pose); c != (DiskClearance{Ratio: 1}) {
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

// The gradient of WorkLength is the shares, and that of the logarithm of a share is the sum of
// those of the disks before it: for bristles that stick, slip and slip back.
func TestTensionRatioGradients(t *testing.T) {
	for _, displacement := range []float64{1e-3, 1e-2, 3e-2, 1} {
		b, fs, pose := crooked()
		for _, f := range fs {
			f.Bristles = []Bristle{{0.5, displacement}, {0.5, 3 * displacement}}
			f.deflection, f.tensionDrop, f.stiffness = make([]float64, 4), make([]float64, 4), make([]float64, 4)
			f.commitDistalLengths()
			copy(f.deflection, []float64{0.1 * displacement, -0.4 * displacement, -2 * displacement, 0.3 * displacement})
			f.startDistal[0] += 0.3 * displacement
			f.startDistal[1] -= 0.2 * displacement
		}
		for k, f := range fs {
			o := b.order[k]
			f.UpdateShares()
			gradient := make([]spatial.Vec6, 4)
			b.AddTensionWrenches(k, pose, false, gradient)
			slopeBy(t, "grasp", b, pose, gradient, f.WorkLength)
			clear(gradient)
			for j := range f.PassedDisks() {
				f.UpdateShares()
				f.AddTensionRatioGradient(j, pose, gradient)
				slopeBy(t, "share", b, pose, gradient, func() float64 { f.UpdateShares(); return math.Log(b.chords[o[j+1]].share) })
			}
		}
	}
}
