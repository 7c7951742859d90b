package observer_test

import (
	"fmt"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/observer"
	"sinew/pkg/sim/robotfile"
)

// The step of a robot alone, and with observers of a force at its tip and anywhere.
func BenchmarkStep(b *testing.B) {
	for _, c := range []struct{ name, observer string }{{"robot", ""}, {"tip", ""}, {"anywhere", ", anywhere: true"}} {
		b.Run(c.name, func(b *testing.B) {
			f, err := robotfile.Parse[robotfile.Continuum]("f", fmt.Appendf(nil, nitinolRobot, tipAndBase, c.observer, 1))
			if err != nil {
				b.Fatal(err)
			}
			robot, err := continuum.New(f)
			if err != nil {
				b.Fatal(err)
			}
			var m sim.Model = robot
			if c.name != "robot" {
				if m, err = observer.New(robot, f, func() (sim.Estimable, error) { return continuum.New(f.Predicting()) }); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := m.Step(0.001); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
