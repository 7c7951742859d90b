package shape

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
)

// TestRandomTubes: every tube that is accepted is the union of its balls, whatever its
// points, and continuous for a station that moves in it.
func TestRandomTubes(t *testing.T) {
	r := newRand()
	accepted, refused := 0, 0
	for range 200 {
		n := 2 + r.IntN(8)
		points := make([]spatial.Vec, n)
		along := randVec(r, 1).Unit()
		for i := 1; i < n; i++ {
			along = along.Add(randVec(r, 0.7)).Unit()
			points[i] = points[i-1].AddScaled(math.Exp(3*r.Float64()-6), along) // 2 mm to 50 mm
		}
		radius := []float64{math.Exp(3*r.Float64() - 7)} // 1 mm to 18 mm
		if r.IntN(2) == 0 {
			for len(radius) < n {
				radius = append(radius, radius[0]*(0.7+0.6*r.Float64()))
			}
		}
		s, err := NewTube(points, radius, r.IntN(2) == 0)
		if err != nil {
			refused++
			continue
		}
		accepted++
		u := s.tube
		for range 30 {
			// a walk from the centre line outward
			a := u.samples[r.IntN(len(u.samples))]
			x, hint := a.center, Hint{}
			last, was := s.At(x, &hint)
			for range 30 {
				y := x.Add(randVec(r, a.radius/10))
				at, ok := s.At(y, &hint)
				fresh, ok2 := s.At(y, new(Hint))
				if ok != ok2 || ok && math.Abs(at.D-fresh.D) > 1e-12 && at.D > -0.2*a.radius {
					t.Fatalf("points %v, radius %v, at %v: %g %v with hint, %g %v without", points, radius, y, at.D, ok, fresh.D, ok2)
				}
				inside := ok && was && min(at.D, last.D) > -0.2*a.radius
				if inside && math.Abs(at.D-last.D) > y.Sub(x).Norm()*(1+1e-9) {
					t.Fatalf("points %v, radius %v: from %v to %v D goes from %g to %g", points, radius, x, y, last.D, at.D)
				}
				if best := u.tried(y, 100); ok && best > at.D+1e-9*a.radius {
					t.Fatalf("points %v, radius %v, at %v: D = %g, a ball says %g", points, radius, y, at.D, best)
				}
				x, last, was = y, at, ok
			}
		}
	}
	t.Logf("%d accepted, %d refused", accepted, refused)
	if min(accepted, refused) < 30 {
		t.Errorf("%d accepted, %d refused: the test tries little", accepted, refused)
	}
}
