package microrobot_test

import (
	"testing"

	"sinew/pkg/sim/microrobot"
	"sinew/test/testsize"
)

// A step allocates nothing, whatever the swarm.
func TestSwarmAllocatesNothing(t *testing.T) {
	testsize.SkipInShort(t)
	microrobot.Processors(t, 5)
	for _, k := range microrobot.Swarms {
		m := microrobot.NewModel(t, k.Text)
		microrobot.StepsInTest(t, m, 2, 1e-3)
		if n := testing.AllocsPerRun(3, func() { _ = m.Step(1e-3) }); n != 0 {
			t.Errorf("%s: %g allocations per step", k.Name, n)
		}
	}
}
