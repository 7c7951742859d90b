package microrobot

import (
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// shoved is a body between a ball and open fluid.
func shoved(t testing.TB, body, more string) *Model {
	t.Helper()
	return shovedAt(t, body, "0.001", more)
}

func shovedAt(t testing.TB, body, height, more string) *Model {
	t.Helper()
	return newModel(t, "body: {"+body+", density_kg_per_m3: 1000, position_m: [0, 0, "+height+"]}\n"+
		"fluid: {viscosity_pa_s: 0.01, density_kg_per_m3: 1000}\ngravity_m_per_s2: [0, 0, 0]\n"+more+
		"environment: {shapes: [{name: far, plane: {point_m: [0, 0, -1]}}, {name: my-ball, sphere: {center_m: [0, 0, -0.01], radius_m: 0.01}}]}\n")
}

func send(t testing.TB, m *Model, name string, g spatial.Pose) {
	t.Helper()
	v := make([]float64, 7)
	g.P.Put(v)
	g.R.Quat().Put(v[3:])
	command(t, m, name, v...)
}

func lifted(z float64) spatial.Pose {
	return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{Z: z}}
}

// A shape that moves takes a body along, as far as it goes and no further, and is slowed where
// it would jump over it.
func TestMovedShapesShoveBodies(t *testing.T) {
	for _, more := range []string{"", "swarm: {count: 8, spacing_m: 5e-3, interaction: none}\n"} {
		m := shovedAt(t, "shape: {sphere_m: 5e-4}", map[bool]string{true: "0.001", false: "0.0035"}[more == ""], more)
		before := slices.Clone(m.engine.Placements())
		send(t, m, "my_ball/pose", lifted(0.003))
		limited := false
		for i := range 400 {
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
			limited = limited || gauge(t, m, "shape_speed_limited") == 1
			for k := range m.engine.Placements() {
				x := &m.engine.Placements()[k]
				rot := x.Q.Rot()
				extent := m.robot.extent(&rot)
				if gap := m.robot.walls.Gap(x.P, &extent); gap < -1e-3*5e-4 {
					t.Fatalf("robot %d is %g m in the ball after step %d", k, -gap, i)
				}
			}
		}
		if !limited || gauge(t, m, "shape_speed_limited") != 0 {
			t.Errorf("a jump over the body is not told, or told where the ball has arrived")
		}
		moved := 0
		for k, x := range m.engine.Placements() {
			if x != before[k] {
				moved++
			}
		}
		if moved == 0 || more != "" && moved == len(before) {
			t.Errorf("the ball moves %d of %d robots", moved, len(before))
		}
		if more == "" {
			if z := m.placement().P.Z; math.Abs(z-(0.003+5e-4)) > 1e-6 {
				t.Errorf("the ball ends at 0.003 m, the body at %g", z)
			}
		}
		var s sim.Scene
		m.Draw(&s)
		if d := s.Meshes[1].Place().P.Z - 0.003*m.robot.drawingScale; math.Abs(d) > 1e-9 {
			t.Errorf("the ball is drawn %g m off", d)
		}
	}
}

// A wire that is sent across a body at once takes it along.
func TestNoShapePassesABody(t *testing.T) {
	m := newModel(t, `body: {shape: {sphere_m: 1e-4}, density_kg_per_m3: 1000}
fluid: {viscosity_pa_s: 0.01, density_kg_per_m3: 1000}
gravity_m_per_s2: [0, 0, 0]
environment: {shapes: [{name: wire, capsule: {from_m: [0, -1, -0.001], to_m: [0, 1, -0.001], radius_m: 2e-5}}]}`)
	send(t, m, "wire/pose", lifted(0.005))
	steps(t, m, 1000, 1e-3)
	if z := m.placement().P.Z; math.Abs(z-0.00412) > 1e-5 {
		t.Errorf("the wire ends at 0.004 m, the body at %g", z)
	}
}

