package magnetics_test

import (
	"testing"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
)

// The slope of a field of all kinds of sources is the difference of its gradient, along any
// direction and in proportion to the way.
func TestSlopeIsDifferenceOfGradient(t *testing.T) {
	const h = 1e-6 // m
	f := magnetics.Field{
		Linear:  magnetics.Linear{B: spatial.Vec{X: 1e-3}, G: magnetics.Gradient{XX: 0.1, YZ: -0.2}},
		Dipoles: []magnetics.Dipole{{Position: spatial.Vec{X: 0.05, Z: 0.1}, Moment: spatial.Vec{X: 3, Y: -2, Z: 5}}, {Position: spatial.Vec{Y: -0.1}, Moment: spatial.Vec{Y: 4}}},
		Coils:   coils(t),
	}
	p, currents := spatial.Vec{X: 0.004, Y: -0.006, Z: 0.003}, []float64{3, -2}
	for _, a := range append(magnetics.Axes[:], spatial.Vec{X: 0.3, Y: -0.7, Z: 2}) {
		_, ahead := f.At(p.AddScaled(h, a), currents)
		_, behind := f.At(p.AddScaled(-h, a), currents)
		want := ahead.AddScaled(-1, behind).Mat().Scale(1 / (2 * h))
		got := f.SlopeAlong(p, a, currents)
		magnetics.NearMat(t, "slope", got.Mat(), want, 1e-7*got.Norm())
	}
	if s := f.SlopeAlong(p, spatial.Vec{}, currents); s != (magnetics.Gradient{}) {
		t.Errorf("slope along no way %v", s)
	}
	if n := testing.AllocsPerRun(100, func() { f.SlopeAlong(p, magnetics.Axes[0], currents) }); n != 0 {
		t.Errorf("%v allocations per slope", n)
	}
}
