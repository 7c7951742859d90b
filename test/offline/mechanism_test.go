package offline_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// mechanisms are the robot files of mechanisms, with the columns of their ends and their numbers of rows of static: nodes, bodies and
// joints; 0 where the robot falls, since nothing holds it.
var mechanisms = []struct {
	name, columns string
	rows          int
}{
	{"six_leg_robot", "leg_1.tip_x platform.qw", 6*11 + 1 + 12},
	{"gripper_with_ball", "finger_left.tip_x palm.x ball.z lift close_left", 2*13 + 2 + 3},
	{"tendon_hand", "palm.x index_distal.qw ring_1 index_3 ring_flexor", 10 + 9},
	{"arm_with_rod", "flexible.tip_x turntable.x waist elbow tendon_4", 21 + 3 + 4},
	{"y_tree", "trunk.tip_x right.tip_qw fork.x", 33 + 1 + 4},
	{"thrown_ring", "hoop.tip_x", 0},
	{"double_pendulum", "upper.x lower.qw shoulder elbow", 2 + 2},
}

// TestMechanisms runs check, sim and static on the robot files of mechanisms.
func TestMechanisms(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	for _, m := range mechanisms {
		t.Run(m.name, func(t *testing.T) {
			file := testbench.RobotFiles + m.name + ".yaml"
			out, errs, code := testbench.Run(t, program, "check", file)
			if code != 0 || !strings.Contains(out, "ok: mechanism of ") {
				t.Errorf("check: exit code %d, %s%s", code, out, errs)
			}
			out, errs, code = testbench.Run(t, program, "sim", file, "--duration", "0.02s", "--reactions")
			if code != 0 {
				t.Fatalf("sim: exit code %d, %s", code, errs)
			}
			header, rows := testbench.ParseCSV(t, out)
			for _, c := range append(strings.Fields(m.columns), "t", "kinetic_energy") {
				if !slices.Contains(header, c) {
					t.Errorf("sim has no column %s: %s", c, header)
				}
			}
			if len(rows) != 3 {
				t.Errorf("sim has %d rows, want 3", len(rows))
			}
			joints := filepath.Join(t.TempDir(), "joints.csv")
			out, errs, code = testbench.Run(t, program, "static", file, "--joints", joints)
			if m.rows == 0 {
				if code != 1 || !strings.Contains(errs, "no equilibrium") {
					t.Errorf("static of what falls: exit code %d, %s", code, errs)
				}
				return
			}
			if code != 0 {
				t.Fatalf("static: exit code %d, %s", code, errs)
			}
			if table := readTable(t, out); len(table) != 1+m.rows || strings.Join(table[0], ",") != "link,kind,s,x,y,z,qx,qy,qz,qw" {
				t.Errorf("static has %d rows, want %d and a header: %v", len(table), m.rows, table[0])
			}
			if table := readTable(t, testbench.ReadFile(t, joints)); strings.Join(table[0], ",") != "joint,coordinate,value,fx,fy,fz,mx,my,mz" {
				t.Errorf("--joints has the header %v", table[0])
			}
			links := filepath.Join(t.TempDir(), "links.csv")
			for range 2 { // the second time over what the first one wrote
				if _, errs, code := testbench.Run(t, program, "static", file, "--joints", joints, "--out", links); code != 0 {
					t.Errorf("static to files: exit code %d, %s", code, errs)
				}
			}
		})
	}
}

