package simtest_test

import (
	"fmt"
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/simtest"
	"sinew/test/testsize"
)

// Rods with what no robot file above has.
const (
	explicitRod = `
rod: {elements: 20, precurvature_per_m: [0.5, 1, 0.4], damping: {kelvin_voigt_s: 1e-5, drag_per_s: 5, quadratic_drag_kg_per_m2: 0.5}}
tendons:
  - {name: up, offset_m: [0.015, 0], disks: {count: 10, first_m: 0.025, last_m: 0.25, mass_kg: 0.002}, stiffness_n_per_m: 500}
  - {name: left, offset_m: [0, -0.012], disks: {count: 10, first_m: 0.025, last_m: 0.25}, stiffness_n_per_m: 500, tension_n: 2}
tip: {mass_kg: 0.002, inertia_kg_m2: [1e-7, 1e-7, 1e-7]}
loads: [{at_m: 0.125, force_n: [0, 0.05, 0], moment_nm: [0, 0, 0.001]}]
solver: {method: explicit, step_s: 1e-5}`

	// all that a rod and its tendons remember
	viscoelasticRod = `
rod: {elements: 12, damping: {rotational_drag_n_s: 1e-6}, viscoelasticity: [{modulus_ratio: 0.2, relaxation_time_s: 0.02}, {modulus_ratio: 0.1, relaxation_time_s: 1}]}
tendons: [{name: up, offset_m: [0.015, 0], disks: {count: 4, first_m: 0.0625, last_m: 0.25}, stiffness_n_per_m: 500}]
solver: {step_s: 0.001}`
	bendingFriction = `
rod: {elements: 12, bending_friction: [{stiffness_nm2: 3e-4, limit_nm: 3e-5}, {stiffness_nm2: 3e-4, limit_nm: 3e-4}, {stiffness_nm2: 3e-4, limit_nm: 3e-3}]}
tendons: [{name: up, offset_m: [0.015, 0], disks: {count: 4, first_m: 0.0625, last_m: 0.25}, stiffness_n_per_m: 500}]
solver: {step_s: 0.001}`
	tendonFriction = `
rod: {elements: 10, precurvature_per_m: [1, -2, 3], damping: {kelvin_voigt_s: 0.001, drag_per_s: 0.5, quadratic_drag_kg_per_m2: 3}}
tendons:
  - name: up
    offset_m: [0.015, 0]
    twist_rad_per_m: 8
    disks: {positions_m: [0.025, 0.1, 0.25], mass_kg: 0.002}
    stiffness_n_per_m: 500
    friction_coefficient: 0.2
  - name: left
    offset_m: [0, -0.012]
    disks: {positions_m: [0.05, 0.075, 0.15]}
    stiffness_n_per_m: .inf
    friction_coefficient: 0.1
    friction_springs: [{share: 1, displacement_m: 1e-5}, {share: 2, displacement_m: 4e-5}, {share: 1, displacement_m: 1e-4}]
tip: {mass_kg: 0.01, inertia_kg_m2: [1e-6, 2e-6, 3e-6]}
loads:
  - {at_m: 0.11, force_n: [0, 0.1, 0], moment_nm: [0, 0, 0.005], frame: body}
  - {at_m: 0.2, force_n: [0, 0, 0.1]}
solver: {step_s: 0.001}`

	springs = `
rod: {elements: 12, damping: {kelvin_voigt_s: 0.001}}
springs:
  - {name: tether, point_m: [0.3, 0, 0.1], stiffness_n_per_m: 20, rest_length_m: 0.1, damping_n_s_per_m: 0.2}
  - {name: strut, at_m: 0.125, point_m: [0.1, 0.2, 0.1], stiffness_n_per_m: 10, rest_length_m: 0.3}
  - {name: mount, at_m: 0, point_m: [0, 0, 0.1], stiffness_n_per_m: 10, rest_length_m: 0.05, damping_n_s_per_m: 0.1}
tip: {mass_kg: 0.01, inertia_kg_m2: [1e-6, 1e-6, 1e-6]}
solver: {step_s: 0.001}`

	interactingMagnets = `
rod: {length_m: 0.05, radius_m: 0.0007, density_kg_per_m3: 1500, youngs_modulus_pa: 2e6, shear_modulus_pa: 7e5, elements: 12, damping: {kelvin_voigt_s: 0.01, drag_per_s: 60}}
magnets:
  - {name: a, at_m: 0.01, moment_a_m2: [0.009, 0, 0.012]}
  - {name: b, at_m: 0.025, moment_a_m2: [0, 0.012, -0.009]}
  - {name: tip, from_m: 0.04, to_m: 0.05, magnetization_a_per_m: [2e4, 0, 8e4]}
magnets_interact: true
field: {uniform_t: [0.001, 0, 0.004]}
solver: {step_s: 0.001}`
	turningField = `
rod: {length_m: 0.05, radius_m: 0.0007, density_kg_per_m3: 1500, youngs_modulus_pa: 5e6, shear_modulus_pa: 1.7e6, elements: 12, damping: {kelvin_voigt_s: 0.002, drag_per_s: 2}}
magnets:
  - {name: skin, from_m: 0.02, to_m: 0.05, magnetization_a_per_m: [0, 0, 2e4]}
  - {name: tip, at_m: 0.05, moment_a_m2: [0.0002, 0, 0.003]}
field:
  uniform_t: [0, 0, 0.002]
  gradient_t_per_m: [0.02, 0, 0.01, 0, 0.03]
  rotating: {axis: [1, 0, 0], amplitude_t: 0.004, frequency_hz: 3}
  dipoles: [{name: arm, position_m: [0.06, 0.02, 0.15], moment_a_m2: [0, 0, 15]}]
tip: {mass_kg: 2e-5}
tendons: [{name: pull, offset_m: [0.003, 0], tension_n: 0.02, disks: {count: 3, first_m: 0.01, last_m: 0.03}}]
solver: {step_s: 0.001}`

	// a coil of two turns of which the upper one sinks onto the other
	coil = `
rod: {length_m: 0.5, radius_m: 0.003, density_kg_per_m3: 1100, youngs_modulus_pa: 1e8, shear_modulus_pa: 4e7, elements: 24, precurvature_per_m: [25, 0, 0.62], damping: {kelvin_voigt_s: 0.01}}
base: {direction: [1, 0, 0], normal: [0, 0, 1]}
environment: {self_contact: true}
solver: {step_s: 0.001}`
	// a rod that hits a table, and slides and sticks there
	fallingRod = `
rod: {length_m: 0.3, radius_m: 0.002, density_kg_per_m3: 1100, youngs_modulus_pa: 1e7, shear_modulus_pa: 3.5e6, elements: 20, damping: {kelvin_voigt_s: 0.002}}
base: {position_m: [0, 0, 0.0025], velocity_m_per_s: [-0.02, 0.01, 0], until_s: 0.05}
environment: {friction_coefficient: 0.5, shapes: [{name: table, plane: {}}]}
solver: {step_s: 0.001}`
	// a stiff rod whose base is sent farther than it can go
	fastBase = `
rod: {length_m: 0.1, radius_m: 0.001, density_kg_per_m3: 1500, youngs_modulus_pa: 1e9, shear_modulus_pa: 4e8, elements: 8, damping: {drag_per_s: 20, kelvin_voigt_s: 0.002}}
base: {position_m: [1, 2, 3], direction: [0, 0.6, 0.8], normal: [1, 0, 0]}
solver: {step_s: 0.001}`
	// a bar, whose pose is commanded, in contact with a rod
	movedBar = `
rod: {length_m: 0.1, radius_m: 0.001, density_kg_per_m3: 1500, youngs_modulus_pa: 1e7, shear_modulus_pa: 4e6, elements: 10, damping: {kelvin_voigt_s: 0.005, drag_per_s: 10}}
environment: {friction_coefficient: 0.4, shapes: [{name: far, plane: {point_m: [0, 0, -5]}}, {name: bar, capsule: {from_m: [0.06, -0.1, -0.0061], to_m: [0.06, 0.1, -0.0061], radius_m: 0.005}}]}
initial_state: equilibrium
solver: {step_s: 0.001}`
)

