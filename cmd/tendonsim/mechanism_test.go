package main_test

import (
	"strings"
	"testing"

	"sinew/cmd/internal/program"
	main "sinew/cmd/tendonsim"
)

// TestMechanismErrorsArePlaced: what is found when a mechanism is made has the line of the entry that it is about.
func TestMechanismErrorsArePlaced(t *testing.T) {
	const file = `bodies:
  - {name: link, mass_kg: 1, inertia_kg_m2: [1, 1, 1], velocity_m_per_s: [1, 0, 0], angular_velocity_rad_per_s: [0, 0, 0]}
  - {name: ball, mass_kg: 1, inertia_kg_m2: [1, 1, 1], shapes: [{sphere: {center_m: [0, 0, 0], radius_m: 0.1}}], position_m: [0, 0, 1]}
joints:
  - {name: hinge, type: revolute, axis: [0, 1, 0], parent: {world: true}, child: {body: link}}
tendons:
  - {name: cord, route: [{world: true, position_m: [0, 0, 1]}, {body: link, position_m: [0, 0, 0.1]}], tension_n: 1}
environment:
  shapes:
    - {name: floor, plane: {point_m: [0, 0, 0], normal: [0, 0, 1]}}
`
	for _, c := range []struct{ was, is, want string }{
		{"", "", `robot.yaml:2: bodies[0]: mechanism: the velocity of "link" `},
		{"velocity_m_per_s: [1, 0, 0], ", "velocity_m_per_s: [0, 0, 0], ", ""},
		{"position_m: [0, 0, 1]}, {body: link, position_m: [0, 0, 0.1]}", "position_m: [0, 0, 0]}, {body: link, position_m: [0, 0, 0]}", `robot.yaml:7: tendons[0]: mechanism: tendon "cord": `},
		{"position_m: [0, 0, 1]}\njoints", "position_m: [0, 0, -1]}\njoints", `robot.yaml:3: bodies[1]: mechanism: "ball" and "floor" overlap `},
	} {
		text := strings.Replace(file, c.was, c.is, 1)
		if c.was != "" {
			text = strings.Replace(text, "velocity_m_per_s: [1, 0, 0], ", "velocity_m_per_s: [0, 0, 0], ", 1)
		}
		f := program.Files(main.BuildMechanism)()
		f.Merge("robot.yaml", []byte(text))
		if _, err := f.Make(); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%q: %v, want %q", c.is, err, c.want)
		}
	}
}
