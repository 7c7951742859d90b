package microrobot

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"sinew/pkg/sim/environment"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// Unexported names for the external tests.
const (
	FieldLength = fieldLength
	MagnetSize  = magnetSize
	MaxImplicit = maxImplicit
)

var (
	DrawingScale = drawingScale
	Flag         = flag
)

// Placement is placement, for the external tests.
func (m *Model) Placement() *integrate.Placement { return m.placement() }

// Steps takes steps of 1 ms, from the start again after each second, so that
// the robots do not drift into other conditions.
func Steps(b *testing.B, m *Model) {
	start := make([]float64, m.StateLen())
	m.Save(start)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%1000 == 0 {
			if err := m.Restore(start); err != nil {
				b.Fatal(err)
			}
		}
		if err := m.Step(1e-3); err != nil {
			b.Fatal(err)
		}
	}
}

// Tube is a bent tube with closed ends, radius 1.5 mm.
const Tube = "environment: {shapes: [{name: lumen, tube: {points_m: [[0, 0, 0], [0.01, 0, 0], [0.015, 0.005, 0.002], [0.015, 0.012, 0]], radius_m: 0.0015, closed: true}}]}\n"

// Driven is a sphere of 0.4 mm that a turning field rolls and a gradient pulls along walls.
const Driven = `body: {shape: {sphere_m: 2e-4}, density_kg_per_m3: 3000, magnet: {moment_a_m2: [1e-8, 0, 0]}, position_m: [0.001, 0, 0]}
fluid: {viscosity_pa_s: 0.01, density_kg_per_m3: 1000}
field: {rotating: {axis: [0.3, 1, 0.1], amplitude_t: 0.005, frequency_hz: 3}, gradient_t_per_m: [0.3, 0.2, 0, 0.1, 0.05]}
accept: [reynolds, rotation_per_step]
`

