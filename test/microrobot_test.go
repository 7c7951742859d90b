package test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"sinew/launch/robots"
	"sinew/msgs/geometry_msgs"
)

// microrobotFiles are robot files of the contract.
const microrobotFiles = "../pkg/sim/microrobot/testdata/"

// TestMicrorobotSim runs the robots of the contract and wants what it promises.
func TestMicrorobotSim(t *testing.T) {
	program := buildMicrorobot(t)
	out, errs, code := run(t, program, "sim", "--config", microrobotFiles+"spheroid.yaml", "--duration", "1s", "--sample-hz", "1")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	header, rows := table(t, out)
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

	out, errs, code = run(t, program, "sim", "--config", microrobotFiles+"rotating_sphere.yaml", "--duration", "2s", "--sample-hz", "1000")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	_, rows = table(t, out)
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

// TestMicrorobotFiles wants every robot file that comes with the program to run, and
// mistakes to be named.
func TestMicrorobotFiles(t *testing.T) {
	program := buildMicrorobot(t)
	for _, r := range robots.Of("microrobot") {
		file := "../launch/robots/" + r.Name + ".yaml"
		out, errs, code := run(t, program, "sim", "--config", file, "--duration", "20ms", "--sample-hz", "50")
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
		_, errs, code := run(t, program, "check", bad)
		if code != 2 {
			t.Errorf("%q: exit code %d, want 2", c.text, code)
		}
		contains(t, c.text, errs, strings.Split(c.want, ",")...)
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
	if _, errs, code := run(t, buildMicrorobot(t), "check", filepath.Join(dir, "robot.yaml")); code != 0 {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// TestMicrorobotROS1 turns a magnetic sphere with rostopic: toward a field, in a
// rotating field, and not with a field in millitesla.
func TestMicrorobotROS1(t *testing.T) {
	need(t, "rostopic")
	n := newNetwork(t, "http://localhost:"+strconv.Itoa(freePort(t))+"/")
	n.with(generatePython(t))
	robotFile := filepath.Join(t.TempDir(), "robot.yaml")
	const text = "body: {shape: {sphere_m: 5e-5}, magnet: {moment_a_m2: [1e-10, 0, 0]}}\ngravity_m_per_s2: [0, 0, 0]\nrates: {publish_hz: 1000}\n"
	if err := os.WriteFile(robotFile, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &robot{view: &view{}, n: n, program: buildMicrorobot(t), node: "/microrobot"}
	r.process = n.start(r.program, "run", "--config", robotFile, "--no-demo")
	n.watch(r)
	moment := func() (x, y, z float64) { // the body's x axis
		q := r.tip.Load().Pose.Orientation
		return 1 - 2*(q.Y*q.Y+q.Z*q.Z), 2 * (q.X*q.Y + q.W*q.Z), 2 * (q.X*q.Z - q.W*q.Y)
	}
	stop := n.publish("/microrobot/field", "sensor_msgs/MagneticField", "{magnetic_field: {x: 0.0, y: 0.0, z: 0.005}}")
	n.waitFor("the moment along the field", func() bool { _, _, z := moment(); return z > 0.9999 })
	out := n.run("rostopic", "echo", "-n", "1", "/microrobot/field_at_robot/magnetic_field")
	contains(t, "field_at_robot", out, "z: 0.005")
	stop()

	stop = n.publish("/microrobot/field", "sensor_msgs/MagneticField", "{magnetic_field: {x: 5.0, y: 0.0, z: 0.0}}")
	r.Expect("the unit is tesla")
	stop()
	if _, _, z := moment(); z < 0.9999 {
		t.Errorf("a field in millitesla has turned the robot: z = %g", z)
	}

	defer n.publish("/microrobot/rotating_field", "sinew_msgs/RotatingField",
		"{axis: {x: 0.0, y: 0.0, z: 1.0}, amplitude: 0.005, frequency: 2.0, offset: 0.0}")()
	n.waitFor("turning at 2 Hz", func() bool { return math.Abs(r.spin()/(2*math.Pi*2)-1) < 0.02 })
	if code := r.End(waitLimit); code != 0 {
		t.Errorf("exit code %d after Ctrl-C:\n%s", code, r.Output())
	}
}

// spin is how fast the body turns about z, rad/s, over half a second of its own time.
func (r *robot) spin() float64 {
	yaw := func(p *geometry_msgs.PoseStamped) float64 {
		q := p.Pose.Orientation
		return math.Atan2(2*(q.X*q.Y+q.W*q.Z), 1-2*(q.Y*q.Y+q.Z*q.Z))
	}
	first := r.tip.Load()
	last, turned := first, 0.0
	for range 25 {
		time.Sleep(pollPeriod)
		p := r.tip.Load()
		turned += math.Remainder(yaw(p)-yaw(last), 2*math.Pi)
		last = p
	}
	return turned / (float64(last.Header.Stamp-first.Header.Stamp) * 1e-9)
}

// TestMicrorobotIsSteered lets a controller in Python lead the swimmer around a square
// of 0.5 mm with rotating fields.
func TestMicrorobotIsSteered(t *testing.T) {
	const python = "/usr/bin/python3" // the one that Debian's ROS is for
	need(t, "rostopic", python)
	if out, err := exec.Command(python, "-c", "import rospy").CombinedOutput(); err != nil {
		t.Skipf("rospy is not installed: %s", out)
	}
	const side, tolerance = 5e-4, 0.15 // m, of the side: the swimmer turns over its own length
	n := newNetwork(t, "http://localhost:"+strconv.Itoa(freePort(t))+"/")
	n.with(generatePython(t))
	r := &robot{view: &view{}, n: n, program: buildMicrorobot(t), node: "/microrobot"}
	r.process = n.start(r.program, "run", "--config", absolute(t, "../launch/robots/helix.yaml"), "--no-demo")
	n.watch(r)
	c := n.start(python, absolute(t, "testdata/steer_square.py"), strconv.FormatFloat(side, 'g', -1, 64))
	if code := c.Wait(5 * time.Minute); code != 0 {
		t.Fatalf("the controller ended with %d:\n%s", code, c.Output())
	}
	_, worst, found := strings.Cut(c.Output(), "largest distance ")
	d, err := strconv.ParseFloat(strings.TrimSpace(worst), 64)
	if !found || err != nil || d > tolerance*side {
		t.Errorf("largest distance from the square %s m, allowed %g m:\n%s", worst, tolerance*side, c.Output())
	}
	t.Logf("largest distance from the square %.3g m", d)
}

// TestStepOutSweep sweeps the frequency of a rotating field through step-out with a
// program in Python and wants the mean rate of a sphere that Adler's equation gives:
// f up to f_c, and f − √(f² − f_c²) above.
func TestStepOutSweep(t *testing.T) {
	const python = "/usr/bin/python3" // the one that Debian's ROS is for
	need(t, "rostopic", python)
	if out, err := exec.Command(python, "-c", "import rospy").CombinedOutput(); err != nil {
		t.Skipf("rospy is not installed: %s", out)
	}
	n := newNetwork(t, "http://localhost:"+strconv.Itoa(freePort(t))+"/")
	n.with(generatePython(t))
	r := &robot{view: &view{}, n: n, program: buildMicrorobot(t), node: "/microrobot"}
	r.process = n.start(r.program, "run", "--config", absolute(t, microrobotFiles+"rotating_sphere.yaml"), "--no-demo", "--clock", "_rates/publish_hz:=500")
	n.watch(r)
	file := filepath.Join(t.TempDir(), "sweep.csv")
	c := n.start(python, absolute(t, "testdata/sweep_stepout.py"), file, "0.005", "1", "9.5", "11", "15")
	if code := c.Wait(5 * time.Minute); code != 0 {
		t.Fatalf("the program ended with %d:\n%s", code, c.Output())
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	header, rows := table(t, string(data))
	if len(header) != 3 || len(rows) != 3 {
		t.Fatalf("%d rows of %v", len(rows), header)
	}
	const stepOut, share = 10., 0.01 // Hz; of the rate, for marks lie between samples
	for _, row := range rows {
		f, rate, slips := row[0], row[1], row[2]
		want := f
		if f > stepOut {
			want = f - math.Sqrt(f*f-stepOut*stepOut)
		}
		if math.Abs(rate/want-1) > share || (slips > 0) != (f > stepOut) {
			t.Errorf("at %g Hz it turns with %g Hz and slips %g times, want %g Hz", f, rate, slips, want)
		}
	}
	t.Logf("\n%s", data)
}
