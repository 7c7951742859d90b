package trajectory_test

import (
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// TestMirroredFrame: what was measured with y and z exchanged, rotations with it, is that of the world again.
func TestMirroredFrame(t *testing.T) {
	exchange := spatial.FromColumns(spatial.Vec{X: 1}, spatial.Vec{Z: 1}, spatial.Vec{Y: 1})
	world := spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 0.4, Y: -0.7, Z: 1.1}), P: spatial.Vec{X: 1, Y: 2, Z: 3}}
	m := &trajectory.Trajectory{Name: "x"}
	m.Tip.Add(0, spatial.Pose{R: exchange.Mul(world.R).Mul(exchange), P: exchange.Apply(world.P)})
	if err := m.ToWorld(spatial.Pose{R: exchange}, exchange.T()); err != nil {
		t.Fatal(err)
	}
	if p := m.Tip.Pose[0]; p.P != world.P || p.R.TMul(world.R).Log().Norm() > 1e-12 {
		t.Errorf("%+v, want %+v", p, world)
	}
	m.Tip.Planar = true
	if err := m.ToWorld(spatial.Pose{R: exchange}, exchange.T()); err == nil || !strings.Contains(err.Error(), "no z was measured") {
		t.Errorf("a track in the plane: %v", err)
	}
}
