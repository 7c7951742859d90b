package microrobot_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// What lies on a wall presses on it with its weight: overdamped, with inertia and drag, and
// with inertia alone; on a plane and on the top of a ball, which carries it without friction.
func TestWallsCarryTheWeight(t *testing.T) {
	const weight = 4. / 3 * math.Pi * 1e-9 * 9.80665 // over the density
	table := "environment: {shapes: [{name: table, plane: {normal: [0, 0, 2]}}]}\n"
	ball := "environment: {shapes: [{name: ball, sphere: {center_m: [0, 0, -0.01], radius_m: 0.01}}]}\n"
	for name, k := range map[string]struct {
		text    string
		density float64
	}{
		"overdamped": {"body: {shape: {sphere_m: 1e-3}, density_kg_per_m3: 3000, position_m: [0, 0, 1.2e-3]}\nfluid: {viscosity_pa_s: 0.01, density_kg_per_m3: 1000}\n" + table, 2000},
		"ball":       {"body: {shape: {sphere_m: 1e-3}, density_kg_per_m3: 3000, position_m: [0, 0, 1.2e-3]}\nfluid: {viscosity_pa_s: 0.01, density_kg_per_m3: 1000}\n" + ball, 2000},
		"ellipsoid":  {"body: {shape: {ellipsoid_m: [4e-3, 0.5e-3, 0.5e-3]}, density_kg_per_m3: 3000, position_m: [0, 0, 0.8e-3], orientation_xyzw: [0, 0.02, 0, 1]}\nfluid: {viscosity_pa_s: 0.01, density_kg_per_m3: 1000}\n" + table, 2000},
		"inertial":   {"dynamics: inertial\nbody: {shape: {sphere_m: 1e-3}, density_kg_per_m3: 3000, position_m: [0, 0, 1.2e-3]}\nfluid: {viscosity_pa_s: 0.01, density_kg_per_m3: 1000}\n" + table, 2000},
		"vacuum":     {"dynamics: inertial\nbody: {shape: {sphere_m: 1e-3}, density_kg_per_m3: 3000, position_m: [0, 0, 1.2e-3]}\nfluid: {viscosity_pa_s: 0}\n" + table, 3000},
	} {
		t.Run(name, func(t *testing.T) {
			m := microrobot.NewModel(t, k.text)
			microrobot.StepsInTest(t, m, 2000, 1e-3)
			c := microrobot.Value(t, m, "contacts")
			force := 0.0
			for v := c[sim.ContactHead:]; len(v) > 0 && v[0] >= 0; v = v[sim.ContactWidth:] {
				force += v[3] * v[9] // along z
			}
			if want := weight * k.density; math.Abs(force-want) > 1e-6*want {
				t.Errorf("carries %.12g N, weight %.12g N", force, want)
			}
			if c[0] < 1 || c[2] > 1e-9 {
				t.Errorf("%g contacts, %g m deep", c[0], c[2])
			}
		})
	}
}

func TestWayAlongTubeConverges(t *testing.T) {
	at := func(step float64, n int) spatial.Vec {
		m := microrobot.NewModel(t, microrobot.Driven+microrobot.Tube)
		microrobot.StepsInTest(t, m, n, step)
		return m.Placement().P
	}
	whole, quarter := at(4e-3, 500), at(1e-3, 2000)
	if d := whole.Sub(quarter).Norm(); d > 1e-3*2e-4 {
		t.Errorf("after 2 s %g m apart", d)
	}
}

