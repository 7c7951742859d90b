package simtest_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/launch/robots"
	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/environment"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/simtest"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// Folders of robot files beside those that come with the programs. contractFolder is where the program was
// developed.
const (
	worldFolder    = "../../../launch/worlds"
	contractFolder = "../../../../shared/contract"
)

// Amplitudes of commands that move the robots visibly in so few steps and do not break them.
var (
	rods            = simtest.Amplitudes{Tension: 1, Pull: 1e-3, Position: 5e-4, Rotation: 0.02, Angle: 0.1, Force: 5e-4, Moment: 5e-6, Field: 2e-3, Gradient: 0.02, Frequency: 1}
	rodsAmongShapes = simtest.Amplitudes{Tension: 0.05, Pull: 1e-4, Position: 1e-4, Angle: 0.01, Force: 1e-4, Moment: 1e-6, Field: 2e-3, Gradient: 0.02, Frequency: 1}
	bodies          = simtest.Amplitudes{Field: 5e-3, Gradient: 0.05, Frequency: 2, Force: 1e-11, Moment: 1e-15, Speed: 1e-6}
)

// amplitudes returns those for a rod. Among shapes it moves less: steps that are divided would allocate the errors of those
// that do not converge.
func amplitudes(name string, f *robotfile.Continuum) simtest.Amplitudes {
	switch {
	case name == "capstan": // a thread that its base pulls around a drum
		return simtest.Amplitudes{}
	case len(f.Environment.Shapes) > 0:
		return rodsAmongShapes
	}
	return rods
}

// contractFiles are the robot files of contractFolder. Each is read, or refused for the reason.
var contractFiles = []struct{ name, refused string }{
	{"arm_with_rod", "rods on bodies and joints are not implemented"},
	{"capstan", ""},
	{"catheter_in_tube", ""},
	{"cube", ""},
	{"double_pendulum", "bodies and joints are not implemented"},
	{"gravity_cantilever", ""},
	{"gripper_with_ball", "several rods and bodies are not implemented"},
	{"guidewire_in_vessel", ""},
	{"heavy_top", ""},
	{"magnetic_catheter", ""},
	{"nitinol_robot", ""},
	{"rod_on_table", ""},
	{"rotating_sphere", ""},
	{"silicone_robot", ""},
	{"six_leg_robot", "several rods and bodies are not implemented"},
	{"spheroid", ""},
	{"tapered_arm", ""},
	{"tendon_hand", "bodies and joints are not implemented"},
	{"tendonforces_two_tendons", ""},
	{"thrown_ring", "closed rods are not implemented"},
	{"y_tree", "branching rods are not implemented"},
}

// shortRobots are those that are tested with -short: one of each engine.
var shortRobots = []string{"catheter", "tendonforces", "swimmer", "beads", "levitation"}

// TestRobots tests the models of all robots that come with the programs. Mechanisms are tested in their package.
func TestRobots(t *testing.T) {
	for _, r := range append(robots.Rods(), robots.Of("microrobot")...) {
		if testing.Short() && !contains(shortRobots, r.Name) {
			continue
		}
		t.Run(r.Name, func(t *testing.T) { contract(t, r.Name+".yaml", r.File()) })
	}
}

// TestWorlds tests the models of rods among shapes.
func TestWorlds(t *testing.T) {
	testsize.SkipInShort(t)
	files, err := filepath.Glob(worldFolder + "/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no robot files, %v", worldFolder, err)
	}
	for _, file := range files {
		if testing.Short() && filepath.Base(file) != "tapered_arm.yaml" {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) { contract(t, file, read(t, file)) })
	}
}

// TestContractFiles tests the models of the robot files of the contract.
func TestContractFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the robots of TestRobots are similar")
	}
	for _, c := range contractFiles {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(contractFolder, c.name+".yaml")
			text, err := os.ReadFile(file)
			if errors.Is(err, fs.ErrNotExist) {
				t.Skipf("%s is missing", file)
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.refused == "" {
				contract(t, file, text)
				return
			}
			if _, err := parse(file, text); err == nil {
				t.Errorf("%s is read now: test it, and take the reason %q off the table", file, c.refused)
			}
		})
	}
}

// A free swarm, a swarm whose robots interact, and a body with inertia, which no file above has.
const (
	freeSwarm = `
body: {shape: {ellipsoid_m: [2e-4, 1e-4, 1e-4]}, magnet: {moment_a_m2: [0, 2e-10, 0]}}
swarm: {count: 30, spacing_m: 1e-3, interaction: none}
`
	brownianSwarm = `
body: {shape: {sphere_m: 5e-7}}
fluid: {brownian: true}
swarm: {count: 4, spacing_m: 1.5e-6}
solver: {step_s: 1e-5}
`
	bouncingBody = `
dynamics: inertial
body: {shape: {sphere_m: 1e-3}, mass_kg: 1e-5, position_m: [0, 0, 1.2e-3], velocity_m_per_s: [0.01, 0, 0]}
gravity_m_per_s2: [0, 0, -9.81]
walls: [{plane: {point_m: [0, 0, 0], normal: [0, 0, 1]}}]
solver: {method: generalized-alpha, step_s: 1e-3}
`
)

