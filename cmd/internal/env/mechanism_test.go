//go:build unix

package env

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"sinew/cmd/internal/cli"
)

// handFile is a mechanism with a tension, an effort, a motor that turns between stops, one that turns freely and one that slides.
const handFile = `
rods: [{name: finger, length_m: 0.1, radius_m: 0.0005, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9, density_kg_per_m3: 6450, elements: 4}]
bodies:
  - {name: link, mass_kg: 0.2, inertia_kg_m2: [1e-5, 2e-4, 2e-4]}
  - {name: slider, mass_kg: 0.2, inertia_kg_m2: [1e-5, 1e-5, 1e-5], position_m: [0, 1, 0]}
  - {name: wheel, mass_kg: 0.2, inertia_kg_m2: [1e-5, 1e-5, 1e-5]}
joints:
  - {name: wrist, type: revolute, parent: {world: true}, child: {body: link}, limits: {min: -0.5, max: 1}, motor: {position: {stiffness: 20, damping: 0.5, max_effort: 2}}}
  - {name: mount, type: fixed, parent: {body: link}, child: {rod: finger, at_m: 0}}
  - {name: rail, type: prismatic, axis: [1, 0, 0], parent: {world: true, position_m: [0, 1, 0]}, child: {body: slider}, motor: {prescribed: true}}
  - {name: axle, type: revolute, parent: {body: slider}, child: {body: wheel}, motor: {effort: {max_effort: 0.25}}}
tendons: [{name: flexor, rod: finger, offset_m: [0.005, 0], disks: {count: 2, first_m: 0.05, last_m: 0.1}, limits: {max_tension_n: 8}}]
`

// A mechanism has actions for all tensions, efforts and motors, with names, units and finite bounds, and observations of all links
// and joints; robots are stepped apart from one another.
func TestMechanism(t *testing.T) {
	file := t.TempDir() + "/hand.yaml"
	if err := os.WriteFile(file, []byte(handFile), 0o600); err != nil {
		t.Fatal(err)
	}
	a := call(t, Cmd{RobotFiles: cli.RobotFiles{Config: []string{file}}, Envs: 2})
	var names []string
	var least, most, scale []float64
	for _, p := range a.Actions {
		for i, c := range p.Components {
			names = append(names, p.Name+" "+c+" "+p.Units[i])
			least, most, scale = append(least, *p.Min[i]), append(most, *p.Max[i]), append(scale, p.Scales[i])
		}
	}
	length := scale[3]
	if got, want := strings.Join(names, ", "), "servo_jf flexor N, servo_jf axle N m, servo_jp position.wrist rad, servo_jp position.rail m"; got != want {
		t.Errorf("actions %s, want %s", got, want)
	}
	if !slices.Equal(least, []float64{0, -0.25, -0.5, -length}) || !slices.Equal(most, []float64{8, 0.25, 1, length}) || !slices.Equal(scale, []float64{8, 0.25, 1, length}) || !(length > 1) {
		t.Errorf("from %v to %v, of the order of %v", least, most, scale)
	}
	names = nil
	for _, p := range a.Observations {
		names = append(names, p.Name)
	}
	if got, want := strings.Join(names, " "), "finger/measured_cp link/measured_cp slider/measured_cp wheel/measured_cp measured_js"; got != want {
		t.Fatalf("observations %s, want %s", got, want)
	}
	js := a.Observations[4]
	var units []string
	for i, c := range js.Components {
		units = append(units, c+" "+js.Units[i])
	}
	want := "position.flexor m, position.wrist rad, position.rail m, position.axle rad, velocity.flexor m/s, velocity.wrist rad/s, velocity.rail m/s, velocity.axle rad/s, effort.flexor N, effort.wrist N m, effort.rail N, effort.axle N m"
	if got := strings.Join(units, ", "); got != want {
		t.Errorf("joints %s, want %s", got, want)
	}
	a.must("reset_all")
	copy(a.action, []float64{0, 0, 0, 0, 0, 0.1, 0.3, 0.02}) // the second robot moves
	for range 100 {
		a.must("step")
	}
	at := func(robot int, name string) float64 {
		k := 4*7 + slices.Index(js.Components, name)
		return a.observation[robot*widthOf(a.Observations)+k]
	}
	if x := at(1, "position.rail"); math.Abs(x-0.02) > 1e-9 || at(0, "position.rail") != 0 {
		t.Errorf("rails at %g m and %g m, want 0 and 0.02", at(0, "position.rail"), x)
	}
	if v := at(1, "velocity.axle"); v < 100 || math.Abs(at(0, "velocity.axle")) > 1e-9 {
		t.Errorf("axles turn at %g and %g rad/s", at(0, "velocity.axle"), v)
	}
}
