package tendon

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/staggered"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Within fails unless got equals want to tol of the largest entry of want.
func Within(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	scale, worst := 0.0, 0.0
	for i := range want {
		scale = math.Max(scale, math.Abs(want[i]))
		if d := math.Abs(got[i] - want[i]); !(d <= worst) {
			worst = d
		}
	}
	if !(worst <= tol*scale) {
		t.Errorf("%s = %.15g, want %.15g: off by %.3g, tolerance %.3g", what, got, want, worst, tol*scale)
	}
}

// Equations returns storage for n nodes and the coupling blocks of pairs.
func Equations(n, pairs int) (q strain.Equations, pair []*spatial.Mat6) {
	q = strain.Equations{Wrench: make([]spatial.Wrench, n), Skew: make([]spatial.Wrench, n)}
	for range n {
		q.Diag = append(q.Diag, new(spatial.Mat6))
		q.Next = append(q.Next, new(spatial.Mat6))
	}
	for range pairs {
		pair = append(pair, new(spatial.Mat6))
	}
	return q, pair
}

// Bent returns a tendon through three disks on an arc and the poses of its nodes. It turns by the
// same angle at both passed disks.
func Bent(turn float64) (*Bundle, []spatial.Pose) {
	hole := spatial.Vec{X: 0.01}
	b := NewBundle([]*Route{{Nodes: []int{1, 2, 3}, Holes: []spatial.Vec{hole, hole, hole}, Base: hole}})
	pose := []spatial.Pose{spatial.IdentityPose()}
	for i := range 3 {
		pose = append(pose, pose[i].Mul(spatial.Exp(spatial.Twist{Linear: spatial.Vec{Z: 0.02}, Angular: spatial.Vec{Y: turn}})))
	}
	b.UpdateKinematics(pose)
	return b, pose
}

// Everywhere is the same coefficient at all disks.
func Everywhere(mu float64) []float64 { return slices.Repeat([]float64{mu}, 10) }

func Tensions(b *Bundle, t float64) []float64 {
	b.SetTension(0, t)
	return []float64{b.TensionAt(0, 0), b.TensionAt(0, 1), b.TensionAt(0, 2)}
}

// Crooked is two tendons with friction through the disks of a bent and twisted rod, and the poses
// of its nodes.
func Crooked() (*Bundle, []*Friction, []spatial.Pose) {
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
		f = append(f, NewFriction(b.Path(k), Everywhere(0.2), Bristle{1, 1e-5}))
		f[k].SetSlidingShares(true)
		b.SetTension(k, tension)
	}
	return b, f, pose
}

func Rod(t testing.TB, elements int) *rod.Rod {
	t.Helper()
	r, err := rod.New(rod.Params{
		Length: 0.25, Elements: elements, Section: rod.Circle(0.0055),
		Material: rod.Material{YoungsModulus: 16598637, ShearModulus: 7216880, Density: 997.7, ShearCorrection: rod.CircleShearCorrection},
		Base:     spatial.IdentityPose(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Rotate rotates directors by a rotation vector in body axes.
func Rotate(d *staggered.Directors, by spatial.Vec) {
	m := d.Rot().Mul(spatial.ExpRot(by))
	*d = staggered.Directors{D1: m.Col1(), D2: m.Col2(), D3: m.Col3()}
}
