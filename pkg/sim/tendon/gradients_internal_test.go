package tendon

import (
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim/spatial"
)

// Tests of what has no exported name.

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
	b, f, pose := Crooked()
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
			slopeBy(t, "reach beyond a disk", b, pose, grad, func() float64 {
				return b.Path(k)[j+1:].WeightedLength()
			})
		}
	}
}

// A component that OmitNormalForces removes is the tension along the normal of the disk. Its
// gradient is the derivative, and the missing wrench is the normal at the hole.
func TestNormalForceGradients(t *testing.T) {
	b, _, pose := Crooked()
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

// The gradient of WorkLength is the shares, and that of the logarithm of a share is the sum of
// those of the disks before it: for bristles that stick, slip and slip back,
// of tendons that pull and push.
func TestTensionRatioGradients(t *testing.T) {
	for _, tension := range []float64{1, -1} {
		for _, displacement := range []float64{1e-3, 1e-2, 3e-2, 1} {
			testTensionRatioGradients(t, tension, displacement)
		}
	}
}

func testTensionRatioGradients(t *testing.T, tension, displacement float64) {
	b, fs, pose := Crooked()
	for _, f := range fs {
		f.Bristles = []Bristle{{0.5, displacement}, {0.5, 3 * displacement}}
		f.deflection, f.tensionDrop, f.stiffness = make([]float64, 4), make([]float64, 4), make([]float64, 4)
		f.commitDistalLengths()
		copy(f.deflection, []float64{0.1 * displacement, -0.4 * displacement, -2 * displacement, 0.3 * displacement})
		f.startDistal[0] += 0.3 * displacement
		f.startDistal[1] -= 0.2 * displacement
	}
	for k, f := range fs {
		o := b.paths[k]
		f.UpdateShares(tension)
		gradient := make([]spatial.Vec6, 4)
		b.AddTensionWrenches(k, pose, false, gradient)
		slopeBy(t, "grasp", b, pose, gradient, func() float64 { return f.WorkLength(tension) })
		clear(gradient)
		for j := range f.PassedDisks() {
			f.UpdateShares(tension)
			f.AddTensionRatioGradient(j, tension, pose, gradient)
			slopeBy(t, "share", b, pose, gradient, func() float64 { f.UpdateShares(tension); return math.Log(o[j+1].share) })
		}
	}
}
