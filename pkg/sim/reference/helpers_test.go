package reference_test

import (
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// surrounded is a field with everything, two magnets of which have names.
func surrounded(t *testing.T) *reference.Field {
	t.Helper()
	coils, err := magnetics.ParseMPEM("test", []byte(`
Coil_List: [A]
A: {Source_List: [S], S: {B_Coeff: [1e-5], Source_Direction: [1, 0, 0], Source_Position: [-0.1, 0, 0]}}
`))
	if err != nil {
		t.Fatal(err)
	}
	f := reference.NewField(&robotfile.Field{
		Uniform:  spatial.Vec{X: 1e-3},
		Rotating: &robotfile.Rotating{Axis: spatial.Vec{Z: 1}, Amplitude: 2e-3, Frequency: 3},
		Gradient: [5]float64{0.1, 0, 0.2, 0, 0}, Ambient: spatial.Vec{Z: 4e-5}, CoilLag: 0.01, CoilMaxCurrent: 10,
		Interpolation: robotfile.FirstOrderHold,
		Dipoles: []robotfile.Dipole{
			{Name: "arm", Position: spatial.Vec{Z: 0.2}, Moment: spatial.Vec{X: 20}},
			{Position: spatial.Vec{Y: 1}, Moment: spatial.Vec{X: 20}},
			{Name: "other", Position: spatial.Vec{X: 1}, Moment: spatial.Vec{Y: 20}},
		},
	}, coils, 0.5, 1e-3, 50)
	return &f
}

// port is the number of the port of that name.
func port(t *testing.T, f *reference.Field, name string) int {
	t.Helper()
	i := slices.IndexFunc(f.Ports(), func(p sim.Port) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("no port %s", name)
	}
	return i
}

// poseValues lays g out as a port of kind sim.Pose does.
func poseValues(g spatial.Pose) []float64 {
	v := make([]float64, 7)
	g.P.Put(v)
	g.R.Quat().Put(v[3:])
	return v
}
