package multibody_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
)

// A camera above a table sees a ball that is carried beside it, unless a box or a wall comes between, which move.
func TestCameraSeesAMechanism(t *testing.T) {
	const file = `gravity_m_per_s2: [0, 0, 0]
bodies:
  - {name: ball, mass_kg: 1, inertia_kg_m2: [1e-3, 1e-3, 1e-3], position_m: [0.1, 0, 0], shapes: [{sphere: {center_m: [0, 0, 0], radius_m: 0.02}}]}
  - {name: box, mass_kg: 1, inertia_kg_m2: [1e-3, 1e-3, 1e-3], position_m: [BOX, 0, 0.2], shapes: [{box: {size_m: [0.04, 0.04, 0.02]}}]}
environment: {shapes: [{name: wall, sphere: {center_m: [WALL, 0, 0.3], radius_m: 0.003}}]}
sensors:
  - name: camera
    rate_hz: 100
    camera: {world: true, position_m: [0.1, 0, 0.5], orientation_xyzw: [1, 0, 0, 0], width_px: 640, height_px: 480, fx_px: 500,
      markers: [{name: middle, body: ball}, {name: top, body: ball, position_m: [0, 0.01, 0.0173205]}, {name: bottom, body: ball, position_m: [0, 0, -0.02]}, {name: box, body: box, position_m: [0, 0, 0.01]}]TRANSPARENT}
solver: {step_s: 0.001}
`
	at := func(x, z float64) float64 { return 319.5 + 500*(x-0.1)/(0.5-z) }
	for _, c := range []struct {
		box, wall, transparent string
		x                      float64 // of the box
		middle, top            bool
	}{
		{"0.2", "0.2", "", 0.2, true, true},
		{"0.1", "0.2", "", 0.1, false, false},
		{"0.2", "0.1", "", 0.2, false, true},
		{"0.1", "0.1", ", transparent: [box, wall]", 0.1, true, true},
		{"0.1", "0.2", ", transparent: [ball]", 0.1, false, false},
		{"0.2", "0.2", ", transparent: [ball]", 0.2, true, true},
	} {
		m := mustModel(t, parse(t, "camera", strings.NewReplacer("BOX", c.box, "WALL", c.wall, "TRANSPARENT", c.transparent).Replace(file)))
		v := newestOf(t, m, "camera")
		seen := []bool{v[2] == 1, v[5] == 1, v[8] == 1, v[11] == 1}
		if want := []bool{c.middle, c.top, c.transparent == ", transparent: [ball]" && c.middle, true}; !slices.Equal(seen, want) {
			t.Errorf("box at %s, wall at %s%s: seen %v, want %v", c.box, c.wall, c.transparent, seen, want)
		}
		if c.middle && (math.Abs(v[0]-319.5) > 1e-9 || math.Abs(v[1]-239.5) > 1e-9) {
			t.Errorf("the middle of the ball is at %v", v[:2])
		}
		if c.top && (math.Abs(v[3]-319.5) > 1e-9 || math.Abs(v[4]-(239.5-500*0.01/(0.5-0.0173205))) > 1e-9) {
			t.Errorf("the top of the ball is at %v", v[3:5])
		}
		if math.Abs(v[9]-at(c.x, 0.21)) > 1e-9 {
			t.Errorf("the box is at %v, want %g", v[9:11], at(c.x, 0.21))
		}
	}
}

// newestOf returns the newest measurement of a sensor.
func newestOf(t *testing.T, m sim.Model, name string) []float64 {
	t.Helper()
	ports := m.Ports()
	for i := range ports {
		if p := &ports[i]; p.Name == "sensors/"+name {
			v := make([]float64, p.Width())
			m.Value(i, v)
			_, x := p.Sample(v, 0)
			return x
		}
	}
	t.Fatalf("no sensor %s", name)
	return nil
}
