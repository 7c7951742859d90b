package microrobot_test

import (
	"errors"
	"fmt"
	"testing"

	"sinew/pkg/sim/microrobot"
)

// More robots than implicit steps take are an error that says so, and nothing moves; so is
// a step whose motion takes too many substeps.
func TestSwarmTooStiff(t *testing.T) {
	m := microrobot.NewModel(t, fmt.Sprintf(microrobot.Neodymium, microrobot.MaxImplicit+1, 1.5e-4, ""))
	before := *m.Placement()
	var stiff *microrobot.StiffSwarmError
	if err := m.Step(1e-3); !errors.As(err, &stiff) || stiff.Count != microrobot.MaxImplicit+1 || *m.Placement() != before {
		t.Errorf("%v", err)
	}
}
