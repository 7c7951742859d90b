package sim_test

import (
	"testing"

	"sinew/pkg/sim"
)

// The widths of the kinds are those that their documentation lays out.
func TestWidths(t *testing.T) {
	three := []string{"a", "b", "c"}
	for _, c := range []struct {
		port sim.Port
		want int
	}{
		{sim.Port{Kind: sim.Tension, Labels: three}, 3}, {sim.Port{Kind: sim.TendonLength, Labels: three}, 3}, {sim.Port{Kind: sim.Currents, Labels: three}, 3},
		{sim.Port{Kind: sim.Pose}, 7}, {sim.Port{Kind: sim.Path}, 7}, {sim.Port{Kind: sim.Twist}, 6},
		{sim.Port{Kind: sim.Wrench}, 6}, {sim.Port{Kind: sim.Wrench, Frames: []string{sim.World}}, 6}, {sim.Port{Kind: sim.Wrench, Frames: []string{sim.World, "tip"}}, 7},
		{sim.Port{Kind: sim.JointState, Labels: three}, 0}, {sim.Port{Kind: sim.JointState, Labels: three, Parts: sim.Position}, 3},
		{sim.Port{Kind: sim.JointState, Labels: three, Parts: sim.Velocity}, 3}, {sim.Port{Kind: sim.JointState, Labels: three, Parts: sim.Effort}, 3},
		{sim.Port{Kind: sim.JointState, Labels: three, Parts: sim.Position | sim.Effort}, 6}, {sim.Port{Kind: sim.JointState, Labels: three, Parts: sim.Position | sim.Velocity | sim.Effort}, 9},
		{sim.Port{Kind: sim.PoseArray, Labels: three}, 21}, {sim.Port{Kind: sim.Transforms, Labels: three}, 21}, {sim.Port{Kind: sim.Field}, 3}, {sim.Port{Kind: sim.FieldGradient}, 8}, {sim.Port{Kind: sim.RotatingField}, 6}, {sim.Port{Kind: sim.Contacts, Labels: three}, 835},
		{sim.Port{}, 0},
	} {
		if got := c.port.Width(); got != c.want {
			t.Errorf("%+v: width %d, want %d", c.port, got, c.want)
		}
	}
}

// TestSetpointsBesideJointStates: commands of motors are among the joint states, whether they turn, slide or do both; the insertion is not.
func TestSetpointsBesideJointStates(t *testing.T) {
	for _, p := range []struct {
		name, unit string
		want       bool
	}{{"servo_jp", "rad", false}, {"servo_jp", "rad, m", false}, {"servo_insertion", "m, rad", true}} {
		port := sim.Port{Name: p.name, Kind: sim.JointState, Direction: sim.In, Parts: sim.Position, Unit: p.unit}
		if port.HasSetpoint() != p.want {
			t.Errorf("%s in %s: %v", p.name, p.unit, !p.want)
		}
	}
}
