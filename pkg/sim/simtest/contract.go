package simtest

import (
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/spatial"
)

// Motion is how Contract moves a robot, and what else it may know of it.
type Motion struct {
	Step  float64 // s
	Steps int     // length of the motion

	// Command writes to v a command for an In port at a phase of the motion, from 0 at its start to 1
	// at its end, and reports whether there is one. On entry v has the setpoint of the start, where
	// a value that the model cannot tell is sim.Keep. Nil means that the robot is not commanded.
	Command func(p *sim.Port, phase float64, v []float64) bool

	// Turned makes a model of the same robot in a world that is moved by a pose. Nil means that the
	// robot has no such world.
	Turned func(by spatial.Pose) (sim.Model, error)

	// Unrestored are gauges that a restored model may show otherwise than the one that was saved.
	Unrestored []string

	// Exercised are gauges that are positive in the middle of the motion, so that the checks test what they measure.
	Exercised []string

	// Equations returns the equations of a model that newModel has made. Nil means that it is not
	// solved by such equations.
	Equations func(m sim.Model) *equations.System
}

// contract is a model under test.
type contract struct {
	Motion
	newModel  func() (sim.Model, error)
	reference *recording // of the motion; see recorded
}

// checks are the properties, each a subtest. A check returns the first violation that it finds.
var checks = []struct {
	name      string
	check     func(c *contract) error
	isSkipped func(c *contract) bool // nil: never
}{
	{"ports", (*contract).checkPorts, nil},
	{"gauges", (*contract).checkGauges, nil},
	{"exercised", (*contract).checkExercised, func(c *contract) bool { return len(c.Exercised) == 0 }},
	{"scene", (*contract).checkScene, nil},
	{"finite", (*contract).checkFinite, nil},
	{"observation", (*contract).checkObservation, nil},
	{"allocations", (*contract).checkAllocations, nil},
	{"replay", (*contract).checkReplay, nil},
	{"refused states", (*contract).checkRefusedStates, nil},
	{"parallel", (*contract).checkParallel, nil},
	{"frame", (*contract).checkFrame, func(c *contract) bool { return c.Turned == nil }},
	{"potential", (*contract).checkPotential, func(c *contract) bool { return c.Equations == nil }},
	{"tangent", (*contract).checkTangent, func(c *contract) bool { return c.Equations == nil }},
	{"loading", (*contract).checkLoading, func(c *contract) bool { return c.Equations == nil }},
}

// Contract tests that models keep the contract of sim.Model. newModel makes a model in its initial
// state, the same at every call.
func Contract(t *testing.T, newModel func() (sim.Model, error), m Motion) {
	t.Helper()
	c := &contract{Motion: m, newModel: newModel}
	for _, k := range checks {
		if k.isSkipped != nil && k.isSkipped(c) {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			if err := k.check(c); err != nil {
				t.Error(err)
			}
		})
	}
}