// No force takes a body through a wall, however thin: it comes to rest there, or an error says
// that it cannot be followed, and the body is where it was.
func TestNoForcePassesThroughWalls(t *testing.T) {
	testsize.SkipInShort(t)
	capsule := "environment: {shapes: [{name: wire, capsule: {from_m: [0.01, -1, 0], to_m: [0.01, 1, 0], radius_m: 1e-5}}, {name: floor, plane: {point_m: [0, 0, -2e-4]}}, {name: roof, plane: {point_m: [0, 0, 2e-4], normal: [0, 0, -1]}}]}\n"
	for _, dynamics := range []string{"overdamped", "inertial"} {
		for _, fluid := range []string{"viscosity_pa_s: 0.01", "viscosity_pa_s: 0.001"} {
			for _, body := range []string{"sphere_m: 1e-4", "ellipsoid_m: [3e-4, 1e-4, 1e-4]"} {
				for force, n := range map[float64]int{1e-5: 25, 1e-3: 4} {
					text := fmt.Sprintf("dynamics: %s\nbody: {shape: {%s}, density_kg_per_m3: 1000, load: {force_n: [%g, 0, 0]}}\nfluid: {%s, density_kg_per_m3: 1000}\naccept: [reynolds]\n", dynamics, body, force, fluid) + capsule
					m := microrobot.NewModel(t, text)
					var err error
					for range n {
						if err = m.Step(1e-3); err != nil {
							break
						}
						if x := m.Placement().P.X; x > 0.01 {
							t.Fatalf("%s, %s, %s, %g N: through the wire at x = %g m", dynamics, fluid, body, force, x)
						}
					}
					if err != nil && !strings.Contains(err.Error(), "step") {
						t.Errorf("%s, %s, %s, %g N: %v", dynamics, fluid, body, force, err)
					}
				}
			}
		}
	}
}

func TestEnvironmentIsRefused(t *testing.T) {
	sphere := "body: {shape: {sphere_m: 1e-3}}\nfluid: {viscosity_pa_s: 1e-3}\n"
	for _, k := range []struct{ text, want string }{
		{sphere + "environment: {friction_coefficient: 0.2, shapes: [{name: a, plane: {}}]}", "environment.friction_coefficient: 0.2 is not supported for bodies"},
		{sphere + "environment: {shapes: [{name: a, plane: {}, friction_coefficient: 0.2}]}", "environment.shapes[0].friction_coefficient: 0.2 is not supported for bodies"},
		{sphere + "environment: {stiffness_n_per_m: 5, shapes: [{name: a, plane: {}}]}", "is not supported for bodies: their walls are rigid"},
		{sphere + "environment: {shapes: [{name: a, tube: {points_m: [[0, 0, 0], [1, 0, 0]], radius_m: 1e-3}}]}", "is not above the half-width of the body"},
		{"dynamics: inertial\nbody: {shape: {sphere_m: 1e-3}, pivot_m: [0, 0, 0]}\nenvironment: {shapes: [{name: a, plane: {}}]}", "cannot be touched by a body on a pivot"},
		{sphere + "environment: {shapes: [{name: a}]}", "has no shape"},
	} {
		_, err := robotfile.Parse[robotfile.Microrobot]("test", []byte(k.text))
		if err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("%s\nerror %v, want %q", k.text, err, k.want)
		}
	}
	for _, k := range []struct{ text, want string }{
		{sphere + "environment: {shapes: [{name: a, plane: {point_m: [0, 0, -0.5e-3]}}]}", "is inside a: it is 0.0005 m deep"},
		{sphere + "environment: {shapes: [{name: vessel, mesh: {file: no.stl}}]}", `environment.shapes[0] (vessel): mesh.file "no.stl" is not given`},
		{sphere + "swarm: {count: 27, spacing_m: 3e-3, interaction: none}\nenvironment: {shapes: [{name: a, plane: {point_m: [0, 0, -2e-3]}}]}", "are inside a wall"},
	} {
		f, err := robotfile.Parse[robotfile.Microrobot]("test", []byte(k.text))
		if err == nil {
			_, err = microrobot.New(f, nil)
		}
		if err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("%s\nerror %v, want %q", k.text, err, k.want)
		}
	}
}

// The shapes are drawn as those of a rod, enlarged as the body is, and forces where they act.
func TestEnvironmentIsDrawn(t *testing.T) {
	m := microrobot.NewModel(t, microrobot.Driven+microrobot.Tube)
	microrobot.StepsInTest(t, m, 500, 1e-3)
	var s sim.Scene
	m.Draw(&s)
	if len(s.Meshes) != 1 || s.Meshes[0].Name != "lumen" || len(s.Meshes[0].Corners) < 300 {
		t.Fatalf("%d meshes", len(s.Meshes))
	}
	bore := microrobot.Bored(t)
	for _, p := range s.Meshes[0].Corners {
		if d := microrobot.Depth(t, &bore, p.Scale(1/s.Scale), 0); math.Abs(d) > 1e-5 {
			t.Fatalf("a corner at %v is %g m from the wall", p, d)
		}
	}
	if a := s.Arrows[2]; a.Name != "contact" || a.To == a.From {
		t.Errorf("arrow %+v", a)
	}
}