// TestMicrorobots tests models that no robot file above has.
// Bodies with edges: a cube that a field turns on a floor beside a ball, which the topic of its pose
// moves, and a swarm of cylinders in a tube.
const (
	cube = `
body: {shape: {cuboid: {edges_m: [2e-4, 2e-4, 2e-4]}}, magnet: {moment_a_m2: [8e-9, 0, 0]}, position_m: [0, 0, 1.5e-4], density_kg_per_m3: 3000}
field: {rotating: {axis: [0, 1, 0], amplitude_t: 0.002, frequency_hz: 2}}
walls: [{plane: {}}]
environment: {shapes: [{name: ball, sphere: {center_m: [5e-4, 0, 3e-4], radius_m: 3e-4}}]}
`
	cylinders = `
body: {shape: {cylinder: {length_m: 4e-4, radius_m: 5e-5}}, magnet: {moment_a_m2: [1e-9, 0, 0]}, position_m: [0, 0, 0]}
swarm: {count: 4, spacing_m: 1e-3, interaction: none}
field: {rotating: {axis: [0, 1, 0], amplitude_t: 0.001, frequency_hz: 2}}
environment: {shapes: [{name: bore, tube: {points_m: [[-0.01, 0, 0], [0.01, 0, 0]], radius_m: [2.5e-3]}}]}
`
)

func TestMicrorobots(t *testing.T) {
	testsize.SkipInShort(t)
	for name, text := range map[string]string{"free swarm": freeSwarm, "Brownian swarm": brownianSwarm, "bouncing body": bouncingBody, "cube": cube, "cylinders": cylinders} {
		t.Run(name, func(t *testing.T) { contract(t, name+".yaml", []byte(text)) })
	}
}

// Rods with force elements side by side, which no file above has.
const (
	// Springs at the base, between tip and a point in its way, compressed, and at the node of a magnet and of a load.
	sprungRod = `
rod: {length_m: 0.2, radius_m: 0.001, density_kg_per_m3: 1200, youngs_modulus_pa: 1e8, shear_modulus_pa: 4e7, elements: 8, damping: {kelvin_voigt_s: 0.005}}
base: {direction: [0, 0, 1], normal: [1, 0, 0], velocity_m_per_s: [0.01, 0, 0]}
tendons: []
magnets: [{name: middle, at_m: 0.1, moment_a_m2: [0.01, 0, 0]}]
field: {uniform_t: [0, 0, 0.005]}
loads: [{at_m: 0.1, force_n: [0, 0.005, 0]}]
springs:
  - {name: foot, at_m: 0, point_m: [0.03, 0.04, 0.02], stiffness_n_per_m: 5, rest_length_m: 0.02, damping_n_s_per_m: 0.1}
  - {name: strut, at_m: 0.1, point_m: [0.05, 0.02, 0.12], stiffness_n_per_m: 0.5, rest_length_m: 0.08, damping_n_s_per_m: 0.02}
  - {name: tether, point_m: [0.02, -0.03, 0.21], stiffness_n_per_m: 0.4, rest_length_m: 0.01}
solver: {step_s: 0.001}
`
	// Length control with friction and shared compliance, drives, a payload beside the axis, magnets, springs, and walls with friction.
	crowdedRod = `
rod: {length_m: 0.2, radius_m: 0.001, density_kg_per_m3: 3000, youngs_modulus_pa: 1e9, shear_modulus_pa: 4e8, elements: 8, damping: {kelvin_voigt_s: 0.01}}
base: {position_m: [0, 0, 0.0012], direction: [1, 0, 0], normal: [0, 0, 1]}
tendons:
  - {name: up, offset_m: [4e-3, 0], disks: {count: 4, first_m: 0.05, last_m: 0.2, mass_kg: 1e-4}, stiffness_n_per_m: 2e3, friction_coefficient: 0.1, limits: {max_tension_n: 5}}
  - {name: down, offset_m: [-4e-3, 0], disks: {count: 4, first_m: 0.05, last_m: 0.2, mass_kg: 0}, stiffness_n_per_m: 2e3, friction_coefficient: 0.1, limits: {max_tension_n: 5}}
drives:
  shared_compliance_m_per_n: 1e-5
  joints: [{name: bow, pulley_radius_m: 0.01, tendons: [{name: up, rest_pull_m: 1e-4}, {name: down, gain: -1, rest_pull_m: 1e-4}], lag_s: 0.02, compliance_rad_per_nm: 0.5, backlash_rad: 0.01}]
tip: {mass_kg: 2e-3, inertia_kg_m2: [1e-8, 1e-8, 1e-8], center_of_mass_m: [1e-3, 0, 2e-3]}
magnets: [{name: tip, at_m: 0.2, moment_a_m2: [0, 0, 0.01]}]
field: {uniform_t: [0, 0, -0.005]}
springs: [{name: tether, point_m: [0.2, 0.05, 0.03], stiffness_n_per_m: 0.5, rest_length_m: 0.04, damping_n_s_per_m: 0.01}]
environment: {friction_coefficient: 0.3, shapes: [{name: table, plane: {normal: [0, 0, 1]}}]}
initial_state: equilibrium
solver: {step_s: 0.001}
`
)