func readTable(t *testing.T, text string) [][]string {
	t.Helper()
	table, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// numbers are the values of a row from a column on.
func numbers(t *testing.T, row []string, first int) (all []float64) {
	t.Helper()
	for _, f := range row[first:] {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

// TestPlatformOfSixLegs compares the platform with that of golden/mechanism, six_leg_platform.
func TestPlatformOfSixLegs(t *testing.T) {
	out, errs, code := testbench.Run(t, testbench.BuildTendonsim(t), "static", testbench.RobotFiles+"six_leg_robot.yaml")
	if code != 0 {
		t.Fatalf("exit code %d, %s", code, errs)
	}
	want := [3]float64{0.04628906437142, -0.01891374067511, 0.2901151549766}
	const tolerance = 6e-5 * 0.315 // m, of ten elements, as the case has it
	for _, row := range readTable(t, out) {
		if row[0] == "platform" {
			if d := distanceTo(numbers(t, row, 3), want); d > tolerance {
				t.Errorf("the platform is at %v, %.3g m from %v", row[3:6], d, want)
			}
			return
		}
	}
	t.Error("no platform")
}

func distanceTo(a []float64, b [3]float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}

// TestDoublePendulum compares angles after 0.5 s with those of golden/mechanism.
func TestDoublePendulum(t *testing.T) {
	out, errs, code := testbench.Run(t, testbench.BuildTendonsim(t), "sim", testbench.RobotFiles+"double_pendulum.yaml", "--duration", "0.5s")
	if code != 0 {
		t.Fatalf("exit code %d, %s", code, errs)
	}
	header, rows := testbench.ParseCSV(t, out)
	last := rows[len(rows)-1]
	for name, want := range map[string]float64{"shoulder": -0.8875207904891, "elbow": 0.001233513407665} {
		const tolerance = 2e-4 // rad, of steps of 0.5 ms
		if got := last[slices.Index(header, name)]; math.Abs(got-want) > tolerance {
			t.Errorf("%s at %.9g rad, want %.9g rad", name, got, want)
		}
	}
}

const wireRod = `length_m: 0.2, radius_m: 0.0005, density_kg_per_m3: 6450, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9, elements: 20, damping: {kelvin_voigt_s: 0.001}`

const wireTendons = `
  - {RODname: up, offset_m: [0.008, 0], disks: {count: 10, first_m: 0.02, last_m: 0.2, mass_kg: 0.0005}, tension_n: 2}
  - {RODname: side, offset_m: [0, 0.008], twist_rad_per_m: 3, disks: {count: 10, first_m: 0.02, last_m: 0.2, mass_kg: 0.0005}, tension_n: 1}
`

// TestOneRodAsMechanism compares the robot of a file with rod, base and tip with that of a mechanism: the equilibrium, and a motion.
func TestOneRodAsMechanism(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	common := "\nloads: [{LOADat_m: 0.1, force_n: [0, 0.05, 0]}]\nsolver: {step_s: 0.0005}\n"
	rod := testbench.WriteFile(t, "rod.yaml", "rod: {"+wireRod+"}\nbase: {direction: [1, 0, 0], normal: [0, 0, 1]}\ntip: {mass_kg: 0.002, inertia_kg_m2: [1e-7, 1e-7, 1e-7], center_of_mass_m: [0, 0, 0.001]}\ntendons:"+
		strings.ReplaceAll(wireTendons, "ROD", "")+strings.ReplaceAll(common, "LOAD", ""))
	mechanism := testbench.WriteFile(t, "mechanism.yaml", "rods: [{name: wire, "+wireRod+"}]\n"+
		"bodies: [{name: weight, mass_kg: 0.002, inertia_kg_m2: [1e-7, 1e-7, 1e-7], center_of_mass_m: [0, 0, 0.001]}]\n"+
		"joints:\n"+
		"  - {name: clamp, type: fixed, parent: {world: true, orientation_xyzw: [0.70710678118654757, 0, 0.70710678118654757, 0]}, child: {rod: wire, at_m: 0}}\n"+
		"  - {name: end, type: fixed, parent: {rod: wire, at_m: 0.2}, child: {body: weight}}\n"+
		"tendons:"+strings.ReplaceAll(wireTendons, "ROD", "rod: wire, ")+strings.ReplaceAll(common, "LOAD", "rod: wire, "))
	run := func(file string, args ...string) string {
		out, errs, code := testbench.Run(t, program, append([]string{args[0], file}, args[1:]...)...)
		if code != 0 {
			t.Fatalf("%v: exit code %d, %s", args, code, errs)
		}
		return out
	}
	var nodes [][]string
	for _, row := range readTable(t, run(mechanism, "static")) {
		if row[1] == "rod" {
			nodes = append(nodes, row[2:])
		}
	}
	for i, row := range readTable(t, run(rod, "static"))[1:] {
		const tolerance = 1e-9 // m
		if d := distanceTo(numbers(t, nodes[i], 1), [3]float64(numbers(t, row, 1)[:3])); d > tolerance {
			t.Fatalf("in equilibrium, node %d of the mechanism is %.3g m beside that of the rod", i, d)
		}
	}
	_, want := testbench.ParseCSV(t, run(rod, "sim", "--duration", "0.1s"))
	_, got := testbench.ParseCSV(t, run(mechanism, "sim", "--duration", "0.1s"))
	most := 0.0
	for i := range want {
		const tolerance = 3e-5 // m: the level before t = 0 is another; the difference falls with the square of the step
		most = max(most, distanceTo(want[i][1:], [3]float64(want[0][1:4])))
		if d := distanceTo(got[i][1:], [3]float64(want[i][1:4])); d > tolerance {
			t.Errorf("at %g s, the tip of the mechanism is %.3g m beside that of the rod", want[i][0], d)
		}
	}
	if most < 0.001 {
		t.Errorf("the tip moves by %.3g m only", most)
	}
}

// TestMechanismCommands commands a motor, a tendon and the pose of a body by CSV.
func TestMechanismCommands(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	file := testbench.WriteFile(t, "commands.csv", "t,waist:rad,tendon_1\n0,0.3,2\n")
	out, errs, code := testbench.Run(t, program, "sim", testbench.RobotFiles+"arm_with_rod.yaml", "--commands", file, "--duration", "1s")
	if code != 0 {
		t.Fatalf("exit code %d, %s", code, errs)
	}
	header, rows := testbench.ParseCSV(t, out)
	last := rows[len(rows)-1]
	if q := last[slices.Index(header, "waist")]; math.Abs(q-0.3) > 0.01 {
		t.Errorf("the waist is at %.4g rad, want 0.3", q)
	}
	if f := last[slices.Index(header, "tendon_1")]; f != 2 {
		t.Errorf("the tendon pulls with %.4g N, want 2", f)
	}
}

// TestMechanismsRefuse: what mechanisms do not have is refused by name, with a cure.
func TestMechanismsRefuse(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	pendulum := testbench.RobotFiles + "double_pendulum.yaml"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"sim", "--duration", "1s", "--error", "_solver/method:=explicit", "_solver/step_s:=5e-8"}, "--error: errors of mesh and steps are estimated for robots of tendonsim with method implicit and for mechanisms only"},
		{[]string{"static", "--joints", "-", "--out", "none.csv"}, "--joints -: a robot with one rod has no joints"},
		{[]string{"sim", "--duration", "1s", "--reactions"}, "--reactions: a robot with one rod has no joints"},
		{[]string{"check", testbench.RobotFiles + "nitinol_robot.yaml", pendulum}, "rod: excludes rods, bodies and joints: a file has one rod or a mechanism (make it an item of rods, with a name)"},
		{[]string{"check", pendulum, "_joints/elbow/tipe:=1"}, "unknown key (did you mean type?)"},
	} {
		out, errs, code := testbench.Run(t, program, c.args...)
		if code != 2 || !strings.Contains(errs, c.want) {
			t.Errorf("%v: exit code %d, %s%s, want 2 and %q", c.args, code, out, errs, c.want)
		}
	}
	closed := testbench.WriteFile(t, "open.yaml", strings.Replace(testbench.ReadFile(t, testbench.RobotFiles+"six_leg_robot.yaml"), "initial_state: equilibrium", "initial_state: straight", 1))
	_, errs, code := testbench.Run(t, program, "check", closed)
	if code != 2 || !strings.Contains(errs, "open.yaml:30: initial_state: a loop is open while rods are straight or in their initial_shape: joint \"hip_") {
		t.Errorf("open loops: exit code %d, %s", code, errs)
	}
}

