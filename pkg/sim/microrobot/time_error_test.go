package microrobot_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// swinging is a magnet with inertia that swings in a field and falls.
const swinging = `
dynamics: inertial
body: {shape: {sphere_m: 1e-3}, density_kg_per_m3: 5000, magnet: {moment_a_m2: [1e-3, 0, 0]}, velocity_m_per_s: [0.05, 0, 0.02], angular_velocity_rad_per_s: [3, 20, 5]}
gravity_m_per_s2: [0, 0, -9.81]
fluid: {viscosity_pa_s: %g}
solver: {method: %s, step_s: 1e-3}
`

// swing moves a swinging magnet in a field (T) for half a second, in steps of 1 ms in so many parts. It returns its poses after
// every millisecond, and the largest estimate of its error over its length.
func swing(t *testing.T, text string, field float64, parts int) (poses [][]float64, estimate float64) {
	t.Helper()
	m := microrobot.NewModel(t, text)
	in, ports := sim.NewInputs(m), map[string]int{}
	for i, p := range m.Ports() {
		ports[p.Name] = i
	}
	in.Set(ports["field"], []float64{0, 0, field})
	index := slices.IndexFunc(m.Gauges(), func(g sim.Gauge) bool { return g.Key == sim.TimeError })
	if index < 0 {
		t.Fatal("the model has no gauge " + sim.TimeError)
	}
	gauges, dt := make([]float64, len(m.Gauges())), 1e-3/float64(parts)
	for k := range 500 * parts {
		in.Advance(dt)
		if err := m.Step(dt); err != nil {
			t.Fatal(err)
		}
		if (k+1)%parts != 0 {
			continue
		}
		m.Measure(gauges)
		estimate = math.Max(estimate, gauges[index])
		pose := make([]float64, 7)
		m.Value(ports["measured_cp"], pose)
		poses = append(poses, pose)
	}
	return poses, estimate
}

// The largest estimate of a swinging magnet is within a factor 3 of its largest error, against steps of a 16th, by every method.
func TestTimeErrorOfSwingingMagnets(t *testing.T) {
	testsize.SkipInShort(t)
	for _, method := range []string{"generalized-alpha, parametrization: rotation-vector", "trapezoidal", "splitting", "rkmk4", "cg4"} {
		for _, field := range []float64{2e-4, 5e-4} {
			for _, viscosity := range []float64{0, 1e-3} {
				t.Run(fmt.Sprintf("%.17s, %g T, %g Pa s", method, field, viscosity), func(t *testing.T) {
					text := fmt.Sprintf(swinging, viscosity, method)
					poses, estimate := swing(t, text, field, 1)
					finer, _ := swing(t, text, field, 16)
					most := 0.0
					for k, a := range poses {
						b := finer[k]
						dot := a[3]*b[3] + a[4]*b[4] + a[5]*b[5] + a[6]*b[6]
						angle := 2 * math.Acos(math.Min(1, math.Abs(dot)))
						off := spatial.VecAt(a).Sub(spatial.VecAt(b)).Norm() + 1e-3*angle
						most = math.Max(most, off/2e-3)
					}
					if !(estimate > most/3 && estimate < 3*most) {
						t.Errorf("estimate %.3g, error %.3g of the length: apart by more than a factor 3", estimate, most)
					}
					t.Logf("estimate %.3g, error %.3g", estimate, most)
				})
			}
		}
	}
}

// A controller keeps a magnet in an unstable equilibrium in the air. The finer body leaves it, since the commands do not answer
// its motion; it begins anew beside the body before the field far away costs ever more substeps, and the estimate ends.
func TestTimeErrorEndsWhereAControllerStabilises(t *testing.T) {
	m := microrobot.NewModel(t, `
dynamics: inertial
body: {shape: {sphere_m: 0.01}, mass_kg: 0.035, magnet: {moment_a_m2: [0, 0, 4.8]}, position_m: [0.002, -0.001, 0]}
fluid: {viscosity_pa_s: 1.81e-5, density_kg_per_m3: 1.2}
field: {uniform_t: [0, 0, 0.005]}
solver: {method: rkmk4, step_s: 1e-3}
`)
	in, ports := sim.NewInputs(m), map[string]int{}
	for i, p := range m.Ports() {
		ports[p.Name] = i
	}
	index := slices.IndexFunc(m.Gauges(), func(g sim.Gauge) bool { return g.Key == sim.TimeError })
	pose, twist, gauges := make([]float64, 7), make([]float64, 6), make([]float64, len(m.Gauges()))
	largest := 0.0
	for k := range 8000 {
		m.Value(ports["measured_cp"], pose)
		m.Value(ports["measured_cv"], twist)
		p, pull := spatial.VecAt(pose), spatial.VecAt(pose).Scale(-225).AddScaled(-24, spatial.VecAt(twist))
		g := pull.Add(spatial.Vec{Z: 9.80665}).Scale(0.035 / 4.8) // gradient that pulls the moment so, T/m
		here := spatial.Vec{X: g.X*p.Z - g.Z/2*p.X, Y: g.Y*p.Z - g.Z/2*p.Y, Z: g.Dot(p)}
		const turning = 8e-6 // T s, which damps swinging
		in.Set(ports["field_gradient"], []float64{-here.X - turning*twist[4], -here.Y + turning*twist[3], 0.005 - here.Z, -g.Z / 2, 0, g.X, -g.Z / 2, g.Y})
		in.Advance(1e-3)
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
		m.Measure(gauges)
		largest = math.Max(largest, gauges[index])
		if k > 2000 && p.Norm() > 1e-3 {
			t.Fatalf("the magnet is at %v after %d ms", p, k)
		}
	}
	if !(largest > 1 && largest <= 10) {
		t.Errorf("largest estimate %.3g lengths, want more than 1 and at most 10", largest)
	}
}
