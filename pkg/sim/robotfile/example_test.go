package robotfile_test

import (
	"fmt"

	"sinew/pkg/sim/robotfile"
)

// A file, an overlay, and one value from the command line.
func ExampleDraft() {
	var d robotfile.Draft[robotfile.Continuum]
	d.Merge("robot.yaml", []byte("tendons: [{name: up, offset_m: [0.015, 0], tension_n: 2}]"))
	d.Merge("fitted.yaml", []byte("rod: {youngs_modulus_pa: 15e6}"))
	d.Set("tendons/up/tension_n", "3", "command line")
	robot, err := d.Robot()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(robot.Tendons[0].Tension, robot.Rod.YoungsModulus)
	// Output: 3 1.5e+07
}

func ExampleParse() {
	_, err := robotfile.Parse[robotfile.Continuum]("robot.yaml", []byte(`
rod: {length_m: 250, colour: red}
solver: {method: implicit, step_s: 0.5 ms}
`))
	fmt.Println(err)
	// Output:
	// robot.yaml:2: rod.colour: unknown key; allowed: length_m, radius_m, inner_radius_m, section, sections, density_kg_per_m3, youngs_modulus_pa, shear_modulus_pa, shear_correction, elements, element_order, material_law, precurvature_per_m, contact_radius_m, damping, viscoelasticity, bending_friction
	// robot.yaml:2: rod.length_m: 250 m is out of range; allowed: (0, 100] m (it looks like millimetres: 0.25 m)
	// robot.yaml:3: solver.step_s: "0.5 ms" must be a number; allowed: (0, 1] s (write the number alone; the key says the unit)
}
