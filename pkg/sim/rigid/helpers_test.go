package rigid

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// golden reads testdata/name, whose source line says where its numbers come from.
func golden(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func vec(a [3]float64) spatial.Vec { return spatial.Vec{X: a[0], Y: a[1], Z: a[2]} }

// wxyz is a quaternion in the order of the golden files.
func wxyz(a [4]float64) spatial.Quat { return spatial.Quat{W: a[0], X: a[1], Y: a[2], Z: a[3]} }

func mustBody(t testing.TB, p Params) *Body {
	t.Helper()
	b, err := NewBody(p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func diagonal(mass float64, j [3]float64) Params {
	return Params{Mass: mass, Inertia: [6]float64{j[0], j[1], j[2]}}
}

// angle is the angle between two attitudes, rad.
func angle(a, b spatial.Quat) float64 { return a.Conj().Mul(b).Log().Norm() }

// march takes n steps of h.
func march(t testing.TB, s integrate.Stepper, h float64, n int, x integrate.Motion) integrate.Motion {
	t.Helper()
	for i := range n {
		if _, err := s.Step(float64(i)*h, h, &x); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	return x
}

// topMotion is the start of the heavy top of Brüls and Cardona with the reference point
// at r from its centre of mass (body axes): the fixed point is the world origin, the
// centre of mass is at (0, 1, 0).
func topMotion(r spatial.Vec) integrate.Motion {
	w := spatial.Vec{Y: 150, Z: -4.61538}
	p := spatial.Vec{Y: 1}.Add(r)
	return integrate.Motion{
		Placement: integrate.Placement{Q: spatial.IdentityQuat(), P: p},
		V:         spatial.Twist{Linear: w.Cross(p), Angular: w},
	}
}

// top is that heavy top.
func top(t testing.TB, r spatial.Vec) System[*Constant] {
	t.Helper()
	p := diagonal(15, [3]float64{0.234375, 0.46875, 0.234375})
	p.Pivot = &spatial.Vec{Y: -1}
	b := mustBody(t, p.Shifted(r))
	return System[*Constant]{b, &Constant{Body: b, Gravity: spatial.Vec{Z: -9.81}}}
}

// free is a free body under gravity g along −z.
func free(t testing.TB, p Params, g float64) System[*Constant] {
	t.Helper()
	b := mustBody(t, p)
	return System[*Constant]{b, &Constant{Body: b, Gravity: spatial.Vec{Z: -g}}}
}

// comPosition is the centre of mass in the world.
func comPosition(b *Body, x integrate.Motion) spatial.Vec { return x.P.Add(x.Q.Apply(b.com)) }

// still is a body at rest at the origin.
func still() integrate.Motion {
	return integrate.Motion{Placement: integrate.Placement{Q: spatial.IdentityQuat()}}
}

// spinning is a body at the origin with angular velocity w (body axes).
func spinning(w [3]float64) integrate.Motion {
	x := still()
	x.V.Angular = vec(w)
	return x
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if d := math.Abs(got - want); !(d <= tol) {
		t.Errorf("%s: %.17g, want %.17g (off by %.2g, tolerance %.2g)", what, got, want, d, tol)
	}
}

func nearVec(t *testing.T, what string, got, want spatial.Vec, tol float64) {
	t.Helper()
	if d := got.Sub(want).Norm(); !(d <= tol) {
		t.Errorf("%s: %v, want %v (off by %.2g, tolerance %.2g)", what, got, want, d, tol)
	}
}