// TestTableOfContacts: sim has the number of contacts and the largest, and a row for each contact of each link; a robot that touches
// nothing has no such table.
func TestTableOfContacts(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	table := filepath.Join(t.TempDir(), "contacts.csv")
	run := func(name string) (out, errs string, code int) {
		return testbench.Run(t, program, "sim", testbench.RobotFiles+name+".yaml", "--duration", "0.1s", "--sample-hz", "10", "--contacts", table)
	}
	out, errs, code := run("gripper_with_ball")
	if code != 0 {
		t.Fatalf("exit code %d, %s", code, errs)
	}
	header, rows := testbench.ParseCSV(t, out)
	last := rows[len(rows)-1]
	if k := slices.Index(header, "contact_count"); k < 0 || last[k] != 1 || math.Abs(last[k+1]-0.03*9.80665) > 1e-3 {
		t.Errorf("the ball on the floor: %v, %v", header, last)
	}
	contacts := readTable(t, testbench.ReadFile(t, table))
	end := contacts[len(contacts)-1]
	if strings.Join(contacts[0], ",") != "t,shape,s,gap,normal_force,x,y,z,nx,ny,nz,fx,fy,fz" || end[1] != "ball/floor" || end[10] != "1" {
		t.Errorf("contacts: %v, at last %v", contacts[0], end)
	}
	if _, errs, code := run("silicone_robot"); code != 2 || !strings.Contains(errs, "touches nothing") {
		t.Errorf("without contacts: exit code %d, %s", code, errs)
	}
}