// Sensors of all kinds, without noise: the moved world is measured by the same random numbers, in other axes.
const sensedRod = `
rod: {length_m: 0.2, radius_m: 0.001, density_kg_per_m3: 3000, youngs_modulus_pa: 1e9, shear_modulus_pa: 4e8, elements: 8, damping: {kelvin_voigt_s: 0.01}}
base: {position_m: [0, 0, 0.1], direction: [1, 0, 0], normal: [0, 0, 1]}
tendons: [{name: up, offset_m: [4e-3, 0], disks: {count: 4, first_m: 0.05, last_m: 0.2, mass_kg: 1e-4}, limits: {max_tension_n: 5}}]
magnets: [{name: tip, at_m: 0.2, moment_a_m2: [0, 0, 0.01]}]
field: {uniform_t: [0, 0, -0.005]}
markers: [{name: m1, at_m: 0.11, offset_m: [0.01, 0.005]}]
sensors:
  - {name: tracker, rate_hz: 250, latency_s: 0.006, latency_jitter_s: 0.003, dropout: 0.1, pose: {at_m: 0.11, position_m: [0.01, 0, 0], orientation_xyzw: [0.5, 0.5, 0.5, 0.5]}}
  - {name: chip, rate_hz: 1000, imu: {at_m: 0.17, position_m: [0, 0.004, 0.002], orientation_xyzw: [0.1, 0.2, 0.3, 0.9]}}
  - {name: fbg, rate_hz: 100, strain: {stations_m: [0, 0.07, 0.2]}}
  - {name: light, rate_hz: 100, phase_s: 0.003, strain: {stations_m: [0.05], gratings: {radius_m: 35e-6, angles_rad: [0, 2]}}}
  - {name: cell, rate_hz: 500, load_cell: {tendons: [up]}}
  - {name: foot, rate_hz: 500, load_cell: {base: true}}
  - {name: encoder, rate_hz: 500, encoder: {backlash: 1e-4, error: {resolution: 1e-5}}}
  - {name: amplifier, rate_hz: 500, current: {damping: 0.01}}
  - {name: motion_capture, rate_hz: 60, markers: {}}
  - {name: hall, rate_hz: 300, field: {}}
solver: {step_s: 0.001}
`

// TestForceElements tests models with springs, and with force elements of all kinds side by side.
func TestForceElements(t *testing.T) {
	for name, text := range map[string]string{"springs": sprungRod, "all": crowdedRod, "sensors": sensedRod} {
		t.Run(name, func(t *testing.T) { contract(t, name+".yaml", []byte(text)) })
	}
}

// contract tests the models of a robot file.
func contract(t *testing.T, file string, text []byte) {
	t.Helper()
	f, err := parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	switch f := f.(type) {
	case *robotfile.Continuum:
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		m := simtest.Motion{Command: amplitudes(name, f).Command}
		if name == "endoscope" {
			// The largest one depends on which parts of the rod are near a wall, which a model that has moved finds out otherwise.
			m.Unrestored = []string{"penetration_between_points_over_radius"}
		}
		contractRod(t, f, m)
	case *robotfile.Microrobot:
		r, err := microrobot.NewRobot(f, nil)
		if err != nil {
			t.Fatal(err)
		}
		a := bodies
		simtest.Contract(t, func() (sim.Model, error) { return r.NewModel(), nil }, simtest.Motion{Step: f.Solver.Step, Steps: 60, Command: a.Command})
	}
}

