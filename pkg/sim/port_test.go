package sim

import "testing"

// The widths of the kinds are those that their documentation lays out.
func TestWidths(t *testing.T) {
	three := []string{"a", "b", "c"}
	for _, c := range []struct {
		port Port
		want int
	}{
		{Port{Kind: Tension, Labels: three}, 3}, {Port{Kind: TendonLength, Labels: three}, 3}, {Port{Kind: Currents, Labels: three}, 3},
		{Port{Kind: Pose}, 7}, {Port{Kind: Path}, 7}, {Port{Kind: Twist}, 6},
		{Port{Kind: Wrench}, 6}, {Port{Kind: Wrench, Frames: []string{World}}, 6}, {Port{Kind: Wrench, Frames: []string{World, "tip"}}, 7},
		{Port{Kind: JointState, Labels: three}, 0}, {Port{Kind: JointState, Labels: three, Parts: Position}, 3},
		{Port{Kind: JointState, Labels: three, Parts: Velocity}, 3}, {Port{Kind: JointState, Labels: three, Parts: Effort}, 3},
		{Port{Kind: JointState, Labels: three, Parts: Position | Effort}, 6}, {Port{Kind: JointState, Labels: three, Parts: Position | Velocity | Effort}, 9},
		{Port{Kind: PoseArray, Labels: three}, 21}, {Port{Kind: Field}, 3}, {Port{Kind: FieldGradient}, 8}, {Port{Kind: RotatingField}, 6},
		{Port{}, 0},
	} {
		if got := c.port.Width(); got != c.want {
			t.Errorf("%+v: width %d, want %d", c.port, got, c.want)
		}
	}
}
