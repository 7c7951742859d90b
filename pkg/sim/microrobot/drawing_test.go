package microrobot

import (
	"fmt"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Everything drawn has its name, colour and size, in units of the robot's half extent.
func TestDrawnAttributes(t *testing.T) {
	m := newModel(t, `{body: {shape: {ellipsoid_m: [2, 1, 0.5]}, density_kg_per_m3: 1002, magnet: {moment_a_m2: [0, 0, 3]}, position_m: [1, 0, 4]},
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
	nearVec(t, "axes", body.SemiAxes, spatial.Vec{X: 2, Y: 1, Z: 0.5}.Scale(k), 1e-15*k)
	nearVec(t, "place", body.Pose.P, spatial.Vec{X: 1, Z: 4}.Scale(k), 1e-15*k)
	for i, want := range []struct {
		name  string
		along spatial.Vec
		color sim.Color
	}{{"field", spatial.Vec{Y: fieldLength * size / 2}, fieldColor}, {"magnetic_moment", spatial.Vec{Z: magnetSize * size}, magnetColor}} {
		a := s.Arrows[i]
		if a.Name != want.name || a.Color != want.color {
			t.Errorf("arrow %q of colour %v", a.Name, a.Color)
		}
		nearVec(t, want.name+" from", a.From, body.Pose.P, 1e-15*k)
		nearVec(t, want.name, a.To.Sub(a.From), want.along, 1e-12*k)
	}
	if l := s.Polylines[0]; l.Name != "trail" || l.Color != trailColor || l.Width != trailWidth*size {
		t.Errorf("trail %+v", l)
	}
	for i, foot := range []spatial.Vec{{X: 1, Z: -3}, {X: -9, Z: 4}} {
		d := s.Disks[i]
		if d.Name != "wall" || d.Color != wallColor || d.Radius != wallSize*size/2 || d.Thickness != arrowRadius*size {
			t.Errorf("wall %+v", d)
		}
		nearVec(t, "foot", d.Pose.P, foot.Scale(k), 1e-12*k)
		near(t, "normal", d.Pose.R.Col3().Norm()+d.Pose.R.Col1().Dot(d.Pose.R.Col3()), 1, 1e-12)
	}
	tube := s.Tubes[0]
	if tube.Name != "vessel" || tube.Color != wallColor || tube.Radius != 30*k || len(tube.Points) != 2 {
		t.Errorf("vessel %+v", tube)
	}
	nearVec(t, "vessel from", tube.Points[0], spatial.Vec{Z: 4 * k}.AddScaled(-wallSize*size/2, spatial.Vec{Z: 1}), 1e-12*k)
	nearVec(t, "vessel to", tube.Points[1], spatial.Vec{Z: 4 * k}.AddScaled(wallSize*size/2, spatial.Vec{Z: 1}), 1e-12*k)
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
		m := newModel(t, fmt.Sprintf(text, k.field))
		m.prepare()
		near(t, k.field, m.env.strongestField(m.engine.Placements()), k.want, 1e-9*k.want)
	}
}
