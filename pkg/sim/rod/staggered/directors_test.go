package staggered

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
)

// apart returns the largest difference of two sets of axes.
func apart(a, b Directors) float64 {
	return max(a.D1.Sub(b.D1).Norm(), a.D2.Sub(b.D2).Norm(), a.D3.Sub(b.D3).Norm())
}

// Rotations and relative rotations of directors equal those of package spatial on both sides of the
// bound of every series.
func TestRotationsOfDirectors(t *testing.T) {
	axis := spatial.Vec{X: 0.6, Y: -0.48, Z: 0.64}
	from := directorsOf(spatial.Quat{W: 0.5, X: 0.1, Y: -0.7, Z: 0.5}.Normalized().Rot())
	for _, angle := range []float64{0, 1e-9, 1e-3, 0.03, 0.0316, 0.0317, 0.1, 0.14, 0.142, 0.19, 0.2, 0.21, 0.49, 0.51, 1, 2.5, 3.1} {
		u := axis.Scale(angle)
		want := directorsOf(from.Rot().Mul(spatial.ExpRot(u)))
		turned := from
		turned.rotate(u, 0)
		if d := apart(turned, want); d > 1e-15*(3+angle) {
			t.Errorf("a turn by %g is off by %.3g", angle, d)
		}
		if d := apart(directorsOf(from.Rot().Mul(expRotation(u))), want); d > 1e-15*(3+angle) {
			t.Errorf("the rotation by %g is off by %.3g", angle, d)
		}
		if d := relativeRotation(&from, &turned).Sub(u).Norm(); d > 3e-15/(math.Pi-angle) {
			t.Errorf("between axes that are %g apart there is a rotation that is off by %.3g", angle, d)
		}
		if h := angle / 2; angle >= 1e-3 {
			want := (1 - h/math.Tan(h)) / (angle * angle)
			if got := inverseJacobianCoef(angle * angle); math.Abs(got-want) > 3e-16/(angle*angle) {
				t.Errorf("the coefficient of the Jacobian at %g is %.17g, want %.17g", angle, got, want)
			}
		}
	}
	if got := inverseJacobianCoef(0); got != 1./12 {
		t.Errorf("the coefficient of the Jacobian at 0 is %.17g", got)
	}
}

// PyElastica's axes of rotation are too short by 1e-14 over the angle, once per drift; those of
// scheme Corrected are not.
func TestShortAxesOfRotation(t *testing.T) {
	const offset = 0.05
	for _, angle := range []float64{0.02, 0.3} {
		d := directorsOf(spatial.Identity3())
		d.rotate(spatial.Vec{Z: angle}, offset)
		g := angle / (angle + offset)
		if got, want := d.D1, (spatial.Vec{X: 1 - (1-math.Cos(angle))*g*g, Y: math.Sin(angle) * g}); got.Sub(want).Norm() > 1e-15 {
			t.Errorf("turned by %g, axis 1 is %v, want %v", angle, got, want)
		}
	}
	still := directorsOf(spatial.Identity3())
	still.rotate(spatial.Vec{}, offset)
	if still != directorsOf(spatial.Identity3()) {
		t.Errorf("no turn gives %v", still)
	}
	const small = 1e-13 // in each of two drifts
	for scheme, want := range map[Scheme]float64{Original: 2 * small / 1.1, Corrected: 2 * small} {
		x := testRod(t, softParams(2), Options{Scheme: scheme})
		x.omega[1] = spatial.Vec{Z: 1}
		x.Drift(small)
		x.Drift(small)
		for _, look := range []string{"looked at", "caught up"} {
			if look == "caught up" {
				x.ApplyPendingDrift()
			}
			if got := x.Directors()[1].D1.Y; math.Abs(got-want) > 1e-3*want {
				t.Errorf("scheme %d, %s: turned by %.4g, want %.4g", scheme, look, got, want)
			}
		}
	}
}
