package offline_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sinew/test/testbench"
)

// A swarm of which a step takes hours is refused in a moment: neither the whole swarm is
// stepped, nor are its five thousand million pairs gone through to build it.
func TestCheckEstimatesCost(t *testing.T) {
	program := testbench.BuildMicrorobot(t)
	check := func(count int, interaction string) (stdout, stderr string, cpu time.Duration) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "swarm.yaml")
		text := fmt.Sprintf("body: {shape: {sphere_m: 50e-6}, magnet: {moment_a_m2: [1e-12, 0, 0]}}\nswarm: {count: %d, spacing_m: 500e-6, interaction: %s}\n", count, interaction)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "check", file)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %s", err, &errs)
		}
		return out.String(), errs.String(), cmd.ProcessState.UserTime()
	}
	out, errs, cpu := check(100_000, "full")
	if !strings.Contains(out, ": ok: ") || !strings.Contains(errs, "times too slow for 1000 Hz here") || !strings.Contains(errs, "estimated from 1000 of 100000 robots") {
		t.Errorf("%s%s", out, errs)
	}
	const most = 4 * time.Second // the pairs alone take 10
	if cpu > most {
		t.Errorf("check took %v of a processor, want %v at most", cpu, most)
	}
	if out, errs, _ := check(2, "none"); errs != "" || !strings.Contains(out, "keeps real time at 1000 Hz here") {
		t.Errorf("%s%s", out, errs)
	}
}

// check says ok of a robot that takes its first steps. A body at the place of a source of its coils moves if
// the source has no pole there, and is refused if it has; a body that cannot take its first step is refused
// too, alone and in a fleet. sim refuses currents in milliampere. check said ok and panicked.
func TestCheckTakesFirstSteps(t *testing.T) {
	program, folder := testbench.BuildMicrorobot(t), t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	for name, offset := range map[string]string{"regular": "A_Coeff: [-2.0e-5]", "pole": "B_Coeff: [-2.0e-12]"} {
		write(name+"_coils.yaml", "Coil_List: [C, Offset]\nC: {Source_List: [S], S: {B_Coeff: [1.0e-7], Source_Direction: [0, 0, 1], Source_Position: [0, 0, -0.1]}}\n"+
			"Offset: {Source_List: [S], S: {"+offset+", Source_Direction: [1, 0, 0], Source_Position: [0, 0, 0]}}\n")
	}
	const body = "body: {shape: {sphere_m: 1.0e-4}, magnet: {moment_a_m2: [0, 0, %g]}}\nfield: {%s}\ngravity_m_per_s2: [0, 0, 0]\n"
	regular := write("regular.yaml", fmt.Sprintf(body, 1e-12, "coils: regular_coils.yaml"))
	fast := write("fast.yaml", "body: {shape: {sphere_m: 1.0e-6}, load: {moment_nm: [0, 0, 1]}, magnet: {moment_a_m2: [1, 0, 0]}}\nfield: {uniform_t: [0.01, 0, 0]}\ngravity_m_per_s2: [0, 0, 0]\naccept: [magnetization, reynolds]\n")
	fleet := write("fleet.yaml", "robots:\n- {name: a, config: regular.yaml}\n- {name: b, config: fast.yaml}\n")
	for _, k := range []struct {
		file string
		code int
		says string
	}{
		{regular, 0, ""},
		{write("pole.yaml", fmt.Sprintf(body, 1e-12, "coils: pole_coils.yaml")), 2, "a source of the field without current is at body.position_m"},
		{fast, 1, fast + ": the first step fails: at t = 0 s"},
		{fleet, 1, "the first step fails: at t = 0 s"},
	} {
		out, errs, code := testbench.Run(t, program, "check", k.file)
		if code != k.code || !strings.Contains(errs, k.says) || strings.Contains(out, k.file+": ok") != (code == 0) {
			t.Errorf("%s: code %d, want %d\n%s%s", k.file, code, k.code, out, errs)
		}
	}
	commands := write("currents.csv", "t,C\n0,6000\n")
	_, errs, code := testbench.Run(t, program, "sim", "--config", regular, "--commands", commands, "--duration", "0.1s")
	if code != 2 || !strings.Contains(errs, "C = 6000 A is out of range, allowed: [-5000, 5000]") || !strings.Contains(errs, "5000 mA are 5") {
		t.Errorf("currents in milliampere: code %d, %s", code, errs)
	}
}

