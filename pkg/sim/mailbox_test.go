package sim_test

import (
	"testing"

	"sinew/pkg/sim"
)

// A verdict that there is not is not counted, and does not panic.
func TestRejectUnknownVerdict(t *testing.T) {
	s, _, _ := sim.NewFake(t, sim.FakeOptions())
	for _, v := range []sim.CommandStatus{sim.CommandStatus(sim.NumCommandStatuses), sim.CommandStatus(sim.NumCommandStatuses + 1), 255} {
		s.Reject(v)
	}
}
