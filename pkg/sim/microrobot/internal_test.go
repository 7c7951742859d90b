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
	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// Tests of what has no exported name.

// benchmarks are robots of growing demands.
var benchmarks = []struct{ name, text string }{
	{"spheroid, rotating field, gradient, force", fmt.Sprintf(Spheroid6DOF, "rkmk4")},
	{"the same, lie-euler", fmt.Sprintf(Spheroid6DOF, "lie-euler")},
	{"the same, cg4", fmt.Sprintf(Spheroid6DOF, "cg4")},
	{"helix with coupling", fmt.Sprintf(Helix, 8.)},
	{"sphere near a wall", `{body: {shape: {sphere_m: 5e-5}, magnet: {}, position_m: [0, 0, 7e-5]}, walls: [{plane: {}}],
  field: {rotating: {axis: [0, 1, 0], amplitude_t: 0.0005, frequency_hz: 5}}}`},
	{"Brownian sphere", "{body: {shape: {sphere_m: 5e-6}}, fluid: {brownian: true}}"},
}

func BenchmarkStep(b *testing.B) {
	for _, k := range benchmarks {
		b.Run(k.name, func(b *testing.B) {
			m := NewModel(b, k.text)
			Steps(b, m)
			b.ReportMetric(m.last.Substeps, "substeps")
		})
	}
}

// A sphere that is rolled and pulled along a bent tube for a minute stays in it, whatever the
// drive; the way converges.
func TestSphereStaysInTube(t *testing.T) {
	testsize.SkipInShort(t)
	bore := Bored(t)
	const step = 5e-3
	m := NewModel(t, Driven+Tube)
	touching := 0.0
	for range 12000 {
		if err := m.Step(step); err != nil {
			t.Fatal(err)
		}
		if d := Depth(t, &bore, m.Placement().P, 2e-4); d > 0.01*2e-4 {
			t.Fatalf("at %g s %g m deep in the wall", m.time, d)
		}
		touching += math.Min(1, Value(t, m, "contacts")[0])
	}
	if touching < 6000 {
		t.Errorf("touched in %g steps of 12000", touching)
	}
}

// vessel is a closed tube as a mesh.
func vessel(t testing.TB) environment.Meshes {
	t.Helper()
	bore := Bored(t)
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
	r, err := NewRobotWith(Parse(t, text), Files{Meshes: vessel(t)})
	if err != nil {
		t.Fatal(err)
	}
	m := r.NewModel()
	bore := Bored(t)
	axes := spatial.Vec{X: 1e-3 + 8e-5, Y: 3.8e-4, Z: 3.8e-4}
	for i := range 1500 {
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
		if i%50 != 49 {
			continue
		}
		x := m.Placement()
		for k := range 200 {
			sin, cos := math.Sincos(0.1 * float64(k))
			z := -1 + float64(k)/100
			around := math.Sqrt(1 - z*z)
			u := spatial.Vec{X: z, Y: around * cos, Z: around * sin}
			if d := Depth(t, &bore, x.P.Add(x.Q.Apply(axes.Mul(u))), 0); d > 0.05*3.8e-4 {
				t.Fatalf("at %g s %g m deep in the wall", m.time, d)
			}
		}
	}
	if c := Value(t, m, "contacts"); c[0] == 0 || c[1] < 1e-6 {
		t.Errorf("presses on the end with %g N at %g points", c[1], c[0])
	}
}