// A shape that presses a body against another wall stops there, and says so: it neither goes
// through the body nor takes it into the wall, nor throws it off.
func TestShapesStopAtBodiesAgainstWalls(t *testing.T) {
	for _, ceiling := range []string{"[0, 0, -1]", "[0.02, 0, -1]"} {
		m := newModel(t, `body: {shape: {sphere_m: 5e-4}, density_kg_per_m3: 1000, position_m: [0, 0, 0.001]}
fluid: {viscosity_pa_s: 0.01, density_kg_per_m3: 1000}
gravity_m_per_s2: [0, 0, 0]
environment: {shapes: [{name: ceiling, plane: {point_m: [0, 0, 0.002], normal: `+ceiling+`}}, {name: other, sphere: {center_m: [0, 0.1, 0], radius_m: 0.001}},
  {name: press, plane: {point_m: [0, 0, 0], normal: [0, 0, 1]}}]}`)
		send(t, m, "press/pose", lifted(0.003))
		send(t, m, "other/pose", lifted(0.001))
		for i := range 100 {
			before := m.placement().P
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
			if gap := m.robot.gap(m.placement()); gap < -0.01*5e-4 {
				t.Fatalf("normal %s: the body is %.3g m in a wall after step %d", ceiling, -gap, i)
			}
			if d := m.placement().P.Sub(before).Norm(); d > 5e-4 {
				t.Fatalf("normal %s: the body goes %.3g m in step %d", ceiling, d, i)
			}
		}
		if at := m.shapes.walls.SurfacePose(2).P.Z; ceiling == "[0, 0, -1]" && (at < 0.001-5e-4/16 || at > 0.001+0.01*5e-4) {
			t.Errorf("the press ends at %g m, want 0.001", at)
		}
		if at := m.shapes.walls.SurfacePose(1).P.Z; at != 0.001 {
			t.Errorf("another shape stops at %g m", at)
		}
		if gauge(t, m, "shape_speed_limited") != 1 {
			t.Error("a shape that stops is not told")
		}
	}
}

// A shape that meets the end of a long body turns it.
func TestMovedShapesTurnBodies(t *testing.T) {
	m := shoved(t, "shape: {ellipsoid_m: [1e-3, 2e-4, 2e-4]}, orientation_xyzw: [0, 0, 0, 1]", "")
	send(t, m, "my_ball/pose", spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: 5e-4, Z: 0.0011}})
	for range 200 {
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
	}
	if a := m.placement().Q.Log(); a.Y > -0.01 {
		t.Errorf("the body turns by %v", a)
	}
}

// Saved states hold where shapes are and where they go; models of one robot move their own.
func TestMovedShapesOfMicrorobotsContinueFromASave(t *testing.T) {
	m := shoved(t, "shape: {ellipsoid_m: [1e-3, 2e-4, 2e-4]}", "")
	other := m.Robot().NewModel()
	send(t, m, "my_ball/pose", lifted(0.002))
	for range 3 {
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
	}
	if other.robot.walls.SurfacePose(1) != spatial.IdentityPose() {
		t.Fatal("the shape of another model moves")
	}
	state := make([]float64, m.StateLen())
	m.Save(state)
	if err := other.Restore(state); err != nil {
		t.Fatal(err)
	}
	again := make([]float64, m.StateLen())
	if other.Save(again); !slices.Equal(state, again) {
		t.Error("not the same bits where it begins")
	}
	for range 20 {
		if m.Step(1e-3) != nil || other.Step(1e-3) != nil {
			t.Fatal("a step fails")
		}
	}
	m.Save(state)
	other.Save(again)
	if !slices.Equal(state, again) {
		t.Error("not the same bits")
	}
	send(t, m, "my_ball/pose", lifted(0.02))
	m.Save(state)
	m.moveShapes(1e-3)
	m.Save(again)
	if slices.Equal(state, again) {
		t.Fatal("no shape moves")
	}
	m.holdShapes() // as where a step fails
	if m.Save(again); !slices.Equal(state, again) {
		t.Error("a step that fails leaves shapes or bodies elsewhere")
	}
	if fresh := m.Robot().NewModel(); fresh.robot.walls.SurfacePose(1) != spatial.IdentityPose() {
		t.Error("a new model begins with its shape where another has moved it")
	}
	if n := testing.AllocsPerRun(20, func() { _ = m.Step(1e-3) }); n != 0 {
		t.Errorf("%g allocations per step", n)
	}
}

// Contact with inertia knows no impulse of a wall: there is no port.
func TestShapesAreFixedWithInertia(t *testing.T) {
	m := shoved(t, "shape: {sphere_m: 5e-4}", "dynamics: inertial\n")
	for _, p := range m.Ports() {
		if p.Name == "my_ball/pose" {
			t.Error("a port moves a shape")
		}
	}
}