// TestInitialShape: a robot that begins in the shapes that static has found for a load stays where it is, and its mistakes are named.
func TestInitialShape(t *testing.T) {
	program, dir := testbench.BuildTendonsim(t), t.TempDir()
	const clamped = `
  - {name: stem, length_m: 0.2, radius_m: 0.001, density_kg_per_m3: 6450, youngs_modulus_pa: 60e9, elements: 8%s}
  - {name: twig, length_m: 0.1, radius_m: 0.0006, density_kg_per_m3: 6450, youngs_modulus_pa: 60e9, elements: 5%s}
joints:
  - {name: root, type: fixed, parent: {world: true}, child: {rod: stem, at_m: 0}}
  - {name: knot, type: fixed, parent: {rod: stem, at_m: 0.2}, child: {rod: twig, at_m: 0}}
tendons:
  - {name: pull, rod: stem, offset_m: [0.004, 0], disks: {positions_m: [0.05, 0.1, 0.15, 0.2]}, tension_n: 1}
loads:
  - {rod: twig, force_n: [0, 0.2, 0]}
`
	put := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write := func(name, first, second string) string { return put(name, fmt.Sprintf("rods:"+clamped, first, second)) }
	straight := write("straight.yaml", "", ", initial_shape: straight")
	shape := filepath.Join(dir, "shape.csv")
	if _, errs, code := testbench.Run(t, program, "static", straight, "--out", shape); code != 0 {
		t.Fatalf("static: exit code %d, %s", code, errs)
	}
	const file = ", initial_shape: {file: shape.csv}"
	out, errs, code := testbench.Run(t, program, "sim", write("bent.yaml", file, file), "--duration", "0.1s")
	if code != 0 {
		t.Fatalf("sim: exit code %d, %s", code, errs)
	}
	header, rows := testbench.ParseCSV(t, out)
	first, last := rows[0], rows[len(rows)-1]
	for i, name := range header {
		if i == 0 || strings.Contains(name, "energy") {
			continue
		}
		if a, b := first[i], last[i]; math.Abs(b-a) > 1e-9 {
			t.Errorf("%s moves from %g to %g", name, a, b)
		}
	}
	begin := slices.Index(header, "twig.tip_y")
	if y := first[begin]; y < 0.02 {
		t.Errorf("the twig begins at y = %g m: it is not bent", y)
	}
	for _, c := range []struct{ key, want string }{
		{", initial_shape: bent", `is neither the word straight nor a mapping of keys; allowed: straight, or {file: ...}`},
		{", initial_shape: {file: none.csv}", "rods[0].initial_shape.file: open "},
		{", initial_shape: {file: short.csv}", "of the rod stem 1 rows end at s = 0 m; the rod has 0.2 m"},
		{", initial_shape: {file: bare.csv}", "no column qx"},
		{", initial_shape: {file: turned.csv}", "the quaternion has the length 2, not 1"},
		{", initial_shape: {file: back.csv}", "s = 0 m does not rise above 0 m"},
	} {
		put("short.csv", "s,x,y,z,qx,qy,qz,qw\n0,0,0,0,0,0,0,1\n")
		put("bare.csv", "s,x,y,z\n0,0,0,0\n")
		put("turned.csv", "s,x,y,z,qx,qy,qz,qw\n0,0,0,0,0,0,0,2\n")
		put("back.csv", "s,x,y,z,qx,qy,qz,qw\n0,0,0,0,0,0,0,1\n0,0,0,0,0,0,0,1\n")
		if _, errs, code := testbench.Run(t, program, "check", write("wrong.yaml", c.key, "")); code == 0 || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit code %d, %s", c.key, code, errs)
		}
	}
}

// TestJacobianByWallsAtAnyHeight: the end of a rod that rests on a floor follows it, wherever the floor is in the world.
func TestJacobianByWallsAtAnyHeight(t *testing.T) {
	program, name := testbench.BuildTendonsim(t), "environment.shapes.floor.plane.point_m[2]"
	for _, z := range []float64{0.01, 0.1, 1} {
		file := testbench.WriteFile(t, "beam.yaml", fmt.Sprintf(`
rods:
  - {name: beam, length_m: 0.2, radius_m: 0.001, density_kg_per_m3: 6450, youngs_modulus_pa: 60e9, elements: 10}
joints:
  - {name: root, type: fixed, parent: {world: true, position_m: [0, 0, %g], orientation_xyzw: [0, 0.70710678118654757, 0, 0.70710678118654757]}, child: {rod: beam, at_m: 0}}
environment: {shapes: [{name: floor, plane: {point_m: [0, 0, %g], normal: [0, 0, 1]}}]}
loads: [{rod: beam, at_m: 0.2, force_n: [0, 0, -0.05]}]
gravity_m_per_s2: [0, 0, 0]
initial_state: equilibrium
`, z+0.0015, z))
		to := filepath.Join(t.TempDir(), "jacobian.csv")
		if _, errs, code := testbench.Run(t, program, "static", file, "--jacobian", to, "--by", name); code != 0 {
			t.Fatalf("exit code %d, %s", code, errs)
		}
		if d := testbench.ReadJacobian(t, to)[name]["beam.tip_z_m"]; math.Abs(d-1) > 1e-4 {
			t.Errorf("at a height of %g m the tip follows by %g of it, want 1", z, d)
		}
	}
}
