package microrobot

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/environment"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
)

// tube is a bent tube with closed ends, radius 1.5 mm.
const tube = "environment: {shapes: [{name: lumen, tube: {points_m: [[0, 0, 0], [0.01, 0, 0], [0.015, 0.005, 0.002], [0.015, 0.012, 0]], radius_m: 0.0015, closed: true}}]}\n"

// driven is a sphere of 0.4 mm that a turning field rolls and a gradient pulls along walls.
const driven = `body: {shape: {sphere_m: 2e-4}, density_kg_per_m3: 3000, magnet: {moment_a_m2: [1e-8, 0, 0]}, position_m: [0.001, 0, 0]}
fluid: {viscosity_pa_s: 0.01, density_kg_per_m3: 1000}
field: {rotating: {axis: [0.3, 1, 0.1], amplitude_t: 0.005, frequency_hz: 3}, gradient_t_per_m: [0.3, 0.2, 0, 0.1, 0.05]}
accept: [reynolds, rotation_per_step]
`

// bored is the bore of tube.
func bored(t testing.TB) shape.Shape {
	t.Helper()
	all, err := environment.Shapes(&parse(t, driven+tube).Environment, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

// depth is how far a point of a wall is inside of a sphere at the robot's place, m.
func depth(t testing.TB, s *shape.Shape, p spatial.Vec, radius float64) float64 {
	t.Helper()
	var hint shape.Hint
	at, ok := s.At(p, &hint)
	if !ok {
		return math.Inf(-1)
	}
	return radius - at.D
}

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
			m := newModel(t, k.text)
			steps(t, m, 2000, 1e-3)
			c := value(t, m, "contacts")
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

// A sphere that is rolled and pulled along a bent tube for a minute stays in it, whatever the
// drive; the way converges.
func TestSphereStaysInTube(t *testing.T) {
	bore := bored(t)
	const step = 5e-3
	m := newModel(t, driven+tube)
	touching := 0.0
	for range 12000 {
		if err := m.Step(step); err != nil {
			t.Fatal(err)
		}
		if d := depth(t, &bore, m.placement().P, 2e-4); d > 0.01*2e-4 {
			t.Fatalf("at %g s %g m deep in the wall", m.time, d)
		}
		touching += math.Min(1, value(t, m, "contacts")[0])
	}
	if touching < 6000 {
		t.Errorf("touched in %g steps of 12000", touching)
	}
}

func TestWayAlongTubeConverges(t *testing.T) {
	at := func(step float64, n int) spatial.Vec {
		m := newModel(t, driven+tube)
		steps(t, m, n, step)
		return m.placement().P
	}
	whole, quarter := at(4e-3, 500), at(1e-3, 2000)
	if d := whole.Sub(quarter).Norm(); d > 1e-3*2e-4 {
		t.Errorf("after 2 s %g m apart", d)
	}
}

// vessel is a closed tube as a mesh.
func vessel(t testing.TB) environment.Meshes {
	t.Helper()
	bore := bored(t)
	stl := &mesh.STL{Triangles: bore.Triangles(spatial.Vec{}, 0)}
	return environment.Meshes{"vessel.stl": stl}
}

const inVessel = "environment: {shapes: [{name: vessel, mesh: {file: vessel.stl, inside: true}}]}\n"

// A helical swimmer is driven along a vessel into its end and stays inside with all of its
// ellipsoid.
func TestSwimmerIsDrivenIntoEndOfVessel(t *testing.T) {
	text := `body: {shape: {helix: {length_m: 2e-3, radius_m: 3e-4, pitch_m: 8e-4, wire_radius_m: 8e-5}}, density_kg_per_m3: 1500, magnet: {moment_a_m2: [0, 0, 1e-6]}, position_m: [0.0095, 0, 0], load: {force_n: [4e-6, 0, 0]}}
fluid: {viscosity_pa_s: 0.1, density_kg_per_m3: 1000}
field: {rotating: {axis: [1, 0, 0], amplitude_t: 0.008, frequency_hz: 8}}
accept: [reynolds, rotation_per_step]
` + inVessel
	r, err := NewRobotWith(parse(t, text), Files{Meshes: vessel(t)})
	if err != nil {
		t.Fatal(err)
	}
	m := r.NewModel()
	bore := bored(t)
	axes := spatial.Vec{X: 1e-3 + 8e-5, Y: 3.8e-4, Z: 3.8e-4}
	for i := range 1500 {
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
		if i%50 != 49 {
			continue
		}
		x := m.placement()
		for k := range 200 {
			sin, cos := math.Sincos(0.1 * float64(k))
			z := -1 + float64(k)/100
			around := math.Sqrt(1 - z*z)
			u := spatial.Vec{X: z, Y: around * cos, Z: around * sin}
			if d := depth(t, &bore, x.P.Add(x.Q.Apply(axes.Mul(u))), 0); d > 0.05*3.8e-4 {
				t.Fatalf("at %g s %g m deep in the wall", m.time, d)
			}
		}
	}
	if c := value(t, m, "contacts"); c[0] == 0 || c[1] < 1e-6 {
		t.Errorf("presses on the end with %g N at %g points", c[1], c[0])
	}
}

// No force takes a body through a wall, however thin: it comes to rest there, or an error says
// that it cannot be followed, and the body is where it was.
func TestNoForcePassesThroughWalls(t *testing.T) {
	capsule := "environment: {shapes: [{name: wire, capsule: {from_m: [0.01, -1, 0], to_m: [0.01, 1, 0], radius_m: 1e-5}}, {name: floor, plane: {point_m: [0, 0, -2e-4]}}, {name: roof, plane: {point_m: [0, 0, 2e-4], normal: [0, 0, -1]}}]}\n"
	for _, dynamics := range []string{"overdamped", "inertial"} {
		for _, fluid := range []string{"viscosity_pa_s: 0.01", "viscosity_pa_s: 0.001"} {
			for _, body := range []string{"sphere_m: 1e-4", "ellipsoid_m: [3e-4, 1e-4, 1e-4]"} {
				for force, n := range map[float64]int{1e-5: 25, 1e-3: 4} {
					text := fmt.Sprintf("dynamics: %s\nbody: {shape: {%s}, density_kg_per_m3: 1000, load: {force_n: [%g, 0, 0]}}\nfluid: {%s, density_kg_per_m3: 1000}\naccept: [reynolds]\n", dynamics, body, force, fluid) + capsule
					m := newModel(t, text)
					var err error
					for range n {
						if err = m.Step(1e-3); err != nil {
							break
						}
						if x := m.placement().P.X; x > 0.01 {
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
			_, err = New(f, nil)
		}
		if err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("%s\nerror %v, want %q", k.text, err, k.want)
		}
	}
}

// A state saved in contact goes on to the last bit, and that is today's: a hash that has changed
// stands for a changed motion.
func TestContactRepeats(t *testing.T) {
	const want = "083326986a3ca58f"
	a := newModel(t, driven+tube)
	steps(t, a, 700, 1e-3)
	state := make([]float64, a.StateLen())
	a.Save(state)
	b := newModel(t, driven+tube)
	if err := b.Restore(state); err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for range 300 {
		steps(t, a, 1, 1e-3)
		steps(t, b, 1, 1e-3)
		va, vb := value(t, a, "contacts"), value(t, b, "contacts")
		if *a.placement() != *b.placement() || !slices.Equal(va, vb) {
			t.Fatalf("at %g s: %v and %v", a.time, *a.placement(), *b.placement())
		}
		for _, x := range append(value(t, a, "measured_cp"), va...) {
			var bits [8]byte
			binary.LittleEndian.PutUint64(bits[:], math.Float64bits(x))
			h.Write(bits[:])
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)[:8]); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}

// The robots of a swarm move along walls as each would alone.
func TestSwarmInTube(t *testing.T) {
	low := strings.NewReplacer("2e-4", "1e-4", "[0.001, 0, 0]", "[0.002, 0, -9e-4]").Replace(driven) + tube
	swarm := newModel(t, "swarm: {count: 27, spacing_m: 2.2e-4, interaction: none}\n"+low)
	alone := newModel(t, low)
	alone.engine.(*overdamped).x[0] = swarm.engine.Placements()[13]
	steps(t, swarm, 400, 1e-3)
	steps(t, alone, 400, 1e-3)
	if got := swarm.engine.Placements()[13]; got != *alone.placement() {
		t.Errorf("in the swarm at %v, alone at %v", got.P, alone.placement().P)
	}
	if c := value(t, swarm, "contacts"); c[0] < 5 {
		t.Errorf("%g of 27 touch", c[0])
	}
}

func TestContactDoesNotAllocate(t *testing.T) {
	for _, dynamics := range []string{"", "dynamics: inertial\n", "swarm: {count: 8, spacing_m: 5e-4, interaction: none}\n"} {
		m := newModel(t, dynamics+driven+tube)
		steps(t, m, 300, 1e-3)
		v := make([]float64, m.Ports()[port(t, m, "contacts")].Width())
		if n := testing.AllocsPerRun(50, func() {
			steps(t, m, 1, 1e-3)
			m.Value(port(t, m, "contacts"), v)
		}); n != 0 {
			t.Errorf("%s%g allocations", dynamics, n)
		}
	}
}

// The shapes are drawn as those of a rod, enlarged as the body is, and forces where they act.
func TestEnvironmentIsDrawn(t *testing.T) {
	m := newModel(t, driven+tube)
	steps(t, m, 500, 1e-3)
	var s sim.Scene
	m.Draw(&s)
	if len(s.Meshes) != 1 || s.Meshes[0].Name != "lumen" || len(s.Meshes[0].Corners) < 300 {
		t.Fatalf("%d meshes", len(s.Meshes))
	}
	bore := bored(t)
	for _, p := range s.Meshes[0].Corners {
		if d := depth(t, &bore, p.Scale(1/s.Scale), 0); math.Abs(d) > 1e-5 {
			t.Fatalf("a corner at %v is %g m from the wall", p, d)
		}
	}
	if a := s.Arrows[2]; a.Name != "contact" || a.To == a.From {
		t.Errorf("arrow %+v", a)
	}
}
