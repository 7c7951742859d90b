package offline_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros/record"
	"sinew/test/testbench"
)

// swarmOf30 is a swarm whose robots drag each other along, each in its own way.
const swarmSensors = "sensors: [{name: camera, rate_hz: 100, pose: {position_error: {noise: 1e-5}}}]\n"

const swarmOf30 = `body: {shape: {sphere_m: 50e-6}, density_kg_per_m3: 1500, magnet: {moment_a_m2: [1e-10, 0, 0]}}
swarm: {count: %d, spacing_m: 250e-6}
field: {rotating: {axis: [0, 0, 1], amplitude_t: 0.005, frequency_hz: 1}}
sensors: [{name: camera, rate_hz: 100, pose: {position_error: {noise: 1e-5}}}]
rates: {publish_hz: 100, marker_hz: 10}
`

// inFolder writes files and returns their folder.
func inFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const velocityColumns = "t,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz"

// The CSV of a swarm has a row for each robot and time, in order, with the poses of the
// topic poses and velocities with which each robot moves on.
func TestSwarmCSV(t *testing.T) {
	const count, hz = 30, 1000.
	program := testbench.BuildMicrorobot(t)
	dir := inFolder(t, map[string]string{
		"swarm.yaml": fmt.Sprintf(swarmOf30, count), "commands.csv": "t,bx,by,bz\n0,0.005,0,0\n",
	})
	for _, args := range [][]string{{"--out", "swarm.csv", "--sample-hz", "1000"}, {"--out", "swarm.mcap"}} {
		if _, errs, code := testbench.RunIn(t, dir, program, append([]string{"sim", "--config", "swarm.yaml", "--duration", "0.3s", "--commands", "commands.csv"}, args...)...); code != 0 {
			t.Fatalf("%v: exit code %d, %s", args, code, errs)
		}
	}
	header, rows := testbench.ParseCSV(t, testbench.ReadFile(t, filepath.Join(dir, "swarm.csv")))
	if got := strings.Join(header, ","); got != velocityColumns+",robot" {
		t.Fatalf("header %s", got)
	}
	if len(rows) != count*301 {
		t.Fatalf("%d rows, want one of %d robots at 301 times", len(rows), count)
	}
	for i, row := range rows {
		if at := float64(i/count) / hz; row[14] != float64(i%count) || math.Abs(row[0]-at) > 1e-12 {
			t.Fatalf("row %d is of robot %g at %g s", i, row[14], row[0])
		}
	}
	// between two rows the mean velocity is that at the middle, once the magnets have turned
	for i := 50 * count; i < len(rows)-count; i++ {
		for k := range 3 {
			mean, v := (rows[i+count][1+k]-rows[i-count][1+k])*hz/2, rows[i][8+k]
			if math.Abs(mean-v) > 2e-3*(math.Abs(v)+1e-5) {
				t.Fatalf("robot %g at %g s moves at %v along axis %d, and v is %v", rows[i][14], rows[i][0], mean, k, v)
			}
		}
	}
	compared := 0
	isPoses := func(topic string, _ *msgs.Type) bool { return strings.HasSuffix(topic, "/poses") }
	if err := record.Read(filepath.Join(dir, "swarm.mcap"), isPoses, func(m record.Message) error {
		at := int(math.Round((m.Time - 1e9*time.Second).Seconds() * hz))
		for k, p := range m.Message.(*geometry_msgs.PoseArray).Poses {
			q := p.Orientation
			want := []float64{p.Position.X, p.Position.Y, p.Position.Z, q.X, q.Y, q.Z, q.W}
			if got := rows[at*count+k][1:8]; !slices.Equal(got, want) {
				t.Errorf("robot %d at %d ms: %v, in poses %v", k, at, got, want)
			}
			compared++
		}
		return nil
	}); err != nil || compared != 4*count {
		t.Errorf("%d poses compared, %v", compared, err)
	}
	// replay makes the same rows
	out, errs, code := testbench.RunIn(t, dir, program, "replay", "swarm.mcap", "--config", "swarm.yaml", "--sample-hz", "1000")
	if code != 0 {
		t.Fatal(errs)
	}
	again, replayed := testbench.ParseCSV(t, out)
	if !slices.Equal(again, header) || len(replayed) < 290*count || len(replayed)%count != 0 {
		t.Fatalf("replay: %d rows of %q", len(replayed), again)
	}
	for i, row := range replayed {
		if !slices.Equal(row[1:], rows[i][1:]) {
			t.Fatalf("replay: row %d is %v, that of sim %v", i, row, rows[i])
		}
	}
}

