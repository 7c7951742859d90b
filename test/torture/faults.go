package torture

import (
	"errors"
	"fmt"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/microrobot"
)

// FaultName returns the name of the error type that ended a run, empty for an error
// that the models do not name.
func FaultName(err error) string {
	for _, f := range []struct {
		name  string
		found bool
	}{
		{"continuum.UnstableError", as[*continuum.UnstableError](err)},
		{"continuum.NotConvergedError", as[*continuum.NotConvergedError](err)},
		{"continuum.DisksMeetError", as[*continuum.DisksMeetError](err)},
		{"continuum.CoarseMeshError", as[*continuum.CoarseMeshError](err)},
		{"continuum.EquilibriumError", as[*continuum.EquilibriumError](err)},
		{"microrobot.UnstableError", as[*microrobot.UnstableError](err)},
		{"microrobot.StiffError", as[*microrobot.StiffError](err)},
		{"microrobot.SlipError", as[*microrobot.SlipError](err)},
		{"microrobot.InertialError", as[*microrobot.InertialError](err)},
		{"microrobot.WallError", as[*microrobot.WallError](err)},
		{"microrobot.CollapseError", as[*microrobot.CollapseError](err)},
		{"microrobot.StiffSwarmError", as[*microrobot.StiffSwarmError](err)},
		{"microrobot.OverlapError", as[*microrobot.OverlapError](err)},
	} {
		if f.found {
			return f.name
		}
	}
	return ""
}

func as[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// resumeSteps is how far a restored model is followed.
const resumeSteps = 20

// resume restores the state of m in a fresh model of the robot and steps both: their
// states must keep the same bits, and errors the same words.
func (c *Case) resume(m sim.Model, step float64) error {
	twin, err := c.model(step)
	if err != nil {
		return err
	}
	a, b := make([]float64, m.StateLen()), make([]float64, m.StateLen())
	m.Save(a)
	if err := twin.Restore(a); err != nil {
		return err
	}
	for i := range resumeSteps {
		errA, errB := m.Step(step), twin.Step(step)
		if fmt.Sprint(errA) != fmt.Sprint(errB) {
			return fmt.Errorf("step %d after Restore ends with %v, without with %v", i, errB, errA)
		}
		m.Save(a)
		twin.Save(b)
		if !slices.Equal(a, b) {
			return fmt.Errorf("step %d after Restore gives other bits", i)
		}
	}
	return nil
}
