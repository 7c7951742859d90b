package integrate_test

import (
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// alone is a velocity field of bodies without interaction.
type alone struct{ s swirl }

func (a alone) Velocities(t float64, x []integrate.Placement, v, w []spatial.Vec) {
	for i := range x {
		v[i], w[i] = a.s.Velocity(t, x[i])
	}
}

// Bodies without interaction move to the last bit as each does alone.
func TestMultiBodyEqualsSingleBodies(t *testing.T) {
	start := []integrate.Placement{
		{Q: spatial.IdentityQuat()},
		{Q: spatial.ExpQuat(spatial.Vec{X: 1, Y: 2}), P: spatial.Vec{X: 0.1, Z: -0.4}},
		{Q: spatial.ExpQuat(spatial.Vec{Z: -3}), P: spatial.Vec{Y: 2}},
	}
	s := swirl{4}
	many := integrate.NewMultiBody(len(start))
	for name, method := range map[string]func(t, h float64, x []integrate.Placement){
		"LieEuler":    func(t, h float64, x []integrate.Placement) { many.LieEuler(alone{s}, t, h, x) },
		"LieMidpoint": func(t, h float64, x []integrate.Placement) { many.LieMidpoint(alone{s}, t, h, x) },
		"RKMK4":       func(t, h float64, x []integrate.Placement) { many.RKMK4(alone{s}, t, h, x) },
	} {
		x := append([]integrate.Placement(nil), start...)
		for k := range 100 {
			method(float64(k)*0.1, 0.1, x)
		}
		for i := range x {
			one := start[i]
			for k := range 100 {
				one = steppers[name].step(s, float64(k)*0.1, 0.1, one)
			}
			if x[i] != one {
				t.Errorf("%s: body %d at %v, alone at %v", name, i, x[i], one)
			}
		}
		if n := testing.AllocsPerRun(10, func() { method(0, 0.1, x) }); n > 1 { // the system's interface
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}
