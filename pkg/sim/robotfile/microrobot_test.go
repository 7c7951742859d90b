package robotfile_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

func TestHeavyTopValues(t *testing.T) {
	r, err := robotfile.Parse[robotfile.Microrobot]("f", robotfile.ReadFile(t, "testdata/heavy_top.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	want := &robotfile.Microrobot{
		Body: robotfile.Body{
			Density: 1100, Mass: 15, Inertia: []float64{0.234375, 0.46875, 0.234375, 0, 0, 0},
			Position: spatial.Vec{Y: 1}, Orientation: spatial.Quat{W: 1},
			Velocity: spatial.Vec{X: 4.61538}, AngularVelocity: spatial.Vec{Y: 150, Z: -4.61538},
			Pivot: &spatial.Vec{Y: -1}, Load: robotfile.BodyLoad{Frame: robotfile.WorldAxes},
		},
		Fluid:   robotfile.Fluid{Density: 1002, Temperature: 310.15},
		Field:   robotfile.Field{Interpolation: robotfile.ZeroOrderHold, CoilMaxCurrent: math.Inf(1), MaxField: 1, MaxGradient: 1e4, MaxFrequency: 1e6},
		Gravity: spatial.Vec{Z: -9.81}, Dynamics: robotfile.Inertial,
		Solver:   robotfile.BodySolver{Method: robotfile.CG4, Step: 1e-4, Parametrization: robotfile.Quaternion, SpectralRadius: 0.9},
		Hardware: plainHardware,
		Publish:  robotfile.PublishBody{true, true, true, true},
		Rates:    robotfile.Rates{Control: 1000, Publish: 200, Marker: 25}, CommandTimeout: 0.5, CommandPolicy: robotfile.ExclusiveCommander, AcceptStamps: robotfile.FreshStamps, Seed: 1,
	}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("got  %+v\nwant %+v", r, want)
	}
}

func TestOrientationIsXYZWAndNormalized(t *testing.T) {
	r, err := robotfile.Parse[robotfile.Microrobot]("f", []byte("body: {shape: {sphere_m: 1e-6}, orientation_xyzw: [0, 0, 3, 4]}"))
	if err != nil {
		t.Fatal(err)
	}
	if want := (spatial.Quat{W: 0.8, Z: 0.6}); r.Body.Orientation != want {
		t.Errorf("got %+v, want %+v", r.Body.Orientation, want)
	}
}

// A file named in a robot file is beside it; one named otherwise is where it says.
func TestFileNames(t *testing.T) {
	const robot = "body: {shape: {sphere_m: 1e-6}}\nfield: {coils: %s}"
	for _, c := range []struct{ file, text, want string }{
		{"robots/a.yaml", "cal/octomag.yaml", "robots/cal/octomag.yaml"},
		{"robots/a.yaml", "../octomag.yaml", "octomag.yaml"},
		{"a.yaml", "octomag.yaml", "octomag.yaml"},
		{"robots/a.yaml", "/lab/octomag.yaml", "/lab/octomag.yaml"},
	} {
		r, err := robotfile.Parse[robotfile.Microrobot](c.file, fmt.Appendf(nil, robot, c.text))
		if err != nil {
			t.Fatal(err)
		}
		if string(r.Field.Coils) != c.want {
			t.Errorf("coils %s in %s: %s, want %s", c.text, c.file, r.Field.Coils, c.want)
		}
	}
	var d robotfile.Draft[robotfile.Microrobot]
	d.Merge("robots/a.yaml", fmt.Appendf(nil, robot, "a_coils.yaml"))
	d.Merge("labs/b.yaml", []byte("field: {coils: b_coils.yaml}"))
	r, err := d.Robot()
	if err != nil || r.Field.Coils != "labs/b_coils.yaml" {
		t.Errorf("laid over: %s, %v", r.Field.Coils, err)
	}
	d.Set("field.coils", "c_coils.yaml", "command line")
	if r, err = d.Robot(); err != nil || r.Field.Coils != "c_coils.yaml" {
		t.Errorf("from the command line: %s, %v", r.Field.Coils, err)
	}
}