// A swarm of one numbers it, and a single robot has no number.
func TestCSVOfOneRobot(t *testing.T) {
	program := testbench.BuildMicrorobot(t)
	one := strings.Replace(fmt.Sprintf(swarmOf30, 1), swarmSensors, "", 1)
	single := strings.Replace(one, "swarm: {count: 1, spacing_m: 250e-6}\n", "", 1)
	dir := inFolder(t, map[string]string{"one.yaml": one, "single.yaml": single})
	var text [2][]byte
	for i, name := range []string{"one.yaml", "single.yaml"} {
		out, errs, code := testbench.RunIn(t, dir, program, "sim", "--config", name, "--duration", "0.1s")
		if code != 0 {
			t.Fatal(errs)
		}
		text[i] = []byte(out)
	}
	if !bytes.HasPrefix(text[1], []byte(velocityColumns+"\n")) {
		t.Errorf("a single robot: %.100s", text[1])
	}
	if !bytes.HasPrefix(text[0], []byte(velocityColumns+",robot\n0,")) || !bytes.Contains(text[0], []byte(",0\n0.01")) {
		t.Errorf("a swarm of one: %.300s", text[0])
	}
}

// compare and identify read one robot of a swarm's CSV: the one of --robot, or the first and
// say so. What is no robot's number is refused, and no such file is taken as commands.
func TestOneRobotOfSwarm(t *testing.T) {
	program := testbench.BuildMicrorobot(t)
	config := strings.Replace(fmt.Sprintf(swarmOf30, 30), swarmSensors, "", 1)
	dir := inFolder(t, map[string]string{"swarm.yaml": config})
	out, errs, code := testbench.RunIn(t, dir, program, "sim", "--config", "swarm.yaml", "--duration", "0.1s")
	if code != 0 {
		t.Fatal(errs)
	}
	lines := strings.Split(out, "\n")
	single := velocityColumns + "\n"
	for i := 1 + 7; i < len(lines); i += 30 {
		single += strings.TrimSuffix(lines[i], ",7") + "\n"
	}
	broken := strings.Replace(out, lines[31], strings.TrimSuffix(lines[31], ",0")+",0.5", 1)
	for name, text := range map[string]string{"swarm.csv": out, "seven.csv": single, "broken.csv": broken, "grouped.csv": grouped(lines)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const said = "swarm.csv has 30 robots; reading robot 0, use --robot N for another\n"
	for _, c := range []struct {
		args, out, errs string
		code            int
	}{
		{"compare swarm.csv seven.csv --latency none --out - --robot 7", "position   RMSE 0.000 µm", "", 0},
		{"compare seven.csv grouped.csv --latency none --out - --robot 7", "position   RMSE 0.000 µm", "", 0},
		{"compare swarm.csv seven.csv --latency none --out - --robot 6 --max-rmse-mm 0.1", "RMSE 2", "exceeds", 3},
		{"compare swarm.csv swarm.csv --latency none --out -", "samples    11 measured samples compared", said, 0},
		{"compare swarm.csv seven.csv --latency none --out - --robot 30", "", "swarm.csv: no rows of robot 30; the numbers go up to 29", 2},
		{"compare seven.csv seven.csv --latency none --out - --robot 7", "", "--robot 7: there is no column robot in seven.csv, seven.csv", 2},
		{"compare swarm.csv swarm.csv --out - --robot=-1", "", "--robot -1: robots are numbered from 0", 2},
		{"compare broken.csv seven.csv --out -", "", "broken.csv:32: robot = 0.5 is no number of a robot; want 0, 1, 2, …", 2},
		{"identify --config swarm.yaml swarm.csv", "predicted       11     0 µm", said, 0},
		{"identify --config swarm.yaml swarm.csv --robot 7", "", "--robot 7: of the swarm of the robot file only robot 0 is predicted", 2},
		{"identify --config swarm.yaml _body/load/force_n:=[1e-13,0,0] swarm.csv --robot 30", "", "no rows of robot 30", 2},
		{"sim --config swarm.yaml --duration 1s --commands swarm.csv", "", `swarm.csv:1: unknown column "x"; this robot takes ambient_flow_vx, ambient_flow_vy, ambient_flow_vz, ambient_flow_wx, ambient_flow_wy, ambient_flow_wz, bx, by, bz`, 2},
	} {
		out, errs, code := testbench.RunIn(t, dir, program, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) || c.errs == "" && strings.Contains(errs, "--robot") || strings.Count(errs, "--robot N") > 1 {
			t.Errorf("%s: exit code %d, %q, %q; want %d, %q, %q", c.args, code, out, errs, c.code, c.out, c.errs)
		}
	}
	if _, errs, code := testbench.RunIn(t, dir, testbench.BuildTendonsim(t), "compare", "swarm.csv", "seven.csv", "--robot", "7"); code != 2 || !strings.Contains(errs, "--robot 7: tendonsim has no swarms") {
		t.Errorf("tendonsim: exit code %d, %s", code, errs)
	}
}

// grouped returns a CSV with all rows of one robot after those of another, as trackers of
// several bodies write them.
func grouped(lines []string) string {
	text := lines[0] + "\n"
	for robot := range 30 {
		for i := 1 + robot; i < len(lines)-1; i += 30 {
			text += lines[i] + "\n"
		}
	}
	return text
}
