package microrobot_test

import (
	"errors"
	"testing"

	"sinew/pkg/sim/microrobot"
	"sinew/test/testsize"
)

// A body that is driven along a wall by much more than any substep follows is an error, and
// stays where it is.
func TestTooFastAlongAWall(t *testing.T) {
	testsize.SkipInShort(t)
	m := microrobot.NewModel(t, `{body: {shape: {ellipsoid_m: [1e-3, 4e-4, 2e-4]}, position_m: [0, 0, 2e-4], load: {force_n: [10, 0, -10], moment_nm: [0, 0.1, 0.02]}}, walls: [{plane: {}}]}`)
	before := *m.Placement()
	var fast *microrobot.WallError
	if err := m.Step(1e-3); !errors.As(err, &fast) || *m.Placement() != before {
		t.Errorf("%v", err)
	}
}
