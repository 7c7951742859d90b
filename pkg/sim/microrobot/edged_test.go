package microrobot_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

const (
	cube = "cuboid: {edges_m: [200e-6, 200e-6, 200e-6]}"
	rod  = "cylinder: {length_m: 400e-6, radius_m: 60e-6}"
)

// TestCubeFalls: a cube falls as fast as Pettyjohn and Christiansen measured (Chem. Eng. Progr. 44
// (1948) 157): the speed of the sphere of its volume times 0.843 log10(ψ/0.065), with the sphericity ψ,
// whatever its attitude.
func TestCubeFalls(t *testing.T) {
	const edge, excess, viscosity, gravity = 200e-6, 6500, 0.34, 9.80665
	radius := edge * math.Cbrt(3/(4*math.Pi))
	sphericity := 4 * math.Pi * radius * radius / (6 * edge * edge)
	want := 2. / 9 * excess * gravity * radius * radius / viscosity * 0.843 * math.Log10(sphericity/0.065)
	for _, q := range []string{"[0, 0, 0, 1]", "[0.2, 0.4, 0.1, 0.8888194416]"} {
		m := microrobot.NewModel(t, fmt.Sprintf(`{body: {shape: {%s}, density_kg_per_m3: 7500, orientation_xyzw: %s}, fluid: {viscosity_pa_s: 0.34, density_kg_per_m3: 1000}}`, cube, q))
		microrobot.StepsInTest(t, m, 1, 1e-3)
		v := microrobot.Value(t, m, "measured_cv")
		if got := -v[2]; math.Abs(got/want-1) > 0.01 || math.Hypot(v[0], v[1]) > 1e-6*got {
			t.Errorf("attitude %s: falls at %v m/s, want %g m/s", q, v, want)
		}
	}
}

// TestEdgedBodiesSettle: a cube that falls on a floor, or on its edge into a corner, comes to rest on
// a face, and a rod on its side, with inertia and without, and stays there.
func TestEdgedBodiesSettle(t *testing.T) {
	testsize.SkipInShort(t)
	for dynamics, viscosity := range map[string]float64{"": 0.34, "dynamics: inertial, ": 0.02} {
		for _, c := range []struct {
			name, shape, walls string
			gap                float64     // of the centre from the floor, m
			axis               spatial.Vec // of the body that ends parallel (or normal) to the floor's normal
		}{
			{"cube", cube, "{plane: {}}", 100e-6, spatial.Vec{X: 1, Y: 1, Z: 1}},
			{"cube in a corner", cube, "{plane: {}}, {plane: {point_m: [-12e-5, 0, 0], normal: [1, 0, 0]}}", 100e-6, spatial.Vec{X: 1, Y: 1, Z: 1}},
			{"rod", rod, "{plane: {}}", 60e-6, spatial.Vec{X: 1}},
		} {
			t.Run(dynamics+c.name, func(t *testing.T) {
				m := microrobot.NewModel(t, fmt.Sprintf(`{%sbody: {shape: {%s}, density_kg_per_m3: 7500, position_m: [1e-4, 0, 3e-4], orientation_xyzw: [0.2052, 0.1026, 0.3078, 0.92338]},
  fluid: {viscosity_pa_s: %g, density_kg_per_m3: 970}, walls: [%s]}`, dynamics, c.shape, viscosity, c.walls))
				microrobot.StepsInTest(t, m, 1200, 1e-3)
				x := m.Placement()
				rot := x.Q.Rot()
				if math.Abs(x.P.Z-c.gap) > 1e-9 {
					t.Errorf("its centre is %g m above the floor, want %g m", x.P.Z, c.gap)
				}
				up := rot.ApplyT(spatial.Vec{Z: 1})
				if c.shape == rod && math.Abs(up.X) > 1e-5 {
					t.Errorf("the axis of the rod is %g rad off the floor", up.X)
				}
				if c.shape == cube && max(math.Abs(up.X), math.Abs(up.Y), math.Abs(up.Z)) < 1-1e-9 {
					t.Errorf("no face of the cube is on the floor: up is %v in its axes", up)
				}
				before := *x
				microrobot.StepsInTest(t, m, 100, 1e-3)
				if moved := m.Placement().P.Sub(before.P).Norm(); moved > 1e-9 {
					t.Errorf("at rest it moves by %g m", moved)
				}
			})
		}
	}
}

// TestRodInVessel: a rod that a magnet turns across a vessel is held by both ends, each at its rim.
func TestRodInVessel(t *testing.T) {
	m := microrobot.NewModel(t, fmt.Sprintf(`{body: {shape: {%s}, magnet: {moment_a_m2: [1e-8, 0, 0]}}, gravity_m_per_s2: [0, 0, 0],
  walls: [{cylinder: {axis: [1, 0, 0], radius_m: 150e-6}}], field: {uniform_t: [0, 0, 1e-3]}}`, rod))
	microrobot.StepsInTest(t, m, 3000, 1e-3)
	rot := m.Placement().Q.Rot()
	tilt := math.Asin(rot.Col1().Z)
	// the rims of both ends touch: half-length times sine plus radius times cosine
	if reach := 200e-6*math.Sin(tilt) + 60e-6*math.Cos(tilt); math.Abs(reach-150e-6) > 1e-8 {
		t.Errorf("tilted by %g rad, its rims are %g m off the axis, want 150 um", tilt, reach)
	}
}

// TestJefferyOfCylinder: in shear a cylinder turns in Jeffery's period of an ellipsoid with another ratio of axes,
// which is below its own where it is long (Cox 1971: 1.24 r/√ln r for r → ∞; 4.8 of r = 5...6 by experiment).
func TestJefferyOfCylinder(t *testing.T) {
	m := microrobot.NewModel(t, `{body: {shape: {cylinder: {length_m: 1000e-6, radius_m: 50e-6}}}, gravity_m_per_s2: [0, 0, 0],
  fluid: {flow: {gradient_per_s: [0, 0, 0, 2, 0, 0, 0, 0, 0]}}}`)
	turned, last, n := 0.0, 0.0, 0
	for n = 0; turned < 2*math.Pi && n < 60000; n++ {
		microrobot.StepsInTest(t, m, 1, 1e-3)
		rot := m.Placement().Q.Rot()
		a := math.Atan2(rot.Col1().Y, rot.Col1().X)
		turned += math.Abs(math.Remainder(a-last, 2*math.Pi))
		last = a
	}
	r := float64(n) * 1e-3 * 2 / (2 * math.Pi) // re + 1/re
	ratio := (r + math.Sqrt(r*r-4)) / 2
	t.Logf("a cylinder of ratio 10 turns as an ellipsoid of %.2f", ratio)
	if want := 1.24 * 10 / math.Sqrt(math.Log(10)); math.Abs(ratio/want-1) > 0.1 {
		t.Errorf("turns as an ellipsoid of ratio %.2f, want about %.2f", ratio, want)
	}
}
