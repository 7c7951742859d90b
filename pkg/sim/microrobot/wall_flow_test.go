package microrobot_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/microrobot"
	"sinew/test/testsize"
)

// A flow onto a wall presses a sphere on it with its drag, however thin the film is: a flow that
// crosses the wall, one that spreads along it, and one that is commanded; on a plane and in a
// tube, with and without inertia. The film multiplied the drag by 1e4.
func TestFlowPressesWithItsDrag(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	const (
		a, eta = 3e-4, 0.05
		speed  = 1e-3
		weight = 4. / 3 * math.Pi * a * a * a * 200 * 9.80665
		body   = "body: {shape: {sphere_m: 3e-4}, density_kg_per_m3: 1200, position_m: [0, 0, %g]}\nfluid: {viscosity_pa_s: %g, density_kg_per_m3: 1000, flow: {%s}}\ndynamics: %s\n"
		floor  = "environment: {shapes: [{name: floor, plane: {}}]}"
		tube   = "environment: {shapes: [{name: tube, tube: {points_m: [[-1, 0, 1e-3], [1, 0, 1e-3]], radius_m: 1e-3}}]}"
		ontoIt = "uniform_m_per_s: [0, 0, -1e-3]"
		height = 3.0002e-4 // at the start, m
	)
	drag := 6 * math.Pi * eta * a * speed
	for _, dynamics := range []string{"overdamped", "inertial"} {
		for _, k := range []struct {
			name, flow, walls string
			command           float64 // of the flow along z, m/s
			want              float64
			settled           int // steps after which it rests on the wall
		}{
			{"onto a floor", ontoIt, floor, 0, weight + drag, 300},
			{"commanded", "", floor, -speed, weight + drag, 300},
			{"across a tube", ontoIt, tube, 0, weight + drag, 300},
			{"along the floor as it spreads", "gradient_per_s: [0.5, 0, 0, 0, 0.5, 0, 0, 0, -1]", floor, 0, weight + 6*math.Pi*eta*a*a, 300},
			{"off the floor, weaker than the weight", "uniform_m_per_s: [0, 0, 5e-4]", floor, 0, weight - drag/2, 1000},
		} {
			t.Run(dynamics+"/"+k.name, func(t *testing.T) {
				m := microrobot.NewModel(t, fmt.Sprintf(body, height, eta, k.flow, dynamics)+k.walls)
				if k.command != 0 {
					microrobot.Command(t, m, "ambient_flow", 0, 0, k.command, 0, 0, 0)
				}
				microrobot.StepsInTest(t, m, k.settled, 1e-3)
				microrobot.Near(t, "contact force", microrobot.Gauge(t, m, "contact_force_max"), k.want, 1e-5*k.want)
			})
		}
	}
}

// A free sphere follows a flow toward a wall as a force equal to its drag moves it, so that it comes
// to the wall ever slower, and follows one along the wall as before.
func TestFlowBringsSphereToWallAsItsDragDoes(t *testing.T) {
	const text = "body: {shape: {sphere_m: 1e-4}, position_m: [0, 0, %g]%s}\nfluid: {viscosity_pa_s: 0.01%s}\ngravity_m_per_s2: [0, 0, 0]\nwalls: [{plane: {}}]"
	for _, h := range []float64{1.00001e-4, 1.05e-4, 1.5e-4, 1e-3} {
		carried := microrobot.NewModel(t, fmt.Sprintf(text, h, "", ", flow: {uniform_m_per_s: [2e-3, 0, -1e-3]}"))
		pushed := microrobot.NewModel(t, fmt.Sprintf(text, h, fmt.Sprintf(", load: {force_n: [0, 0, %.17g]}", -6*math.Pi*0.01*1e-4*1e-3), ""))
		v, w := microrobot.Value(t, carried, "measured_cv"), microrobot.Value(t, pushed, "measured_cv")
		microrobot.Near(t, fmt.Sprintf("toward the wall at %g m", h), v[2], w[2], 1e-12)
		microrobot.Near(t, fmt.Sprintf("along the wall at %g m", h), v[0], 2e-3, 1e-15)
	}
}

// The gauge is the share of the flow that goes through a wall nearby.
func TestFlowThroughWall(t *testing.T) {
	const text = "body: {shape: {sphere_m: 1e-4}, position_m: [0, 0, %g]}\nfluid: {flow: {%s}}\nwalls: [{%s}]"
	for _, k := range []struct {
		height      float64
		flow, walls string
		want        float64
	}{
		{2e-4, "uniform_m_per_s: [0, 0, -1e-3]", "plane: {}", 1},
		{2e-4, "uniform_m_per_s: [3e-3, 0, 4e-3]", "plane: {}", 0.8},
		{2e-4, "uniform_m_per_s: [1e-3, 0, 0]", "plane: {}", 0},
		{2e-3, "uniform_m_per_s: [0, 0, -1e-3]", "plane: {}", 0}, // 20 radii away
		{2e-4, "gradient_per_s: [0.5, 0, 0, 0, 0.5, 0, 0, 0, -1]", "plane: {}", 0},
		{2e-4, "uniform_m_per_s: [0, 0, -1e-3]", "cylinder: {axis: [1, 0, 0], radius_m: 5e-4}", 1},
		{2e-4, "poiseuille: {axis: [1, 0, 0], radius_m: 5e-4, peak_m_per_s: 1e-3}", "cylinder: {axis: [1, 0, 0], radius_m: 5e-4}", 0},
	} {
		m := microrobot.NewModel(t, fmt.Sprintf(text, k.height, k.flow, k.walls))
		microrobot.Near(t, k.flow+" and "+k.walls, microrobot.Gauge(t, m, "flow_through_wall"), k.want, 1e-12)
	}
}
