package microrobot

import (
	"errors"
	"fmt"
	"math"
	"testing"
)

// Ellipsoids that tumble along walls go the same way with every step: the reaction acts
// where they touch. With bodies moved out of walls they were a quarter of the way and 2 rad
// apart, at every halving of the step.
func TestTumblingConverges(t *testing.T) {
	const body = `{body: {shape: {ellipsoid_m: [1e-3, 4e-4, 2e-4]}, density_kg_per_m3: 3000, position_m: [0, 0, %g], orientation_xyzw: [0.3, 0.5, 0.1, 0.8],
  load: {moment_nm: [0, %g, %g], frame: world}}, fluid: {viscosity_pa_s: %g}, walls: [%s]%s}`
	const (
		floor = "{plane: {}}"
		tube  = "{cylinder: {axis: [1, 0.2, 0], radius_m: 1.3e-3}}"
	)
	for _, k := range []struct {
		name, text string
		angle      float64 // rad
	}{
		{"on a floor", fmt.Sprintf(body, 1.1e-3, 4e-8, 1e-8, 0.05, floor, ""), 1e-4},
		{"in a tube", fmt.Sprintf(body, 0., 4e-8, 1e-8, 0.05, tube, ""), 1e-4},
		{"with inertia on a floor", fmt.Sprintf(body, 1.1e-3, 4e-10, 1e-10, 0.002, floor, ", dynamics: inertial, solver: {method: rkmk4}"), 1e-2},
		{"with inertia in a tube", fmt.Sprintf(body, 0., 4e-10, 1e-10, 0.002, tube, ", dynamics: inertial, solver: {method: rkmk4}"), 1e-2},
	} {
		const duration = 0.1
		run := func(dt float64) *Model {
			m := newModel(t, k.text)
			touched := false
			for range int(math.Round(duration / dt)) {
				steps(t, m, 1, dt)
				g := gauge(t, m, "wall_gap")
				if touched = touched || g < 1e-8; g < -1e-9 {
					t.Fatalf("%s: gap %g", k.name, g)
				}
			}
			if !touched {
				t.Errorf("%s: it does not touch the wall", k.name)
			}
			return m
		}
		a, b := run(1e-3), run(2.5e-4)
		turn, way := angle(a.placement().Q, b.placement().Q), a.placement().P.Sub(b.placement().P).Norm()
		t.Logf("%s: %.2g rad, %.2g of the extent", k.name, turn, way/a.robot.Length())
		near(t, k.name+": angle", turn, 0, k.angle)
		near(t, k.name+": place, of the extent", way/a.robot.Length(), 0, k.angle)
	}
}

// A body that is driven along a wall by much more than any substep follows is an error, and
// stays where it is.
func TestTooFastAlongAWall(t *testing.T) {
	m := newModel(t, `{body: {shape: {ellipsoid_m: [1e-3, 4e-4, 2e-4]}, position_m: [0, 0, 2e-4], load: {force_n: [10, 0, -10], moment_nm: [0, 0.1, 0.02]}}, walls: [{plane: {}}]}`)
	before := *m.placement()
	var fast *WallError
	if err := m.Step(1e-3); !errors.As(err, &fast) || *m.placement() != before {
		t.Errorf("%v", err)
	}
}
