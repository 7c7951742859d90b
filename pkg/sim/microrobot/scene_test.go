package microrobot_test

import (
	"fmt"
	"reflect"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/spatial"
)

// What is drawn is enlarged about the origin, by a power of ten that makes the robot a
// tenth of a metre, and what is measured is not.
func TestDrawingScale(t *testing.T) {
	for size, scale := range map[float64]float64{150e-6: 1000, 1e-6: 1e5, 0.015: 10, 0.1: 1} {
		microrobot.Near(t, "scale", microrobot.DrawingScale(size), scale, 1e-9*scale)
	}
	m := microrobot.NewModel(t, `{body: {shape: {ellipsoid_m: [150e-6, 50e-6, 50e-6]}, position_m: [1e-3, 2e-3, 3e-3], magnet: {moment_a_m2: [0, 2e-10, 0]}},
  field: {uniform_t: [0, 0, 0.002]}}`)
	var s sim.Scene
	m.Draw(&s)
	microrobot.Near(t, "gauge", microrobot.Gauge(t, m, "drawing_scale"), 1000, 1e-9)
	body := s.Spheres[0]
	microrobot.NearVec(t, "drawn at", body.Pose.P, spatial.Vec{X: 1, Y: 2, Z: 3}, 1e-12)
	microrobot.NearVec(t, "semi-axes", body.SemiAxes, spatial.Vec{X: 0.15, Y: 0.05, Z: 0.05}, 1e-12)
	microrobot.NearVec(t, "measured at", spatial.VecAt(microrobot.Value(t, m, "measured_cp")), spatial.Vec{X: 1e-3, Y: 2e-3, Z: 3e-3}, 0)
	field, moment := s.Arrows[0], s.Arrows[1]
	microrobot.NearVec(t, "field arrow", field.To.Sub(field.From), spatial.Vec{Z: 0.5 * microrobot.FieldLength * 0.15}, 1e-12)
	microrobot.NearVec(t, "moment arrow", moment.To.Sub(moment.From), spatial.Vec{Y: microrobot.MagnetSize * 0.15}, 1e-12)
}

// outline is the number and names of a scene's shapes and the numbers of their points,
// which must not change.
func outline(s *sim.Scene) string {
	text := ""
	for i := range s.Tubes {
		text += fmt.Sprintln("tube", s.Tubes[i].Name, len(s.Tubes[i].Points))
	}
	for i := range s.Polylines {
		text += fmt.Sprintln("line", s.Polylines[i].Name, len(s.Polylines[i].Points))
	}
	for i := range s.Disks {
		text += fmt.Sprintln("disk", s.Disks[i].Name)
	}
	for i := range s.Spheres {
		text += fmt.Sprintln("sphere", s.Spheres[i].Name)
	}
	for i := range s.Arrows {
		text += fmt.Sprintln("arrow", s.Arrows[i].Name)
	}
	return text
}

func TestScenesKeepTheirShape(t *testing.T) {
	for name, k := range map[string]struct{ text, shape string }{
		"helix in a vessel": {`{body: {shape: {helix: {length_m: 240e-6, radius_m: 30e-6, pitch_m: 80e-6, wire_radius_m: 8e-6}}, magnet: {}},
  walls: [{cylinder: {axis: [1, 0, 0], radius_m: 1e-3}}, {plane: {point_m: [0, 0, -5e-4]}}]}`,
			"tube body 61\ntube vessel 2\nline trail 400\ndisk wall\narrow field\narrow magnetic_moment\n"},
		"swarm": {`{body: {shape: {sphere_m: 1e-4}}, swarm: {count: 3, spacing_m: 1e-3}}`,
			"line trail 400\nsphere body\nsphere swarm\nsphere swarm\narrow field\narrow magnetic_moment\n"},
	} {
		m := microrobot.NewModel(t, k.text)
		var s sim.Scene
		m.Draw(&s)
		if got := outline(&s); got != k.shape {
			t.Errorf("%s:\n%swant\n%s", name, got, k.shape)
		}
		microrobot.StepsInTest(t, m, 30, 1e-3)
		m.Draw(&s)
		if got := outline(&s); got != k.shape {
			t.Errorf("%s changed to\n%s", name, got)
		}
		var fresh sim.Scene
		m.Draw(&fresh)
		if !reflect.DeepEqual(s, fresh) {
			t.Errorf("%s: a reused scene differs from a fresh one", name)
		}
	}
}

// The frame that views follow is where the robot is drawn.
func TestDrawnFrame(t *testing.T) {
	m := microrobot.NewModel(t, `{body: {shape: {sphere_m: 1e-5}, position_m: [1e-3, 2e-3, 0]}, gravity_m_per_s2: [0, 0, 0]}`)
	var s sim.Scene
	m.Draw(&s)
	v := microrobot.Value(t, m, "drawn_cp")
	microrobot.NearVec(t, "drawn frame", spatial.VecAt(v), s.Spheres[0].Pose.P, 1e-12)
	if v[0] < 1 {
		t.Errorf("at %v it is not enlarged", v)
	}
}