// A state saved in contact continues to the last bit, and that is today's: a hash that has changed
// stands for a changed motion.
func TestContactRepeats(t *testing.T) {
	const want = "083326986a3ca58f"
	a := NewModel(t, Driven+Tube)
	StepsInTest(t, a, 700, 1e-3)
	state := make([]float64, a.StateLen())
	a.Save(state)
	b := NewModel(t, Driven+Tube)
	if err := b.Restore(state); err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for range 300 {
		StepsInTest(t, a, 1, 1e-3)
		StepsInTest(t, b, 1, 1e-3)
		va, vb := Value(t, a, "contacts"), Value(t, b, "contacts")
		if *a.Placement() != *b.Placement() || !slices.Equal(va, vb) {
			t.Fatalf("at %g s: %v and %v", a.time, *a.Placement(), *b.Placement())
		}
		for _, x := range append(Value(t, a, "measured_cp"), va...) {
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
	low := strings.NewReplacer("2e-4", "1e-4", "[0.001, 0, 0]", "[0.002, 0, -9e-4]").Replace(Driven) + Tube
	swarm := NewModel(t, "swarm: {count: 27, spacing_m: 2.2e-4, interaction: none}\n"+low)
	alone := NewModel(t, low)
	alone.engine.(*overdamped).x[0] = swarm.engine.Placements()[13]
	StepsInTest(t, swarm, 400, 1e-3)
	StepsInTest(t, alone, 400, 1e-3)
	if got := swarm.engine.Placements()[13]; got != *alone.Placement() {
		t.Errorf("in the swarm at %v, alone at %v", got.P, alone.Placement().P)
	}
	if c := Value(t, swarm, "contacts"); c[0] < 5 {
		t.Errorf("%g of 27 touch", c[0])
	}
}

// Everything drawn has its name, colour and size, in units of the robot's half extent.
func TestDrawnAttributes(t *testing.T) {
	m := NewModel(t, `{body: {shape: {ellipsoid_m: [2, 1, 0.5]}, density_kg_per_m3: 1002, magnet: {moment_a_m2: [0, 0, 3]}, position_m: [1, 0, 4]},
  gravity_m_per_s2: [0, 0, 0], field: {uniform_t: [0, 0.002, 0]},
  walls: [{plane: {point_m: [0, 0, -3], normal: [0, 0, 2]}}, {cylinder: {axis: [0, 0, 2], center_m: [0, 0, 9], radius_m: 30}}, {plane: {point_m: [-9, 0, 0], normal: [3, 0, 0]}}]}`)
	k := m.robot.drawingScale
	size := 2 * k
	var s sim.Scene
	m.Draw(&s)
	if s.Scale != k || len(s.Spheres) != 1 || len(s.Arrows) != 2 || len(s.Disks) != 2 || len(s.Tubes) != 1 || len(s.Polylines) != 1 {
		t.Fatalf("drawn %+v", s)
	}
	body := s.Spheres[0]
	if body.Name != "body" || body.Color != bodyColor {
		t.Errorf("body %q of colour %v", body.Name, body.Color)
	}
	NearVec(t, "axes", body.SemiAxes, spatial.Vec{X: 2, Y: 1, Z: 0.5}.Scale(k), 1e-15*k)
	NearVec(t, "place", body.Pose.P, spatial.Vec{X: 1, Z: 4}.Scale(k), 1e-15*k)
	for i, want := range []struct {
		name  string
		along spatial.Vec
		color sim.Color
	}{{"field", spatial.Vec{Y: fieldLength * size / 2}, fieldColor}, {"magnetic_moment", spatial.Vec{Z: magnetSize * size}, magnetColor}} {
		a := s.Arrows[i]
		if a.Name != want.name || a.Color != want.color {
			t.Errorf("arrow %q of colour %v", a.Name, a.Color)
		}
		NearVec(t, want.name+" from", a.From, body.Pose.P, 1e-15*k)
		NearVec(t, want.name, a.To.Sub(a.From), want.along, 1e-12*k)
	}
	if l := s.Polylines[0]; l.Name != "trail" || l.Color != trailColor || l.Width != trailWidth*size {
		t.Errorf("trail %+v", l)
	}
	for i, foot := range []spatial.Vec{{X: 1, Z: -3}, {X: -9, Z: 4}} {
		d := s.Disks[i]
		if d.Name != "wall" || d.Color != wallColor || d.Radius != wallSize*size/2 || d.Thickness != arrowRadius*size {
			t.Errorf("wall %+v", d)
		}
		NearVec(t, "foot", d.Pose.P, foot.Scale(k), 1e-12*k)
		Near(t, "normal", d.Pose.R.Col3().Norm()+d.Pose.R.Col1().Dot(d.Pose.R.Col3()), 1, 1e-12)
	}
	tube := s.Tubes[0]
	if tube.Name != "vessel" || tube.Color != wallColor || tube.Radius != 30*k || len(tube.Points) != 2 {
		t.Errorf("vessel %+v", tube)
	}
	NearVec(t, "vessel from", tube.Points[0], spatial.Vec{Z: 4 * k}.AddScaled(-wallSize*size/2, spatial.Vec{Z: 1}), 1e-12*k)
	NearVec(t, "vessel to", tube.Points[1], spatial.Vec{Z: 4 * k}.AddScaled(wallSize*size/2, spatial.Vec{Z: 1}), 1e-12*k)
}

// The strongest field is that of all robots, in a gradient and near a source: steps are
// divided for the robot that turns the fastest.
func TestStrongestFieldIsThatOfAllRobots(t *testing.T) {
	const text = `{body: {shape: {sphere_m: 1e-5}, magnet: {moment_a_m2: [1e-12, 0, 0]}, position_m: [1, 0, 0]}, field: {%s},
  swarm: {count: 2, spacing_m: 0.1, interaction: none}}`
	for _, k := range []struct {
		field string
		want  float64
	}{
		// robots at x = 0.95 and 1.05, y and z = -0.05
		{"gradient_t_per_m: [0.1, 0, 0, -0.1, 0], gradient_center_m: [0, -0.05, -0.05]", 0.105},
		{"dipoles: [{position_m: [1.15, -0.05, -0.05], moment_a_m2: [10, 0, 0]}]", 2e-7 * 10 / 1e-3},
	} {
		m := NewModel(t, fmt.Sprintf(text, k.field))
		m.prepare()
		Near(t, k.field, m.env.strongestField(m.engine.Placements()), k.want, 1e-9*k.want)
	}
}

// Loads beyond all measure give velocities that overflow before the step fails: values and
// gauges stay finite.
func TestValuesStayFinite(t *testing.T) {
	for _, text := range []string{
		`{body: {shape: {sphere_m: 1e-6}, load: {force_n: [1e305, 0, 0]}}}`,
		`{body: {shape: {sphere_m: 1e-6}, load: {force_n: [1e305, 0, 0]}}, walls: [{plane: {normal: [-1, 0, 0], point_m: [1, 0, 0]}}]}`,
	} {
		m := NewModel(t, text)
		if v, _ := m.engine.Velocity(); spatial.IsFinite(v.Norm()) {
			t.Fatalf("%v does not overflow", v)
		}
		for i, p := range m.Ports() {
			v := make([]float64, p.Width())
			if p.Direction == sim.Out {
				if m.Value(i, v); !spatial.AllFinite(v) {
					t.Errorf("%s: %v", p.Name, v)
				}
			}
		}
		g := make([]float64, len(m.Gauges()))
		m.Measure(g)
		if !spatial.AllFinite(g) {
			t.Errorf("gauges %v", g)
		}
		if v := Gauge(t, m, "reynolds_number"); v != math.MaxFloat64 {
			t.Errorf("Reynolds number %g", v)
		}
		if err := m.Step(1e-3); err == nil {
			t.Error("no error")
		}
	}
}

// How a step was taken is saved whole.
func TestDivisionIsSaved(t *testing.T) {
	for _, want := range []division{
		{1, integrated, 0}, {1, integrated, 0.25}, {7, integrated, 0.25}, {3, instantaneous, 0.25}, {3, instantaneous, 0},
	} {
		saved := make([]float64, divisionLen)
		want.put(saved)
		got := division{9, instantaneous, 9}
		got.take(saved)
		if got != want {
			t.Errorf("%+v is taken up as %+v", want, got)
		}
	}
}