// softRods are amplitudes for rods that a tension of 1 N would crush.
var softRods = simtest.Amplitudes{Tension: 0.02, Position: 5e-3, Rotation: 0.1, Angle: 0.1, Force: 1e-4, Moment: 1e-6, Field: 2e-3, Gradient: 0.02, Frequency: 1}

// rodFeatures are the rods, each with a gauge that shows in the middle of the motion that it has what it is there for.
var rodFeatures = []struct {
	name, text string
	amplitudes simtest.Amplitudes
	exercised  string
}{
	{"explicit", explicitRod, rods, "kinetic_energy"},
	{"viscoelastic", viscoelasticRod, rods, "kinetic_energy"},
	{"bending friction", bendingFriction, rods, "kinetic_energy"},
	{"tendon friction", tendonFriction, rods, "kinetic_energy"},
	{"springs", springs, rods, "spring_force_max"},
	{"interacting magnets", interactingMagnets, softRods, "kinetic_energy"},
	{"turning field", turningField, softRods, "kinetic_energy"},
	{"self-contact", coil, rodsAmongShapes, "contacts"},
	{"falling", fallingRod, rodsAmongShapes, "contacts"},
	{"fast base", fastBase, simtest.Amplitudes{Position: 0.1, Rotation: 1, Angle: 3}, "base_speed_limited"},
	{"moved bar", movedBar, simtest.Amplitudes{Position: 1e-4, Rotation: 0.01, Angle: 0.01}, "contacts"},
}

// TestRods tests models of rods, those of method implicit with elements of both orders.
func TestRods(t *testing.T) {
	testsize.SkipInShort(t)
	for _, c := range rodFeatures {
		f, err := robotfile.Parse[robotfile.Continuum](c.name+".yaml", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		orders := []int{4, 2}
		if f.Solver.Method != robotfile.Implicit || testing.Short() {
			orders = orders[:1]
		}
		for _, order := range orders {
			f := *f
			f.Rod.Order = order
			t.Run(fmt.Sprintf("%s/order %d", c.name, order), func(t *testing.T) {
				contractRod(t, &f, simtest.Motion{Command: c.amplitudes.Command, Exercised: []string{c.exercised}})
			})
		}
	}
}