// Bored is the bore of tube.
func Bored(t testing.TB) shape.Shape {
	t.Helper()
	all, err := environment.Shapes(&Parse(t, Driven+Tube).Environment, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

// Depth is how far a point of a wall is inside of a sphere at the robot's place, m.
func Depth(t testing.TB, s *shape.Shape, p spatial.Vec, radius float64) float64 {
	t.Helper()
	var hint shape.Hint
	at, ok := s.At(p, &hint)
	if !ok {
		return math.Inf(-1)
	}
	return radius - at.D
}

const Spheroid6DOF = `
body:
  shape: {ellipsoid_m: [150e-6, 50e-6, 50e-6]}
  magnet: {moment_a_m2: [6.666666666666667e-11, 1.3333333333333333e-10, 1.3333333333333333e-10]}
  load: {force_n: [0, 0, -1e-9]}
fluid: {viscosity_pa_s: 8.5e-4}
field:
  rotating: {axis: [0, -0.29552020666133955, 0.955336489125606], amplitude_t: 0.005, frequency_hz: 5}
  gradient_t_per_m: [0.1, 0.02, -0.03, -0.04, 0.05]
gravity_m_per_s2: [0, 0, 0]
solver: {method: %s}
`

const Helix = `
body:
  shape:
    resistance:
      trans_kg_per_s: [1.5e-7, 2.2e-7, 2.2e-7]
      rot_kg_m2_per_s: [2.3e-18, 2.0e-16, 2.0e-16]
      coupling_kg_m_per_s: [1.6e-14, 0, 0]
  magnet: {moment_a_m2: [0, 1.0e-13, 0]}
  orientation_xyzw: [0, 0, 0.049979169270678329, 0.99875026039496625]
field: {rotating: {axis: [1, 0, 0], amplitude_t: 0.002, frequency_hz: %.17g}}
`

// Shoved is a body between a ball and open fluid.
func Shoved(t testing.TB, body, more string) *Model {
	t.Helper()
	return shovedAt(t, body, "0.001", more)
}

func shovedAt(t testing.TB, body, height, more string) *Model {
	t.Helper()
	return NewModel(t, "body: {"+body+", density_kg_per_m3: 1000, position_m: [0, 0, "+height+"]}\n"+
		"fluid: {viscosity_pa_s: 0.01, density_kg_per_m3: 1000}\ngravity_m_per_s2: [0, 0, 0]\n"+more+
		"environment: {shapes: [{name: far, plane: {point_m: [0, 0, -1]}}, {name: my-ball, sphere: {center_m: [0, 0, -0.01], radius_m: 0.01}}]}\n")
}

func Send(t testing.TB, m *Model, name string, g spatial.Pose) {
	t.Helper()
	v := make([]float64, 7)
	g.P.Put(v)
	g.R.Quat().Put(v[3:])
	Command(t, m, name, v...)
}

func Lifted(z float64) spatial.Pose {
	return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{Z: z}}
}

const Magnet = `{body: {shape: {sphere_m: 1e-4}, magnet: {moment_a_m2: [2e-10, 0, 0]}, position_m: [1e-3, 2e-3, 3e-3]},
  field: {rotating: {axis: [0, 0, 1], amplitude_t: 0.01, frequency_hz: 5}, uniform_t: [0, 0, 0.002],
    gradient_t_per_m: [0.1, 0.02, -0.03, -0.04, 0.05], gradient_center_m: [1e-3, 0, 0]}, gravity_m_per_s2: [0, 0, 0]}`

// Neodymium is a swarm of beads of 50 µm magnetised by 1e6 A/m, in a field of 10 mT.
const Neodymium = `{body: {shape: {sphere_m: 25e-6}, density_kg_per_m3: 1002, magnet: {moment_a_m2: [6.545e-8, 0, 0]}}, gravity_m_per_s2: [0, 0, 0],
  field: {uniform_t: [0.01, 0, 0]}, swarm: {count: %d, spacing_m: %g}%s}`

// hundred is a hundred magnets in a rotating field.
const hundred = `{body: {shape: {sphere_m: 5e-5}, magnet: {moment_a_m2: [1e-11, 0, 0]}}, gravity_m_per_s2: [0, 0, 0],
  field: {rotating: {axis: [0, 0, 1], amplitude_t: 0.005, frequency_hz: 2}}, swarm: {count: 100, spacing_m: 3e-4}}`

// Processors lets workers see so many processors until the test ends.
func Processors(t testing.TB, n int) {
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// Swarms are all ways to step many robots, with the workers that they have.
var Swarms = []struct {
	Name, Text string
	workers    int // on five processors
}{
	{"without interaction", fmt.Sprintf(Spheroid6DOF, "rkmk4") + "swarm: {count: 17000, spacing_m: 1e-3, interaction: none}\n", 5},
	{"Brownian", "{body: {shape: {sphere_m: 5e-7}}, fluid: {brownian: true}, swarm: {count: 3000, spacing_m: 1e-5, interaction: none}}", 4},
	{"aligned", `{body: {shape: {sphere_m: 1e-6}, magnet: {moment_a_m2: [1e-6, 0, 0]}}, field: {rotating: {axis: [0, 0, 1], amplitude_t: 0.1, frequency_hz: 3}},
  swarm: {count: 5000, spacing_m: 1e-3, interaction: none}}`, 2},
	{"with interaction", hundred, 2},
	{"with contacts", `{body: {shape: {sphere_m: 5e-5}, magnet: {moment_a_m2: [3e-10, 0, 0]}}, gravity_m_per_s2: [0, 0, 0], swarm: {count: 100, spacing_m: 1.0001e-4}}`, 2},
	{"of neodymium", fmt.Sprintf(Neodymium, 6, 8e-5, ""), 1},
	{"Brownian with interaction", `{body: {shape: {sphere_m: 5e-7}}, fluid: {brownian: true}, swarm: {count: 30, spacing_m: 1.5e-6}}`, 1},
}
