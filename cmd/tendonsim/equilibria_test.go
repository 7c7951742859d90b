package main

import (
	"strings"
	"testing"

	"sinew/cmd/internal/program"
)

// Who asks for an equilibrium among walls with friction is told that it has none.
func TestEquilibriaAreToldToBeWithoutFriction(t *testing.T) {
	const walls = "{environment: {shapes: [{name: table, plane: {point_m: [0, 0, -1], normal: [0, 0, 1]}, friction_coefficient: "
	for _, c := range []struct {
		overlay string
		told    bool
	}{{"{}", false}, {walls + "0}]}}", false}, {walls + "0.2}]}}", true}} {
		f := program.Files(build)()
		f.Set("", c.overlay, "test")
		made, err := f.Make()
		if err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(made.Equilibria, "without friction"); told != c.told {
			t.Errorf("%s: %q is said of equilibria", c.overlay, made.Equilibria)
		}
	}
}
