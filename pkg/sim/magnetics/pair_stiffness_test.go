package magnetics_test

import (
	"testing"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
)

// The stiffness is the derivative of force and torque, by differences.
func TestPairStiffness(t *testing.T) {
	x := [2]spatial.Vec{{X: 1.1, Y: 0.3, Z: -0.4}, {X: -0.2, Y: 0.5, Z: 0.3}}
	m := [2]spatial.Vec{{X: 300, Y: -200, Z: 500}, {X: 100, Y: 400, Z: -200}}
	loads := func(x, m [2]spatial.Vec) (f, n [2]spatial.Vec) {
		var b [2]spatial.Vec
		magnetics.AddInteraction(f[:], b[:], x[:], m[:], 0, 1)
		return f, [2]spatial.Vec{m[0].Cross(b[0]), m[1].Cross(b[1])}
	}
	f0, n0 := loads(x, m)
	k := magnetics.NewPairStiffness(x[0].Sub(x[1]), m[0], m[1])
	scale := f0[0].Norm()
	const h = 1e-6
	near := func(what string, got, want spatial.Vec) {
		t.Helper()
		if d := got.Sub(want).Norm(); !(d < 1e-5*scale) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("force", k.Force, f0[0])
	for _, e := range []spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		moved := x
		moved[0] = moved[0].AddScaled(h, e)
		f, n := loads(moved, m)
		near("Place", f[0].Sub(f0[0]).Scale(-1/h), k.Place.Apply(e))
		near("TurnIᵀ", n[0].Sub(n0[0]).Scale(-1/h), k.TurnI.ApplyT(e))
		near("TurnJᵀ", n[1].Sub(n0[1]).Scale(-1/h), k.TurnJ.ApplyT(e))
		for i, turn := range []spatial.Mat3{k.TurnI, k.TurnJ} {
			turned := m
			turned[i] = m[i].AddScaled(h, e.Cross(m[i]))
			f, n := loads(x, turned)
			near("Turn", f[0].Sub(f0[0]).Scale(-1/h), turn.Apply(e))
			if i == 1 {
				near("Cross", n[0].Sub(n0[0]).Scale(-1/h), k.Cross.Apply(e))
			} else {
				near("Crossᵀ", n[1].Sub(n0[1]).Scale(-1/h), k.Cross.ApplyT(e))
			}
		}
	}
}
