package sim

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
)

// Options configure how a Simulator runs its model.
type Options struct {
	// ControlHz is the rate of control periods, Hz, from 1 to 100000. Commands
	// take effect at the start of a period.
	ControlHz float64
	// PublishHz is the rate of snapshots, Hz, above 0 and at most ControlHz.
	PublishHz float64
	// MarkerHz is the rate of Slow snapshots and of scenes, Hz, at most
	// PublishHz; 0 means none.
	MarkerHz float64
	// StepS is the longest time step of the model, s. A control period is
	// divided into the fewest equal steps that are not longer.
	StepS float64
	// CommandTimeoutS is the age, s, at which the watchdog gives up waiting for
	// the next command of a group, by simulated time in lock-step; 0 means that it waits forever.
	CommandTimeoutS float64
	// NewestCommander accepts the newest command of any source. Otherwise a group
	// obeys one Source at a time.
	NewestCommander bool
	// Lockstep runs one control period for every command, in order and as fast as
	// possible, instead of pacing periods by the clock. Every period gives a
	// snapshot. In a state that refuses commands time stands still.
	Lockstep bool
	// Follow runs the control periods up to each time that Simulator.Follow receives, as
	// fast as possible, instead of pacing them by the clock. Stamps are in that time, and
	// time-outs count it.
	Follow bool
	// Disabled starts the simulator DISABLED rather than ENABLED.
	Disabled bool
	// Begun, if given, is where Run says when the control period under way began, ns on its
	// Clock, and between periods the same of the last one, negative. It may be memory that
	// another process reads.
	Begun *atomic.Int64
}

// maxStepsPerPeriod bounds the time steps of a control period, so that a step in a
// wrong unit is found.
const maxStepsPerPeriod = 1_000_000

// check returns everything that is wrong with o.
func (o Options) check() error {
	var errs []error
	require := func(ok bool, name string, value float64, unit, allowed string) {
		if !ok {
			errs = append(errs, fmt.Errorf("%s = %v %s: must be %s", name, value, unit, allowed))
		}
	}
	in := func(x, min, max float64) bool { return x >= min && x <= max }
	require(in(o.ControlHz, 1, 1e5), "control rate", o.ControlHz, "Hz", "from 1 to 100000")
	require(o.PublishHz > 0 && o.PublishHz <= o.ControlHz, "publish rate", o.PublishHz, "Hz",
		"above 0 and at most the control rate")
	require(in(o.MarkerHz, 0, o.PublishHz), "marker rate", o.MarkerHz, "Hz",
		"from 0 to the publish rate")
	require(o.StepS > 0 && !math.IsInf(o.StepS, 0), "step", o.StepS, "s", "above 0 and finite")
	require(in(o.CommandTimeoutS, 0, math.MaxFloat64), "command timeout", o.CommandTimeoutS, "s",
		"0 (never) or above, and finite")
	if o.Lockstep && o.Follow {
		errs = append(errs, errors.New("either commands or another clock can advance time, not both"))
	}
	if len(errs) == 0 && 1/o.ControlHz/o.StepS > maxStepsPerPeriod {
		require(false, "step", o.StepS, "s", "at least a millionth of a control period")
	}
	return errors.Join(errs...)
}

// StepsPerPeriod returns the number of equal time steps in a control period. The
// margin keeps round-off from adding a step: 0.001/5e-5 is 20.
func (o Options) StepsPerPeriod() int {
	return max(1, int(math.Ceil(1/o.ControlHz/o.StepS-wholeStep)))
}
