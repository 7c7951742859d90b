package stokes_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// A sphere heavier than water settles at (2/9)Δρ g a²/η.
func TestSettlingSphere(t *testing.T) {
	const a, eta, g = 5e-6, 8.5e-4, 9.80665
	s, _ := stokes.Sphere(a)
	b := mustBody(t, s, eta)
	w := stokes.NewWeight(1100*s.Volume, spatial.Vec{}, &s, 1002)
	v := b.Mobility.Apply(w.Wrench(spatial.Vec{Z: -g}))
	stokes.Near(t, "velocity", stokes.FlatV(v.Linear, v.Angular), []float64{0, 0, -2. / 9 * 98 * g * a * a / eta, 0, 0, 0}, 1e-13)
}

// Weight pulls at the centre of mass and buoyancy at the centroid: a body as heavy
// as the water it displaces feels a couple that rights it.
func TestOffCentreWeightRightsTheBody(t *testing.T) {
	s := mustEllipsoid(t, 1, 1, 1)
	s.Centroid = spatial.Vec{Z: 0.1}
	m := 2 * s.Volume
	w := stokes.NewWeight(m, spatial.Vec{Z: -0.3}, &s, 2)
	const tilt = 0.4
	rot := spatial.ExpRot(spatial.Vec{X: tilt})
	load := w.Wrench(rot.ApplyT(spatial.Vec{Z: -9}))
	if load.Force.Norm() > 1e-12 {
		t.Errorf("force %v", load.Force)
	}
	stokes.Near(t, "moment", stokes.FlatV(rot.Apply(load.Moment)), []float64{-m * 9 * 0.4 * math.Sin(tilt), 0, 0}, 1e-13)
}
