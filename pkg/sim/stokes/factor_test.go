package stokes_test

import (
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// A resistance is positive definite only if every pivot is above 0.
func TestFactorRefusesEveryBadPivot(t *testing.T) {
	good := stokes.Resistance{
		Trans:    spatial.Mat3{XX: 4, YX: 1, YY: 3, ZX: 0.5, ZY: -1, ZZ: 2},
		Coupling: spatial.Mat3{XY: 0.2, ZX: 0.3},
		Rot:      spatial.Mat3{XX: 5, YX: 1, YY: 6, ZX: -1, ZY: 2, ZZ: 4},
	}
	if _, ok := good.Factor(); !ok {
		t.Fatal("a positive definite resistance is refused")
	}
	for _, part := range []string{"XX", "YY", "ZZ"} {
		for _, rot := range []bool{false, true} {
			for _, v := range []float64{0, -1} {
				r := good
				m := &r.Trans
				if rot {
					m = &r.Rot
				}
				*map[string]*float64{"XX": &m.XX, "YY": &m.YY, "ZZ": &m.ZZ}[part] = v
				if _, ok := r.Factor(); ok {
					t.Errorf("%s = %g of the rotation %t is taken for positive definite", part, v, rot)
				}
			}
		}
	}
	for _, d := range []spatial.Vec{{Y: 3, Z: 2}, {X: 4, Z: 2}, {X: 4, Y: 3}} { // singular, with pivots of exactly 0
		if _, ok := (stokes.Resistance{Trans: spatial.Diag3(d), Rot: spatial.Identity3()}).Factor(); ok {
			t.Errorf("the diagonal %v is taken for positive definite", d)
		}
	}
	// a last pivot alone below 0, the square roots before it real
	r := good
	r.Trans = spatial.Mat3{XX: 1, YY: 1, ZX: 0.8, ZY: 0.8, ZZ: 1}
	if _, ok := r.Factor(); ok {
		t.Error("a matrix with the determinant -0.28 is taken for positive definite")
	}
}

// Each part alone makes the fluid move.
func TestStill(t *testing.T) {
	p, w := []stokes.Poiseuille{{Axis: spatial.Vec{Z: 1}, Radius: 4, Peak: 2}}, []stokes.Womersley{{Axis: spatial.Vec{X: 1}, Radius: 3, Peak: 1, Frequency: 2, Kinematic: 1}}
	for name, f := range map[string]*stokes.Flow{
		"uniform": mustFlow(t, spatial.Vec{Y: 1}, spatial.Mat3{}, nil, nil), "gradient": mustFlow(t, spatial.Vec{}, spatial.Mat3{XY: 1}, nil, nil),
		"steady": mustFlow(t, spatial.Vec{}, spatial.Mat3{}, p, nil), "pulsatile": mustFlow(t, spatial.Vec{}, spatial.Mat3{}, nil, w),
	} {
		if f.IsZero() {
			t.Errorf("a flow with a %s part is at rest", name)
		}
	}
	if !mustFlow(t, spatial.Vec{}, spatial.Mat3{}, nil, nil).IsZero() {
		t.Error("a flow without parts is not at rest")
	}
}
