package continuum_test

import (
	"os"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// At rest a robot has no subnormal numbers in its state: with them a step takes
// twenty times as long, and real time is lost minutes after the last command.
// Strong drag makes a minute of it enough.
func TestRestIsNotSubnormal(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	const silicone = "../../../launch/robots/silicone.yaml"
	text, err := os.ReadFile(silicone)
	if err != nil {
		t.Fatal(err)
	}
	file, err := robotfile.Parse[robotfile.Continuum](silicone, text)
	if err != nil {
		t.Fatal(err)
	}
	file.Rod.Damping.Drag = 30
	r, err := continuum.NewRobot(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.NewModel()
	if err != nil {
		t.Fatal(err)
	}
	in := sim.NewInputs(m)
	in.Set(port(t, m, "servo_jf"), []float64{1, 1, 0, 0})
	const dt, moved, rested = 0.001, 500, 40_000 // s, steps, steps
	state := make([]float64, m.StateLen())
	for i := range rested {
		if i == moved {
			in.Set(port(t, m, "servo_jf"), []float64{0, 0, 0, 0})
		}
		in.Advance(dt)
		if err := m.Step(dt); err != nil {
			t.Fatal(err)
		}
		if i%100 != 0 {
			continue
		}
		m.Save(state)
		for k, x := range state {
			if x != spatial.Flush(x) {
				t.Fatalf("after %d steps value %d of the state is %g", i, k, x)
			}
		}
	}
}
