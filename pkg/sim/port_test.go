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
		{Port{Kind: PoseArray, Labels: three}, 21}, {Port{Kind: Transforms, Labels: three}, 21}, {Port{Kind: Field}, 3}, {Port{Kind: FieldGradient}, 8}, {Port{Kind: RotatingField}, 6}, {Port{Kind: Contacts, Labels: three}, 835},
		{Port{}, 0},
	} {
		if got := c.port.Width(); got != c.want {
			t.Errorf("%+v: width %d, want %d", c.port, got, c.want)
		}
	}
}

// A slice that has room is reused, also where the room is just enough.
func TestResizeReuses(t *testing.T) {
	s := make([]int, 1, 3)
	for n := range 4 {
		if got := resize(s, n); len(got) != n || n > 0 && &got[0] != &s[0] {
			t.Errorf("%d of 3 are made anew", n)
		}
	}
	if got := resize(s, 4); len(got) != 4 {
		t.Errorf("%d items, want 4", len(got))
	}
}
