package microrobot

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// What is drawn is enlarged about the origin, by a power of ten that makes the robot a
// tenth of a metre, and what is measured is not.
func TestDrawingScale(t *testing.T) {
	for size, scale := range map[float64]float64{150e-6: 1000, 1e-6: 1e5, 0.015: 10, 0.1: 1} {
		near(t, "scale", drawingScale(size), scale, 1e-9*scale)
	}
	m := newModel(t, `{body: {shape: {ellipsoid_m: [150e-6, 50e-6, 50e-6]}, position_m: [1e-3, 2e-3, 3e-3], magnet: {moment_a_m2: [0, 2e-10, 0]}},
  field: {uniform_t: [0, 0, 0.002]}}`)
	var s sim.Scene
	m.Draw(&s)
	near(t, "gauge", gauge(t, m, "drawing_scale"), 1000, 1e-9)
	body := s.Spheres[0]
	nearVec(t, "drawn at", body.Pose.P, spatial.Vec{X: 1, Y: 2, Z: 3}, 1e-12)
	nearVec(t, "semi-axes", body.SemiAxes, spatial.Vec{X: 0.15, Y: 0.05, Z: 0.05}, 1e-12)
	nearVec(t, "measured at", spatial.VecAt(value(t, m, "measured_cp")), spatial.Vec{X: 1e-3, Y: 2e-3, Z: 3e-3}, 0)
	field, moment := s.Arrows[0], s.Arrows[1]
	nearVec(t, "field arrow", field.To.Sub(field.From), spatial.Vec{Z: 0.5 * fieldLength * 0.15}, 1e-12)
	nearVec(t, "moment arrow", moment.To.Sub(moment.From), spatial.Vec{Y: magnetSize * 0.15}, 1e-12)
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
		m := newModel(t, k.text)
		var s sim.Scene
		m.Draw(&s)
		if got := outline(&s); got != k.shape {
			t.Errorf("%s:\n%swant\n%s", name, got, k.shape)
		}
		steps(t, m, 30, 1e-3)
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

// The wire of a right-handed helix turns with its advance along x, y toward z.
func TestDrawnHelix(t *testing.T) {
	for sense, sign := range map[string]float64{"right": 1, "left": -1} {
		m := newModel(t, fmt.Sprintf(`{body: {shape: {helix: {length_m: 240e-6, radius_m: 30e-6, pitch_m: 80e-6, wire_radius_m: 8e-6, handedness: %s}}}}`, sense))
		var s sim.Scene
		m.Draw(&s)
		p := s.Tubes[0].Points
		middle, quarter := p[helixPoints/2], p[helixPoints/2+5] // 20 µm on: a quarter turn
		k := m.robot.drawingScale
		nearVec(t, sense+" middle", middle, spatial.Vec{Y: 30e-6 * k}, 1e-12)
		nearVec(t, sense+" quarter turn on", quarter, spatial.Vec{X: 20e-6 * k, Z: sign * 30e-6 * k}, 1e-12)
	}
}

// The trail remembers the newest points, in order, and starts anew after a restore.
func TestTrail(t *testing.T) {
	var w trail
	for i := range 3 * trailPoints {
		w.extend(spatial.Vec{X: float64(i)}, 0.5)
	}
	points := make([]spatial.Vec, trailPoints)
	w.put(points)
	for i, p := range points {
		if want := float64(2*trailPoints + i); p.X != want {
			t.Fatalf("point %d is %g, want %g", i, p.X, want)
		}
	}
	for _, x := range []float64{0.1, 0.2, 0.2} { // one point, which moves on
		w.extend(spatial.Vec{X: float64(3*trailPoints-1) + x}, 0.5)
	}
	w.put(points)
	if d := points[trailPoints-1].X - points[trailPoints-2].X; math.Abs(d-0.2) > 1e-9 {
		t.Errorf("the newest point is %g on", d)
	}
	w.reset()
	w.extend(spatial.Vec{Y: 1}, 0.5)
	w.put(points)
	if points[0] != points[trailPoints-1] || points[0] != (spatial.Vec{Y: 1}) {
		t.Errorf("after forgetting: %v to %v", points[0], points[trailPoints-1])
	}
}

// The frame that views follow is where the robot is drawn.
func TestDrawnFrame(t *testing.T) {
	m := newModel(t, `{body: {shape: {sphere_m: 1e-5}, position_m: [1e-3, 2e-3, 0]}, gravity_m_per_s2: [0, 0, 0]}`)
	var s sim.Scene
	m.Draw(&s)
	v := value(t, m, "drawn_cp")
	nearVec(t, "drawn frame", spatial.VecAt(v), s.Spheres[0].Pose.P, 1e-12)
	if v[0] < 1 {
		t.Errorf("at %v it is not enlarged", v)
	}
}

// What is sketched of measured poses is what the model draws that is there, but the field and the path, which nobody
// measured.
func TestSketch(t *testing.T) {
	for name, text := range map[string]string{
		"helix in a vessel": `{body: {shape: {helix: {length_m: 240e-6, radius_m: 30e-6, pitch_m: 80e-6, wire_radius_m: 8e-6}}, magnet: {moment_a_m2: [0, 2e-10, 0]}},
  walls: [{cylinder: {axis: [1, 0, 0], radius_m: 1e-3}}, {plane: {point_m: [0, 0, -5e-4]}}], field: {uniform_t: [1e-3, 0, 2e-3]}}`,
		"swarm": `{body: {shape: {ellipsoid_m: [2e-4, 1e-4, 1e-4]}, magnet: {moment_a_m2: [0, 2e-10, 0]}}, swarm: {count: 3, spacing_m: 1e-3, interaction: none}, field: {uniform_t: [1e-3, 0, 2e-3]}}`,
		"soft":  `{body: {shape: {sphere_m: 1e-4}, soft: {volume_m3: 4e-12, susceptibility: 1, saturation_a_per_m: 5e5}}, field: {uniform_t: [1e-3, 0, 2e-3]}}`,
	} {
		m := newModel(t, text)
		steps(t, m, 20, 1e-3)
		var want, got sim.Scene
		m.Draw(&want)
		var poses []spatial.Pose
		for _, x := range m.engine.Placements() {
			poses = append(poses, spatial.Pose{R: x.Q.Rot(), P: x.P})
		}
		m.robot.Sketch(&got, poses, nil)
		moment := want.Arrows[1:]
		if name == "soft" { // its moment is the field's
			moment = nil
		}
		if got.Scale != want.Scale || !sameTubes(got.Tubes, want.Tubes) || len(got.Disks) != len(want.Disks) || len(got.Spheres) != len(want.Spheres) || len(got.Arrows) != len(moment) || len(got.Polylines) > 0 {
			t.Errorf("%s: %+v\nwant %+v", name, got, want)
			continue
		}
		for i, s := range got.Spheres {
			nearVec(t, name, s.Pose.P, want.Spheres[i].Pose.P, 1e-12)
			nearVec(t, name, s.Pose.R.Col1(), want.Spheres[i].Pose.R.Col1(), 1e-12)
			nearVec(t, name, s.SemiAxes, want.Spheres[i].SemiAxes, 1e-15)
		}
		for i, a := range got.Arrows {
			nearVec(t, name, a.To, moment[i].To, 1e-12)
		}
	}
}

// sameTubes reports whether tubes are the same apart from round-off.
func sameTubes(a, b []sim.Tube) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || len(a[i].Points) != len(b[i].Points) || a[i].Radius != b[i].Radius {
			return false
		}
		for k := range a[i].Points {
			if a[i].Points[k].Sub(b[i].Points[k]).Norm() > 1e-12 {
				return false
			}
		}
	}
	return true
}
