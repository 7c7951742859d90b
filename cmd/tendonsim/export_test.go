package main

import (
	"sinew/cmd/internal/program"
	"sinew/pkg/sim/robotfile"
)

// Unexported names for the external tests.

// Tendonsim is tendonsim.
func Tendonsim() program.Robot { return tendonsim() }

// Build is build without a bar.
func Build(file *robotfile.Continuum) (*program.Instance, error) { return build(file, nil) }

// BuildMechanism is buildMechanism without a bar.
func BuildMechanism(file *robotfile.Mechanism) (*program.Instance, error) {
	return buildMechanism(file, nil)
}
