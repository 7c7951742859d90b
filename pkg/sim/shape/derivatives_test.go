package shape

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
)

// TestNormalAndHessianAreDerivatives compares N and W with central differences of D and N
// at random points about every shape, moved and not.
func TestNormalAndHessianAreDerivatives(t *testing.T) {
	const (
		points = 2000
		step   = 2e-8 // m
		tolN   = 1e-7
		tolW   = 2e-5 // relative to the largest of W and of 1/(1 mm)
	)
	r := newRand()
	for name, s := range samples(t) {
		compared := 0
		for i := range points {
			if i == points/2 {
				s = s.Moved(randPose(r, 0.01))
			}
			p := s.Pose().Apply(randVec(r, 0.012))
			at, ok := s.At(p, new(Hint))
			if !ok {
				continue
			}
			interpolated := s.kind == meshKind // see the tests of package mesh
			if d := math.Abs(at.N.Norm() - 1); d > 1e-12 && !interpolated {
				t.Fatalf("%s: |N| differs from 1 by %g", name, d)
			}
			if d := at.W.Apply(at.N).Norm(); d > 1e-10*(1+norm(at.W)) && !interpolated {
				t.Fatalf("%s: W N = %g", name, d)
			}
			for _, e := range [3]spatial.Vec{{X: step}, {Y: step}, {Z: step}} {
				more, ok1 := s.At(p.Add(e), new(Hint))
				less, ok2 := s.At(p.Sub(e), new(Hint))
				// W jumps where a cap begins and N on a medial axis.
				if !ok1 || !ok2 || norm(more.W.Sub(less.W)) > 1e-3*(norm(at.W)+1e3) {
					continue
				}
				compared++
				along := e.Scale(1 / step)
				if got, want := (more.D-less.D)/(2*step), at.N.Dot(along); math.Abs(got-want) > tolN {
					t.Fatalf("%s at %v: dD/dx is %g by differences, N says %g", name, p, got, want)
				}
				got, want := more.N.Sub(less.N).Scale(1/(2*step)), at.W.Apply(along)
				if d := got.Sub(want).Norm(); d > tolW*(norm(at.W)+1e3) {
					t.Fatalf("%s at %v: dN/dx is %v by differences, W says %v", name, p, got, want)
				}
			}
		}
		if compared < points/2 {
			t.Errorf("%s: only %d of %d derivatives were compared", name, compared, 3*points)
		}
	}
}
