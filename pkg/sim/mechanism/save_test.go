package mechanism_test

import (
	"slices"
	"testing"

	"sinew/pkg/sim/mechanism"
)

// TestRestoredMechanismsMoveAlike, to the last bit: in free motion, at a stop, where friction sticks, and with
// motors.
func TestRestoredMechanismsMoveAlike(t *testing.T) {
	for _, c := range []struct {
		name   string
		step   float64
		before int // steps
	}{
		{"spatial_double_pendulum", 0.001, 50}, {"four_bar_redundant", 0.001, 50}, {"two_masses", 0.001, 50},
		{"stop", 0.001, 84}, {"stop", 0.001, 86}, {"stop", 0.001, 120}, {"joint_friction", 0.01, 90}, {"joint_friction", 0.01, 120},
		{"flexible_pendulum", 0.001, 30}, {"spin_up", 0.01, 39}, {"spinning_blade", 0.001, 30}, {"tendon_over_lever", 0.001, 30},
		{"ball_rolls", 0.001, 30}, {"ball_slides", 0.001, 30}, {"box_stays", 0.001, 60}, {"box_slides", 0.001, 60}, {"grasp_holds", 0.0005, 5},
		{"grasp_holds", 0.0005, 60}, {"grasp_slips", 0.0005, 40},
	} {
		g := golden(t, c.name)
		p := g.Robot.parameters(8)
		if c.name == "flexible_pendulum" {
			p.Joints[0].Motor = []mechanism.Motor{{Kind: mechanism.PositionMotor, Stiffness: 1, Damping: 0.01}}
		}
		a, b := mustWorld(t, p), mustWorld(t, p)
		march(t, a, c.step, 0, c.step*float64(c.before))
		state := make([]float64, a.StateLen())
		a.Save(state)
		b.Restore(state)
		if len(p.Joints) > 0 && a.Reaction(0) != b.Reaction(0) {
			t.Errorf("%s: the reaction is %v, restored %v", c.name, a.Reaction(0), b.Reaction(0))
		}
		march(t, a, c.step, 0, 20*c.step)
		march(t, b, c.step, 0, 20*c.step)
		other := make([]float64, len(state))
		a.Save(state)
		b.Save(other)
		if !slices.Equal(state, other) {
			t.Errorf("%s: after %d steps, the restored mechanism moves differently", c.name, c.before)
		}
	}
}
