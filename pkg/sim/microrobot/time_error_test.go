package microrobot_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/spatial"
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