// check and sim warn of a field that turns once in the smallest part of a step and so stands still for the rod; the file can accept it.
func TestFieldThatTurnsOnceAPart(t *testing.T) {
	program, file := testbench.BuildTendonsim(t), filepath.Join(t.TempDir(), "robot.yaml")
	const text = "rod: {length_m: 0.1, radius_m: 0.001, density_kg_per_m3: 1500, youngs_modulus_pa: 2.0e6, shear_modulus_pa: 7.0e5, elements: 10, damping: {kelvin_voigt_s: 0.01}}\n" +
		"base: {direction: [1, 0, 0], normal: [0, 0, 1]}\ngravity_m_per_s2: [0, 0, 0]\nsolver: {step_s: 0.001}\nmagnets: [{name: m, at_m: 0.1, moment_a_m2: [0, 0, 0.01]}]\n" +
		"field: {rotating: {axis: [1, 0, 0], amplitude_t: 0.01, frequency_hz: 64000}}\n%s"
	for accept, warns := range map[string]bool{"": true, "accept: [rotation_per_step]\n": false} {
		if err := os.WriteFile(file, fmt.Appendf(nil, text, accept), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, arguments := range [][]string{{"check", file}, {"sim", "--config", file, "--duration", "0.01s", "--out", filepath.Join(t.TempDir(), "o.csv")}} {
			_, errs, code := testbench.Run(t, program, arguments...)
			if found := strings.Contains(errs, file+":6: field.rotating.frequency_hz: 64000 turns the field by 400 rad in a step of 0.001 s, of at most 64 parts; expected: at most 6.4 rad"); code != 0 || found != warns {
				t.Errorf("%s, %q: code %d, %s", arguments[0], accept, code, errs)
			}
			if found := strings.Contains(errs, "prescribed_rotation_per_step reached 6.28319 rad, above 0.1"); found != (warns && arguments[0] == "sim") {
				t.Errorf("%s, %q: %s", arguments[0], accept, errs)
			}
		}
	}
}

// check and sim warn of suspicious values, with their lines; what comes only in
// motion by sim at its end, with its time. The file can accept both.
func TestPlausibility(t *testing.T) {
	program := testbench.BuildMicrorobot(t)
	const text = `body: {shape: {sphere_m: 1e-4}, magnet: {moment_a_m2: [0, 0, 1e-8]}, density_kg_per_m3: 1002}
rates: {control_hz: 2000}
field: {uniform_t: [0, 0, 0.01]}
`
	write := func(name, text string) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	commands := write("push.csv", "t,gxx,gxy,gxz,gyy,gyz\n0,0,0,0,0,0\n0.05,0,0,5,0,0\n")
	robot := write("robot.yaml", text)
	_, errs, code := testbench.Run(t, program, "check", robot)
	if want := robot + ":2: rates.control_hz: 2000 leaves control periods of 5e-4 s"; code != 0 || strings.Count(errs, "warning") != 1 || !strings.Contains(errs, want) {
		t.Errorf("check: code %d, %q, want %q", code, errs, want)
	}
	sim := func(file string) string {
		_, errs, code := testbench.Run(t, program, "sim", "--config", file, "--commands", commands, "--duration", "0.1s", "--out", filepath.Join(t.TempDir(), "out.csv"))
		if code != 0 {
			t.Fatalf("sim: code %d, %s", code, errs)
		}
		return errs
	}
	errs = sim(robot)
	if strings.Count(errs, "warning") != 2 || strings.Count(errs, "reynolds_number reached") != 1 || !strings.Contains(errs, "(accept: [reynolds] if it is meant) (at t = 0.05") {
		t.Errorf("sim: %s", errs)
	}
	if errs := sim(write("accepts.yaml", text+"accept: [reynolds, step_period]\n")); strings.Contains(errs, "warning") {
		t.Errorf("sim of a robot that accepts: %s", errs)
	}
}

// Shapes in millimetres give a warning, those of rods and of bodies, and pass with the scale that makes metres
// of their file, or where the file of the robot accepts them.
func TestShapesInMillimetres(t *testing.T) {
	tube := filepath.Join(t.TempDir(), "tube.yaml")
	if err := os.WriteFile(tube, []byte("body: {shape: {sphere_m: 5e-5}}\nenvironment:\n  shapes:\n    - {name: dish, tube: {points_m: [[-20, 0, 0], [20, 0, 0]], radius_m: 2}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const rod = "../../launch/worlds/guidewire.yaml"
	for _, c := range []struct {
		program    string
		args       []string
		key, wants string // empty: no warning
	}{
		{testbench.BuildTendonsim(t), []string{rod, "_environment/shapes/1/mesh/scale:=1000"}, "environment.shapes[1].mesh.file", "reaches 110 m from the base; expected: up to 3.2 m; the file is likely in mm: set mesh.scale: 1, it is 1000 (accept: [size] if it is meant)"},
		{testbench.BuildTendonsim(t), []string{rod}, "", ""},
		{testbench.BuildTendonsim(t), []string{rod, "_environment/shapes/1/mesh/scale:=1000", "_accept:=[size]"}, "", ""},
		{testbench.BuildMicrorobot(t), []string{tube}, "environment.shapes[0].tube", "reaches 22 m from body.position_m; expected: up to 1 m; is it in mm?"},
	} {
		cmd := exec.Command(c.program, append([]string{"check"}, c.args...)...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Run(); err != nil {
			t.Errorf("%q: %v: %s", c.args, err, &errs)
		}
		if warned := strings.Contains(errs.String(), "reaches"); warned != (c.wants != "") || !strings.Contains(errs.String(), c.key) || !strings.Contains(errs.String(), c.wants) {
			t.Errorf("%q: %s\nwant %s: %s", c.args, &errs, c.key, c.wants)
		}
	}
}
