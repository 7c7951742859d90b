package main_test

import (
	"fmt"
	"strings"
	"testing"

	"sinew/cmd/internal/program"
	main "sinew/cmd/tendonsim"
)

// An equilibrium among walls with friction gives a note that it has none.
func TestEquilibriaAreToldToBeWithoutFriction(t *testing.T) {
	const walls = "{environment: {shapes: [{name: table, plane: {point_m: [0, 0, -1], normal: [0, 0, 1]}, friction_coefficient: "
	for _, c := range []struct {
		overlay string
		warned  bool
	}{{"{}", false}, {walls + "0}]}}", false}, {walls + "0.2}]}}", true}} {
		f := program.Files(main.Build)()
		f.Set("", c.overlay, "test")
		made, err := f.Make()
		if err != nil {
			t.Fatal(err)
		}
		if warned := strings.Contains(made.Equilibria, "without friction"); warned != c.warned {
			t.Errorf("%s: %q is said of equilibria", c.overlay, made.Equilibria)
		}
	}
}

// The error of a robot that is in a wall has the line of that wall, and a precurved one what straightens it.
func TestRodInAWallIsPlaced(t *testing.T) {
	const file = `rod:
  elements: 10
  precurvature_per_m: [0, %s, 0]
  length_m: 0.1
  radius_m: 0.001
environment:
  shapes:
    - {name: table, plane: {point_m: [0, 0, -1]}}
    - {name: introducer, tube: {points_m: [[-0.01, 0, %s], [0.2, 0, %[2]s]], radius_m: 0.002}}
tendons: []
`
	for _, c := range []struct {
		curvature, height string
		hint              bool
	}{{"10", "0", true}, {"0", "0.01", false}} {
		f := program.Files(main.Build)()
		f.Merge("robot.yaml", fmt.Appendf(nil, file, c.curvature, c.height))
		_, err := f.Make()
		if err == nil || !strings.HasPrefix(err.Error(), "robot.yaml:9: ") || !strings.Contains(err.Error(), "the rod is not inside introducer but in its wall: its surface at ") {
			t.Errorf("%+v: %v", c, err)
		} else if strings.Contains(err.Error(), "initial_state: equilibrium") != c.hint {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// The error of a shape that cannot be made has its line.
func TestShapesThatAreNoneArePlaced(t *testing.T) {
	f := program.Files(main.Build)()
	f.Merge("robot.yaml", []byte(`rod: {elements: 10, length_m: 0.1, radius_m: 0.001}
environment:
  shapes:
    - {name: table, plane: {point_m: [0, 0, -1]}}
    - {name: bend, tube: {points_m: [[-0.01, 0, 0], [0.05, 0, 0], [0.05, 0.05, 0]], radius_m: 0.02}}
tendons: []
solver: {method: implicit}
`))
	const place = "robot.yaml:5: environment.shapes[1] (bend): "
	if _, err := f.Make(); err == nil || !strings.HasPrefix(err.Error(), place) || !strings.Contains(err.Error(), "folded") {
		t.Errorf("%v, want it to begin with %q", err, place)
	}
}

// The error of an equilibrium that is not found also says that it would be without friction.
func TestMissingEquilibriaAreToldToBeWithoutFriction(t *testing.T) {
	const file = `{rod: {length_m: 0.3, radius_m: 0.0005, elements: 4, youngs_modulus_pa: 1e6, damping: {drag_per_s: 1}}, initial_state: equilibrium, tendons: [],
loads: [{at_m: 0.3, force_n: [-50, 0, 0]}], environment: {shapes: [{name: table, plane: {point_m: [0, 0, -0.001]}, friction_coefficient: %s}]}}`
	for friction, hinted := range map[string]bool{"0": false, "0.3": true} {
		f := program.Files(main.Build)()
		f.Merge("robot.yaml", fmt.Appendf(nil, file, friction))
		if _, err := f.Make(); err == nil || strings.Contains(err.Error(), "without the friction of walls") != hinted {
			t.Errorf("friction %s: %v", friction, err)
		}
	}
}