func TestMicrorobotMistakes(t *testing.T) {
	const ball = "f:1: body."
	for _, c := range []struct{ name, text, want string }{
		{"no shape", "{}", "f:1: dynamics: overdamped needs drag, which takes body.shape and fluid.viscosity_pa_s above 0; allowed: inertial"},
		{"empty shape", "body: {shape: {}}", ball + "shape: {...} is not a shape; allowed: ellipsoid_m, sphere_m, cuboid, cylinder, helix or resistance"},
		{"thin cuboid", "body: {shape: {cuboid: {edges_m: [1e-3, 1e-3, 1e-5]}}}", ball + "shape.cuboid.edges_m: [1e-3, 1e-3, 1e-5] makes a body of 0.001 m by 1e-05 m; allowed: a ratio of at most 50 (use ellipsoid_m for a thinner body)"},
		{"two shapes", "body: {shape: {sphere_m: 1e-6, ellipsoid_m: [1, 1, 1]}}", ball + "shape.sphere_m: 1e-6 excludes ellipsoid_m, which is given too; allowed: one of the two"},
		{"two magnets", "body: {shape: {sphere_m: 1e-6}, magnet: {}, soft: {}}", ball + "soft: {...} excludes magnet, which is given too; allowed: one of the two"},
		{"flat ellipsoid", "body: {shape: {ellipsoid_m: [1e-6, 1e-6, 0]}}", ball + "shape.ellipsoid_m[2]: 0 m is out of range; allowed: (0, 10] m"},
		{"no mass", "{dynamics: inertial, body: {inertia_kg_m2: [1, 1, 1, 0, 0, 0]}}", ball + "mass_kg: is needed: the body has no volume to take it from; allowed: (0, 1e6] kg"},
		{"no inertia", "{dynamics: inertial, body: {mass_kg: 1}}", ball + "inertia_kg_m2: is needed: the body has no volume to take it from; allowed: [Jxx, Jyy, Jzz, Jyz, Jxz, Jxy]"},
		{"implicit without inertia", "{body: {shape: {sphere_m: 1e-4}}, solver: {method: splitting}}", "f:1: solver.method: \"splitting\" integrates motion with inertia, and dynamics is overdamped; allowed: lie-euler | rkmk4 | cg4 | cg4-rational, or dynamics inertial"},
		{"speed without inertia", "body: {shape: {sphere_m: 1e-4}, velocity_m_per_s: [1, 0, 0]}", ball + "velocity_m_per_s: [1, 0, 0] is supported for bodies with inertia only; allowed: with dynamics inertial"},
		{"spin without inertia", "body: {shape: {sphere_m: 1e-4}, angular_velocity_rad_per_s: [1, 0, 0]}", ball + "angular_velocity_rad_per_s: [1, 0, 0] is supported for bodies with inertia only; allowed: with dynamics inertial"},
		{"pivot without inertia", "body: {shape: {sphere_m: 1e-4}, pivot_m: [0, 0, 0]}", ball + "pivot_m: [0, 0, 0] is supported for bodies with inertia only; allowed: with dynamics inertial"},
		{"swarm with inertia", "{dynamics: inertial, body: {shape: {sphere_m: 1e-3}}, swarm: {count: 2, spacing_m: 1e-2}}", "f:1: swarm: {...} is supported for overdamped motion only; allowed: dynamics overdamped, or one robot"},
		{"shaken with inertia", "{dynamics: inertial, body: {shape: {sphere_m: 1e-3}}, fluid: {brownian: true}}", "f:1: fluid.brownian: true is supported for overdamped motion only; allowed: false, or dynamics overdamped"},
		{"wind in vacuum", "{dynamics: inertial, body: {shape: {sphere_m: 1e-3}}, fluid: {viscosity_pa_s: 0, flow: {uniform_m_per_s: [1, 0, 0]}}}", "f:1: fluid.flow: {...} has no effect without drag; allowed: with body.shape and fluid.viscosity_pa_s above 0"},
		{"shear in vacuum", "{dynamics: inertial, body: {shape: {sphere_m: 1e-3}}, fluid: {viscosity_pa_s: 0, flow: {gradient_per_s: [0, 1, 0, 0, 0, 0, 0, 0, 0]}}}", "f:1: fluid.flow: {...} has no effect without drag; allowed: with body.shape and fluid.viscosity_pa_s above 0"},
		{"a tube in vacuum", "{dynamics: inertial, body: {shape: {sphere_m: 1e-3}}, fluid: {viscosity_pa_s: 0, flow: {poiseuille: {axis: [1, 0, 0], radius_m: 1e-2, peak_m_per_s: 1}}}}", "f:1: fluid.flow: {...} has no effect without drag; allowed: with body.shape and fluid.viscosity_pa_s above 0"},
		{"a pulse in vacuum", "{dynamics: inertial, body: {shape: {sphere_m: 1e-3}}, fluid: {viscosity_pa_s: 0, flow: {pulsatile: {axis: [1, 0, 0], radius_m: 1e-2, peak_m_per_s: 1, frequency_hz: 1}}}}", "f:1: fluid.flow: {...} has no effect without drag; allowed: with body.shape and fluid.viscosity_pa_s above 0"},
		{"pivot and walls", "{dynamics: inertial, body: {shape: {sphere_m: 1e-3}, pivot_m: [0, 0, 1]}, walls: [{plane: {}}]}", "f:1: walls: [{...}] cannot be touched by a body on a pivot; allowed: walls or body.pivot_m"},
		{"torn off its pivot", "{dynamics: inertial, body: {shape: {sphere_m: 1e-3}, pivot_m: [0, 0, 1], velocity_m_per_s: [1, 0, 0], angular_velocity_rad_per_s: [2, 0, 0]}}", ball + "velocity_m_per_s: [1, 0, 0] is not that of a body turning about its pivot; allowed: [0, 2, 0] m/s, or none: it follows from angular_velocity_rad_per_s"},
		{"short inertia", "{dynamics: inertial, body: {mass_kg: 1, inertia_kg_m2: [1, 1, 1]}}", ball + "inertia_kg_m2: [1, 1, 1] has 3 values; allowed: a list of 0 or 6"},
		{"indefinite inertia", "{dynamics: inertial, body: {mass_kg: 1, inertia_kg_m2: [1, 1, 1, 0.9, -0.9, 0.9]}}", ball + "inertia_kg_m2: [1, 1, 1, 0.9, -0.9, 0.9] is not positive definite"},
		{"negative resistance", "body: {shape: {resistance: {trans_kg_per_s: [1, 1, -1], rot_kg_m2_per_s: [1, 1, 1]}}}", ball + "shape.resistance.trans_kg_per_s: [1, 1, -1] is not positive definite"},
		{"asymmetric resistance", "body: {shape: {resistance: {trans_kg_per_s: [1, 1, 1], rot_kg_m2_per_s: [1, 0.1, 0, 0, 1, 0, 0, 0, 1]}}}", ball + "shape.resistance.rot_kg_m2_per_s: [1, 0.1, 0, 0, 1, 0, 0, 0, 1] is not symmetric"},
		{"no resistance", "body: {shape: {resistance: {trans_kg_per_s: [1, 1, 1]}}}", ball + "shape.resistance.rot_kg_m2_per_s: is missing; allowed: 3 or 9 numbers"},
		{"thick wire", "body: {shape: {helix: {length_m: 1e-4, radius_m: 1e-5, pitch_m: 1e-5, wire_radius_m: 2e-5}}}", ball + "shape.helix.wire_radius_m: 2e-5 m is not below radius_m; allowed: below 1e-05 m"},
		{"no orientation", "body: {shape: {sphere_m: 1e-6}, orientation_xyzw: [0, 0, 0, 0]}", ball + "orientation_xyzw: [0, 0, 0, 0] has no length; allowed: any quaternion but zero"},
		{"millitesla", "{body: {shape: {sphere_m: 1e-6}}, field: {uniform_t: [80, 0, 0]}}", "f:1: field.uniform_t[0]: 80 T is out of range; allowed: [-1, 1] T (it looks like millitesla: 0.08 T)"},
		{"name of a dipole", "{body: {shape: {sphere_m: 1e-6}}, field: {dipoles: [{name: a-b, position_m: [0, 0, 1], moment_a_m2: [0, 0, 1]}]}}", `f:1: field.dipoles[0].name: "a-b" is not a valid name; allowed: a letter, then letters, digits and _ up to 64 in all`},
		{"name of two dipoles", "{body: {shape: {sphere_m: 1e-6}}, field: {dipoles: [{name: a, position_m: [0, 0, 1], moment_a_m2: [0, 0, 1]}, {name: a, position_m: [0, 0, 2], moment_a_m2: [0, 0, 1]}]}}", `f:1: field.dipoles[1].name: "a" is the name of field.dipoles[0] too; allowed: names that differ`},
		{"no axis", "{body: {shape: {sphere_m: 1e-6}}, field: {rotating: {axis: [0, 0, 0], amplitude_t: 0, frequency_hz: 1}}}", "f:1: field.rotating.axis: [0, 0, 0] has no length; allowed: any vector but zero"},
		{"a body that touches itself", "{body: {shape: {sphere_m: 1e-6}}, environment: {self_contact: true}}", "f:1: environment.self_contact: true is not supported for bodies: their shape is constant; allowed: false"},
		{"no wall", "{body: {shape: {sphere_m: 1e-6}}, walls: [{}]}", "f:1: walls[0]: {...} is not a wall; allowed: plane or cylinder"},
		{"yes", "{body: {shape: {sphere_m: 1e-6}}, fluid: {brownian: yes}}", `f:1: fluid.brownian: "yes" must be true or false`},
		{"nine gradients", "{body: {shape: {sphere_m: 1e-6}}, field: {gradient_t_per_m: [1, 2, 3]}}", "f:1: field.gradient_t_per_m: [1, 2, 3] has 3 values; allowed: a list of 5 numbers, T/m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := robotfile.Parse[robotfile.Microrobot]("f", []byte(c.text))
			if err == nil || err.Error() != c.want {
				t.Errorf("got\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}

func TestShapeOverlayReplacesTheShape(t *testing.T) {
	var d robotfile.Draft[robotfile.Microrobot]
	d.Merge("swimmer.yaml", robotfile.ReadFile(t, robotfile.BuiltinSwimmer))
	d.Set("body/shape/sphere_m", "5e-5", "cmd")
	r, err := d.Robot()
	if err != nil {
		t.Fatal(err)
	}
	if r.Body.Shape.Ellipsoid != nil || *r.Body.Shape.Sphere != 5e-5 {
		t.Errorf("got %+v", r.Body.Shape)
	}
}
