package offline_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/launch/robots"
	"sinew/test/testbench"
)

// TestMicrorobotSim runs the robots of the contract and wants what it promises.
func TestMicrorobotSim(t *testing.T) {
	program := testbench.BuildMicrorobot(t)
	out, errs, code := testbench.Run(t, program, "sim", "--config", testbench.MicrorobotFiles+"spheroid.yaml", "--duration", "1s", "--sample-hz", "1")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	header, rows := testbench.ParseCSV(t, out)
	if got, want := strings.Join(header, ","), "t,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz"; got != want {
		t.Errorf("header %s, want %s", got, want)
	}
	want := [3]float64{8.0566e-7, 8.3126e-8, 0} // of the README of the contract, five digits
	for k, w := range want {
		for _, got := range []float64{rows[0][8+k], rows[1][8+k], rows[1][1+k]} { // velocity, and the way of 1 s
			if math.Abs(got-w) > 5e-12 {
				t.Errorf("component %d: %g, want %g", k, got, w)
			}
		}
	}

	out, errs, code = testbench.Run(t, program, "sim", "--config", testbench.MicrorobotFiles+"rotating_sphere.yaml", "--duration", "2s", "--sample-hz", "1000")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	_, rows = testbench.ParseCSV(t, out)
	turned := 0.0
	for i := 1; i < len(rows); i++ {
		angle := func(r []float64) float64 { return 2 * math.Atan2(r[6], r[7]) }
		turned += math.Remainder(angle(rows[i])-angle(rows[i-1]), 2*math.Pi)
	}
	// 2 s are 30 slips of 1/√(25² − 20²) s
	if mean := turned / 2; math.Abs(mean/(2*math.Pi*10)-1) > 1e-3 {
		t.Errorf("mean rate %g rad/s, want 2π·10 within 0.1 %%", mean)
	}
}

// TestSphereRolls wants the sphere to do what its file says: to turn with the field, and to move across the axis.
func TestSphereRolls(t *testing.T) {
	out, errs, code := testbench.Run(t, testbench.BuildMicrorobot(t), "sim", "--config", "../../launch/robots/sphere.yaml", "--duration", "4s", "--sample-hz", "1")
	if code != 0 || strings.Contains(errs, "warning") {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	_, rows := testbench.ParseCSV(t, out)
	end := rows[len(rows)-1]
	if rate := end[12]; math.Abs(rate-2*math.Pi*2) > 1e-6 {
		t.Errorf("turns at %g rad/s about y, want 2 Hz", rate)
	}
	if way := end[1]; way < 3e-4 || math.Abs(end[2]) > 1e-9 {
		t.Errorf("moved by (%g, %g) m in 4 s, want more than 0.3 mm along x alone", way, end[2])
	}
}

// TestMicrorobotFiles wants every robot file that comes with the program to run, and
// mistakes to be named.
func TestMicrorobotFiles(t *testing.T) {
	program := testbench.BuildMicrorobot(t)
	for _, r := range robots.Of("microrobot") {
		file := "../../launch/robots/" + r.Name + ".yaml"
		out, errs, code := testbench.Run(t, program, "sim", "--config", file, "--duration", "20ms", "--sample-hz", "50")
		if code != 0 || strings.Contains(out, "NaN") {
			t.Errorf("%s: code %d, %s%s", file, code, out, errs)
		}
	}
	bad := filepath.Join(t.TempDir(), "bad.yaml")
	const sphere = "body: {shape: {sphere_m: 5e-5}, magnet: {}}\n"
	for _, c := range []struct{ text, want string }{
		{sphere + "field: {uniform_t: [5, 0, 0]}", "bad.yaml:2,field.uniform_t[0],5 T,[-1, 1] T,millitesla"},
		{sphere + "field: {gradient_t_per_m: [.nan, 0, 0, 0, 0]}", "bad.yaml:2,gradient_t_per_m"},
		{sphere + "fluid: {viscosity_pa_s: 0}", "viscosity_pa_s above 0"},
		{sphere + "walls: [{plane: {}}]", "inside plane wall 0,5e-05 m"},
		{sphere + "solver: {method: splitting}", "bad.yaml:2,solver.method,splitting,inertia,rkmk4"},
		{sphere + "field: {coils: missing.yaml}", "field.coils,missing.yaml"},
	} {
		if err := os.WriteFile(bad, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, errs, code := testbench.Run(t, program, "check", bad)
		if code != 2 {
			t.Errorf("%q: exit code %d, want 2", c.text, code)
		}
		testbench.Contains(t, c.text, errs, strings.Split(c.want, ",")...)
	}
}

// TestCoilsBesideRobotFile wants the calibration that a robot file names found beside
// it, from wherever the program is started.
func TestCoilsBesideRobotFile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"robot.yaml": "body: {shape: {sphere_m: 5e-5}, magnet: {}}\nfield: {coils: coils.yaml}\n",
		"coils.yaml": "Coil_List: [A]\nA: {Source_List: [S], S: {B_Coeff: [1e-5], Source_Direction: [1, 0, 0], Source_Position: [-0.1, 0, 0]}}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, errs, code := testbench.Run(t, testbench.BuildMicrorobot(t), "check", filepath.Join(dir, "robot.yaml")); code != 0 {
		t.Errorf("exit code %d: %s", code, errs)
	}
}
