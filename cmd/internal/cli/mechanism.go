package cli

import (
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
)

// RefuseMechanism returns a usage error for a mechanism, which what, a command or a flag that is given, does not support; instead says
// why, or what to do.
func RefuseMechanism(made *program.Instance, what string, isGiven bool, instead string) error {
	if _, ok := made.Model.(sim.Mechanism); !ok || !isGiven {
		return nil
	}
	return exitcode.Usagef("%s is not supported with rods, bodies or joints; %s", what, instead)
}