// contractRod tests the models of a robot file in a motion, of which steps, turned world and equations follow from the file.
func contractRod(t *testing.T, f *robotfile.Continuum, m simtest.Motion) {
	t.Helper()
	files := continuum.Files{Meshes: meshes(t, &f.Environment)}
	r, err := continuum.NewRobotWith(f, files)
	if err != nil {
		t.Fatal(err)
	}
	m.Step, m.Steps = f.Solver.Step, 60
	if f.Solver.Method != robotfile.Reference && movedWorld(f, spatial.IdentityPose()) != nil {
		m.Turned = func(by spatial.Pose) (sim.Model, error) { return continuum.New(movedWorld(f, by)) }
	}
	if f.Solver.Method == robotfile.Implicit {
		m.Equations = equationsOf
	}
	simtest.Contract(t, func() (sim.Model, error) { return r.NewModel() }, m)
}

// equationsOf returns the equations of a robot of method implicit.
func equationsOf(m sim.Model) *equations.System {
	p, _ := m.(*continuum.Model).Parts()
	return p.System
}

// parse reads a robot file of either program.
func parse(file string, text []byte) (any, error) {
	c, err := robotfile.Parse[robotfile.Continuum](file, text)
	if err == nil {
		return c, nil
	}
	m, other := robotfile.Parse[robotfile.Microrobot](file, text)
	if other == nil {
		return m, nil
	}
	return nil, fmt.Errorf("neither tendonsim nor microrobot reads it: %w; %w", err, other)
}

// meshes reads the meshes of an environment.
func meshes(t *testing.T, e *robotfile.Environment) environment.Meshes {
	t.Helper()
	all := environment.Meshes{}
	for _, s := range e.Shapes {
		if s.Mesh == nil {
			continue
		}
		m, err := mesh.ReadSTL(read(t, string(s.Mesh.File)))
		if err != nil {
			t.Fatal(err)
		}
		all[s.Mesh.File] = m
	}
	return all
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func contains(list []string, name string) bool {
	for _, x := range list {
		if x == name {
			return true
		}
	}
	return false
}

// movedWorld returns the robot file with everything in it moved by a pose; nil where it has what is not moved here.
func movedWorld(f *robotfile.Continuum, by spatial.Pose) *robotfile.Continuum {
	turn, place := by.R, by.Apply
	t := *f
	b := &t.Base
	b.Position, b.Direction, b.Normal, b.Velocity = place(b.Position), turn.Apply(b.Direction), turn.Apply(b.Normal), turn.Apply(b.Velocity)
	t.Gravity, t.Field.Uniform, t.Field.Ambient = turn.Apply(f.Gravity), turn.Apply(f.Field.Uniform), turn.Apply(f.Field.Ambient)
	g := f.Field.Gradient
	m := turn.Mul(spatial.Mat3{XX: g[0], XY: g[1], XZ: g[2], YX: g[1], YY: g[3], YZ: g[4], ZX: g[2], ZY: g[4], ZZ: -g[0] - g[3]}).MulT(turn)
	t.Field.Gradient, t.Field.GradientCenter = [5]float64{m.XX, m.XY, m.XZ, m.YY, m.YZ}, place(f.Field.GradientCenter)
	if f.Field.Rotating != nil { // which begins in a direction that depends on the axes of the world
		return nil
	}
	t.Field.Dipoles = nil
	for _, d := range f.Field.Dipoles {
		d.Position, d.Moment = place(d.Position), turn.Apply(d.Moment)
		t.Field.Dipoles = append(t.Field.Dipoles, d)
	}
	t.Loads = nil
	for _, l := range f.Loads {
		if l.Frame == robotfile.WorldAxes {
			l.Force, l.Moment = turn.Apply(l.Force), turn.Apply(l.Moment)
		}
		t.Loads = append(t.Loads, l)
	}
	t.Springs = nil
	for _, s := range f.Springs {
		s.Point = place(s.Point)
		t.Springs = append(t.Springs, s)
	}
	t.Environment.Shapes = nil
	for _, s := range f.Environment.Shapes {
		switch {
		case s.Plane != nil:
			s.Plane = &robotfile.HalfSpace{Point: place(s.Plane.Point), Normal: turn.Apply(s.Plane.Normal)}
		case s.Sphere != nil:
			s.Sphere = &robotfile.Sphere{Center: place(s.Sphere.Center), Radius: s.Sphere.Radius}
		case s.Capsule != nil:
			s.Capsule = &robotfile.Capsule{From: place(s.Capsule.From), To: place(s.Capsule.To), Radius: s.Capsule.Radius}
		case s.Tube != nil:
			tube := *s.Tube
			tube.Points = nil
			for _, p := range s.Tube.Points {
				tube.Points = append(tube.Points, place(p))
			}
			s.Tube = &tube
		default:
			return nil
		}
		t.Environment.Shapes = append(t.Environment.Shapes, s)
	}
	return &t
}
