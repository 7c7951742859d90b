package main

import (
	"sinew/cmd/internal/program"
	"sinew/pkg/sim/robotfile"
)

// Unexported names for the external tests.
var Samples = samples

// Build is build without a bar.
func Build(file *robotfile.Microrobot) (*program.Instance, error) { return build(file, nil) }
