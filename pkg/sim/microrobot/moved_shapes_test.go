package microrobot_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/spatial"
)

// A wire that is sent across a body at once takes it along.
func TestNoShapePassesABody(t *testing.T) {
	m := microrobot.NewModel(t, `body: {shape: {sphere_m: 1e-4}, density_kg_per_m3: 1000}
fluid: {viscosity_pa_s: 0.01, density_kg_per_m3: 1000}
gravity_m_per_s2: [0, 0, 0]
environment: {shapes: [{name: wire, capsule: {from_m: [0, -1, -0.001], to_m: [0, 1, -0.001], radius_m: 2e-5}}]}`)
	microrobot.Send(t, m, "wire/pose", microrobot.Lifted(0.005))
	microrobot.StepsInTest(t, m, 1000, 1e-3)
	if z := m.Placement().P.Z; math.Abs(z-0.00412) > 1e-5 {
		t.Errorf("the wire ends at 0.004 m, the body at %g", z)
	}
}

// A shape that meets the end of a long body turns it.
func TestMovedShapesTurnBodies(t *testing.T) {
	m := microrobot.Shoved(t, "shape: {ellipsoid_m: [1e-3, 2e-4, 2e-4]}, orientation_xyzw: [0, 0, 0, 1]", "")
	microrobot.Send(t, m, "my_ball/pose", spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: 5e-4, Z: 0.0011}})
	for range 200 {
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
	}
	if a := m.Placement().Q.Log(); a.Y > -0.01 {
		t.Errorf("the body turns by %v", a)
	}
}

// Contact with inertia knows no impulse of a wall: there is no port.
func TestShapesAreFixedWithInertia(t *testing.T) {
	m := microrobot.Shoved(t, "shape: {sphere_m: 5e-4}", "dynamics: inertial\n")
	for _, p := range m.Ports() {
		if p.Name == "my_ball/pose" {
			t.Error("a port moves a shape")
		}
	}
}
