package ros1_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"sinew/msgs/geometry_msgs"
	"sinew/test/testbench"
)

// TestMicrorobotROS1 turns a magnetic sphere with rostopic: toward a field, in a
// rotating field, and not with a field in millitesla.
func TestMicrorobotROS1(t *testing.T) {
	t.Parallel()
	testbench.Need(t, "rostopic")
	n := testbench.NewNetwork(t, "http://localhost:"+strconv.Itoa(testbench.FreePort(t))+"/")
	n.With(testbench.GeneratePython(t))
	robotFile := filepath.Join(t.TempDir(), "robot.yaml")
	const text = "body: {shape: {sphere_m: 5e-5}, magnet: {moment_a_m2: [1e-10, 0, 0]}}\ngravity_m_per_s2: [0, 0, 0]\nrates: {publish_hz: 1000}\n"
	if err := os.WriteFile(robotFile, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &testbench.Robot{TipView: &testbench.TipView{}, Network: n, Program: testbench.BuildMicrorobot(t), Node: "/microrobot"}
	r.Process = n.Start(r.Program, "run", "--config", robotFile, "--no-demo")
	n.Watch(r)
	moment := func() (x, y, z float64) { // the body's x axis
		q := r.Tip.Load().Pose.Orientation
		return 1 - 2*(q.Y*q.Y+q.Z*q.Z), 2 * (q.X*q.Y + q.W*q.Z), 2 * (q.X*q.Z - q.W*q.Y)
	}
	stop := n.Publish("/microrobot/field", "sensor_msgs/MagneticField", "{magnetic_field: {x: 0.0, y: 0.0, z: 0.005}}")
	n.WaitFor("the moment along the field", func() bool { _, _, z := moment(); return z > 0.9999 })
	out := n.Run("rostopic", "echo", "-n", "1", "/microrobot/field_at_robot/magnetic_field")
	testbench.Contains(t, "field_at_robot", out, "z: 0.005")
	stop()

	stop = n.Publish("/microrobot/field", "sensor_msgs/MagneticField", "{magnetic_field: {x: 5.0, y: 0.0, z: 0.0}}")
	r.Expect("the unit is tesla")
	stop()
	if _, _, z := moment(); z < 0.9999 {
		t.Errorf("a field in millitesla has turned the robot: z = %g", z)
	}

	defer n.Publish("/microrobot/rotating_field", "sinew_msgs/RotatingField",
		"{axis: {x: 0.0, y: 0.0, z: 1.0}, amplitude: 0.005, frequency: 2.0, offset: 0.0}")()
	n.WaitFor("turning at 2 Hz", func() bool { return math.Abs(spin(r)/(2*math.Pi*2)-1) < 0.02 })
	if code := r.End(testbench.WaitLimit); code != 0 {
		t.Errorf("exit code %d after Ctrl-C:\n%s", code, r.Output())
	}
}

// spin is how fast the body turns about z, rad/s, over half a second of its own time.
func spin(r *testbench.Robot) float64 {
	yaw := func(p *geometry_msgs.PoseStamped) float64 {
		q := p.Pose.Orientation
		return math.Atan2(2*(q.X*q.Y+q.W*q.Z), 1-2*(q.Y*q.Y+q.Z*q.Z))
	}
	first := r.Tip.Load()
	last, turned := first, 0.0
	for range 25 {
		time.Sleep(testbench.PollPeriod)
		p := r.Tip.Load()
		turned += math.Remainder(yaw(p)-yaw(last), 2*math.Pi)
		last = p
	}
	return turned / (float64(last.Header.Stamp-first.Header.Stamp) * 1e-9)
}

// TestMicrorobotIsSteered lets a controller in Python lead the swimmer around a square
// of 0.5 mm with rotating fields.
func TestMicrorobotIsSteered(t *testing.T) {
	t.Parallel()
	const python = "/usr/bin/python3" // the one that Debian's ROS is for
	testbench.Need(t, "rostopic", python)
	if out, err := exec.Command(python, "-c", "import rospy").CombinedOutput(); err != nil {
		t.Skipf("rospy is not installed: %s", out)
	}
	const side, tolerance = 5e-4, 0.15 // m, of the side: the swimmer turns over its own length
	n := testbench.NewNetwork(t, "http://localhost:"+strconv.Itoa(testbench.FreePort(t))+"/")
	n.With(testbench.GeneratePython(t))
	r := &testbench.Robot{TipView: &testbench.TipView{}, Network: n, Program: testbench.BuildMicrorobot(t), Node: "/microrobot"}
	r.Process = n.Start(r.Program, "run", "--config", testbench.Absolute(t, "../../launch/robots/helix.yaml"), "--no-demo")
	n.Watch(r)
	c := n.Start(python, testbench.Absolute(t, "../testdata/steer_square.py"), strconv.FormatFloat(side, 'g', -1, 64))
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
	t.Parallel()
	const python = "/usr/bin/python3" // the one that Debian's ROS is for
	testbench.Need(t, "rostopic", python)
	if out, err := exec.Command(python, "-c", "import rospy").CombinedOutput(); err != nil {
		t.Skipf("rospy is not installed: %s", out)
	}
	n := testbench.NewNetwork(t, "http://localhost:"+strconv.Itoa(testbench.FreePort(t))+"/")
	n.With(testbench.GeneratePython(t))
	r := &testbench.Robot{TipView: &testbench.TipView{}, Network: n, Program: testbench.BuildMicrorobot(t), Node: "/microrobot"}
	r.Process = n.Start(r.Program, "run", "--config", testbench.Absolute(t, testbench.MicrorobotFiles+"rotating_sphere.yaml"), "--no-demo", "--clock", "_rates/publish_hz:=500")
	n.Watch(r)
	file := filepath.Join(t.TempDir(), "sweep.csv")
	c := n.Start(python, testbench.Absolute(t, "../testdata/sweep_stepout.py"), file, "0.005", "1", "9.5", "11", "15")
	if code := c.Wait(5 * time.Minute); code != 0 {
		t.Fatalf("the program ended with %d:\n%s", code, c.Output())
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	header, rows := testbench.ParseCSV(t, string(data))
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
