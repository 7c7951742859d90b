package offline_test

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/vision_msgs"
	"sinew/pkg/ros/record"
	"sinew/test/testbench"
)

const sensedRobot = `rod: {length_m: 0.2, radius_m: 0.001, youngs_modulus_pa: 1e9, shear_modulus_pa: 4e8, density_kg_per_m3: 2000, elements: 4, damping: {kelvin_voigt_s: 0.01}}
tendons: [{name: up, offset_m: [0.008, 0], disks: {count: 4, first_m: 0.05, last_m: 0.2}}]
sensors:
  - {name: tracker, rate_hz: 130, latency_s: 0.02, latency_jitter_s: 0.015, dropout: 0.2, pose: {position_error: {noise: 1e-3}, rotation_error: {noise: 1e-2}}}
  - {name: imu, rate_hz: 1000, phase_s: 0.1, imu: {linear_acceleration_error: {noise: 0.1}}}
rates: {publish_hz: 50}
seed: 5
`

// What a CSV with a row for each step shows of sensors, one measurement after another, is what a recording at a twentieth of that rate
// has as messages: every measurement once, in order of arrival, stamped with the time at which it was taken.
func TestSensorsInTablesAndRecordings(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	dir := inFolder(t, map[string]string{"robot.yaml": sensedRobot, "pull.csv": "t,up\n0,0\n0.1,0.3\n0.5,0\n"})
	sim := func(more ...string) string {
		out, errs, code := testbench.RunIn(t, dir, program, append([]string{"sim", "--config", "robot.yaml", "--commands", "pull.csv", "--duration", "1s"}, more...)...)
		if code != 0 {
			t.Fatal(errs)
		}
		return out
	}
	header, rows := testbench.ParseCSV(t, sim("--sample-hz", "1000"))
	column := func(name string) int {
		i := slices.Index(header, name)
		if i < 0 {
			t.Fatalf("no column %s among %v", name, header)
		}
		return i
	}
	type sample struct{ taken, value float64 }
	table := func(name, value string) (all []sample) {
		count, age, v, shown := column(name+".count"), column(name+".age"), column(name+"."+value), 0.0
		for _, row := range rows {
			if news := row[count] - shown; news == 1 {
				all = append(all, sample{row[0] - row[age], row[v]})
			} else if news > 1 {
				all = append(all, sample{math.NaN(), math.NaN()}) // a row shows the newest only
				for range int(news) - 2 {
					all = append(all, sample{math.NaN(), math.NaN()})
				}
				all = append(all, sample{row[0] - row[age], row[v]})
			}
			shown = row[count]
		}
		return all
	}
	sim("--out", "all.mcap")
	recorded := map[string][]sample{}
	begin := 1e9 * time.Second
	if err := record.Read(filepath.Join(dir, "all.mcap"), func(topic string, _ *msgs.Type) bool { return filepath.Base(filepath.Dir(topic)) == "sensors" }, func(m record.Message) error {
		name := filepath.Base(m.Topic)
		switch m := m.Message.(type) {
		case *geometry_msgs.PoseStamped:
			recorded[name] = append(recorded[name], sample{(time.Duration(m.Header.Stamp) - begin).Seconds(), m.Pose.Position.X})
		case *sensor_msgs.Imu:
			recorded[name] = append(recorded[name], sample{(time.Duration(m.Header.Stamp) - begin).Seconds(), m.LinearAcceleration.X})
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, value string
		least, most int
	}{{"tracker", "x", 85, 115}, {"imu", "ax", 901, 901}} {
		want, got := table(c.name, c.value), recorded[c.name]
		if len(got) != len(want) || len(got) < c.least || len(got) > c.most {
			t.Errorf("%s: %d messages, %d in the table, want %d to %d", c.name, len(got), len(want), c.least, c.most)
			continue
		}
		compared := 0
		for i, s := range want {
			if math.IsNaN(s.value) {
				continue
			}
			compared++
			if got[i].value != s.value || math.Abs(got[i].taken-s.taken) > 1e-8 {
				t.Fatalf("%s: measurement %d is %v, in the table %v", c.name, i, got[i], s)
			}
		}
		if compared < len(want)*3/4 {
			t.Errorf("%s: %d of %d compared", c.name, compared, len(want))
		}
	}
}

// identify predicts a sensor where it is, without errors: the numbers of a robot are found from a late tracker that is not at the tip, to
// the noise of the tracker.
func TestIdentifyFromASensor(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	dir := inFolder(t, map[string]string{"robot.yaml": trackedRobot, "guess.yaml": "rod: {youngs_modulus_pa: 1e9}\n", "pull.csv": "t,up\n0,0\n0.3,0.3\n1,0.1\n"})
	run := func(args ...string) string {
		out, errs, code := testbench.RunIn(t, dir, program, args...)
		if code != 0 {
			t.Fatal(errs)
		}
		return out
	}
	run("sim", "--config", "robot.yaml", "--commands", "pull.csv", "--duration", "2s", "--out", "lab.mcap")
	for _, topic := range []string{"/tendonsim/sensors/tracker", "/tendonsim/sensors/tracker/with_covariance"} {
		run("identify", "lab.mcap", "--config", "robot.yaml", "--config", "guess.yaml", "--hw-topic", topic, "--free", "rod.youngs_modulus_pa", "--starts", "1", "--report", "fit.json", "--force")
		var fit struct {
			Parameters []struct{ Value float64 }
			Fitted     struct {
				RMSE float64 `json:"rmse_m"`
			}
		}
		if err := json.Unmarshal([]byte(testbench.ReadFile(t, filepath.Join(dir, "fit.json"))), &fit); err != nil {
			t.Fatal(err)
		}
		if e := fit.Parameters[0].Value; math.Abs(e/1.3e9-1) > 2e-3 {
			t.Errorf("%s: Young's modulus is found as %g Pa, it was 1.3e9", topic, e)
		}
		if math.Abs(fit.Fitted.RMSE/(2e-4*math.Sqrt(3))-1) > 0.15 {
			t.Errorf("%s: the rest is %g m, the noise of the tracker %g", topic, fit.Fitted.RMSE, 2e-4*math.Sqrt(3))
		}
	}
}

const trackedRobot = `rod: {length_m: 0.2, radius_m: 0.001, youngs_modulus_pa: 1.3e9, shear_modulus_pa: 5e8, density_kg_per_m3: 2000, elements: 6, damping: {kelvin_voigt_s: 0.01}}
tendons: [{name: up, offset_m: [0.008, 0], disks: {count: 4, first_m: 0.05, last_m: 0.2}}]
sensors: [{name: tracker, rate_hz: 50, latency_s: 0.03, dropout: 0.1, pose: {at_m: 0.15, position_error: {noise: 2e-4}, rotation_error: {noise: 2e-3}}}]
rates: {publish_hz: 25}
`

const watchedRobot = `rod: {length_m: 0.2, radius_m: 0.001, youngs_modulus_pa: 1e9, shear_modulus_pa: 4e8, density_kg_per_m3: 2000, elements: 4, damping: {kelvin_voigt_s: 0.01}}
tendons: [{name: up, offset_m: [0.008, 0], disks: {count: 4, first_m: 0.05, last_m: 0.2}}]
environment: {shapes: [{name: post, capsule: {from_m: [0.05, 0.1, 0.05], to_m: [0.05, 0.1, 0.3], radius_m: 0.004}}]}
sensors:
  - name: eye
    rate_hz: 50
    camera: {world: true, position_m: [0, 0.5, 0.1], orientation_xyzw: [0, 0.70710678118654757, -0.70710678118654757, 0], exposure_s: 0.005, width_px: 800, height_px: 600, fx_px: 900,
      distortion: [-0.1, 0, 0, 0, 0], markers: [{name: tip}, {name: mid, at_m: 0.1}], error: {noise: 0.2}}
rates: {publish_hz: 50}
seed: 5
`

// What a camera sees is in a table as columns, and the same in recordings of both versions of ROS, with the optics before it. A point that
// is not seen is no detection.
func TestCameraInTablesAndRecordings(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	dir := inFolder(t, map[string]string{"robot.yaml": watchedRobot, "pull.csv": "t,up\n0,0\n0.3,1.5\n2,1.5\n"})
	sim := func(more ...string) string {
		out, errs, code := testbench.RunIn(t, dir, program, append([]string{"sim", "--config", "robot.yaml", "--commands", "pull.csv", "--duration", "2s"}, more...)...)
		if code != 0 {
			t.Fatal(errs)
		}
		return out
	}
	header, rows := testbench.ParseCSV(t, sim("--sample-hz", "50"))
	first := slices.Index(header, "eye.count")
	if want := []string{"eye.count", "eye.age", "eye.tip.u", "eye.tip.v", "eye.tip.seen", "eye.mid.u", "eye.mid.v", "eye.mid.seen"}; first < 0 || !slices.Equal(header[first:][:len(want)], want) {
		t.Fatalf("columns are %v", header)
	}
	var want [][]float64
	hidden := 0
	for _, row := range rows {
		if v := row[first:]; int(v[0]) == len(want)+1 {
			want = append(want, v[2:8])
			if v[4] == 0 {
				hidden++
			}
		}
	}
	if len(want) != 101 || hidden == 0 || hidden > 50 {
		t.Fatalf("%d measurements, the tip is hidden in %d", len(want), hidden)
	}
	for _, file := range []string{"all.mcap", "all.bag"} {
		sim("--out", file)
		n, infos := 0, 0
		if err := record.Read(filepath.Join(dir, file), func(topic string, _ *msgs.Type) bool { return strings.HasPrefix(topic, "/tendonsim/sensors/eye") }, func(m record.Message) error {
			switch m := m.Message.(type) {
			case *sensor_msgs.CameraInfo:
				infos++
				if n > 0 || m.Width != 800 || m.K[0] != 900 || m.D[0] != -0.1 {
					t.Errorf("%s: optics %+v after %d measurements", file, m, n)
				}
			case *vision_msgs.Detection2DArray:
				v := make([]float64, 6)
				for _, d := range m.Detections {
					at, u, y := slices.Index([]string{"tip", "mid"}, d.ID), d.Bbox.Center.Position.X, d.Bbox.Center.Position.Y
					if file == "all.bag" {
						at, u, y = int(d.Results[0].ID), d.Bbox.CenterROS1.X, d.Bbox.CenterROS1.Y
					}
					copy(v[3*at:], []float64{u, y, 1})
				}
				if n < len(want) && !slices.Equal(v, want[n]) {
					t.Errorf("%s: measurement %d is %v, in the table %v", file, n, v, want[n])
				}
				n++
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if n != len(want) || infos != 1 {
			t.Errorf("%s has %d measurements and %d optics", file, n, infos)
		}
	}
}

// Two sensors of one motion are each predicted where they are and weighed by their noise: a coarse one that is off by much more than a
// precise one hardly changes what that finds, but does where a plan says that both are alike.
func TestIdentifyWeighsSensorsByTheirNoise(t *testing.T) {
	const plan = "data:\n  - {file: lab.mcap, topic: /tendonsim/sensors/coarse%s}\n  - {file: lab.mcap, topic: /tendonsim/sensors/fine%s}\nstages: [{name: one, free: [rod.youngs_modulus_pa], starts: 1}]\n"
	program := testbench.BuildTendonsim(t)
	dir := inFolder(t, map[string]string{
		"robot.yaml": strings.Replace(trackedRobot, "sensors: [", "sensors: [{name: fine, rate_hz: 50, pose: {position_error: {noise: 5e-5}}}, {name: coarse, rate_hz: 50, pose: {at_m: 0.1, position_error: {bias: [0, 0, 1e-2], noise: 5e-3}}}, ", 1),
		"guess.yaml": "rod: {youngs_modulus_pa: 1e9}\n", "pull.csv": "t,up\n0,0\n0.3,0.3\n1,0.1\n",
		"stated.yaml": fmt.Sprintf(plan, "", ""), "alike.yaml": fmt.Sprintf(plan, ", noise_m: 1e-3", ", noise_m: 1e-3"),
	})
	run := func(args ...string) {
		if _, errs, code := testbench.RunIn(t, dir, program, args...); code != 0 {
			t.Fatal(errs)
		}
	}
	run("sim", "--config", "robot.yaml", "--commands", "pull.csv", "--duration", "2s", "--out", "lab.mcap")
	found := func(plan string) (modulus float64, topics []string) {
		run("identify", "--plan", plan, "--config", "robot.yaml", "--config", "guess.yaml", "--report", plan+".json")
		var fit struct {
			Parameters []struct{ Value float64 }
			Files      []struct{ Topic string }
		}
		if err := json.Unmarshal([]byte(testbench.ReadFile(t, filepath.Join(dir, plan+".json"))), &fit); err != nil {
			t.Fatal(err)
		}
		for _, f := range fit.Files {
			topics = append(topics, f.Topic)
		}
		return fit.Parameters[0].Value, topics
	}
	modulus, topics := found("stated.yaml")
	if math.Abs(modulus/1.3e9-1) > 5e-4 {
		t.Errorf("with the stated noise Young's modulus is found as %g Pa, it was 1.3e9", modulus)
	}
	if !slices.Equal(topics, []string{"/tendonsim/sensors/coarse", "/tendonsim/sensors/fine"}) {
		t.Errorf("topics %q", topics)
	}
	if modulus, _ := found("alike.yaml"); math.Abs(modulus/1.3e9-1) < 5e-3 {
		t.Errorf("with equal noise the coarse sensor has no say: %g Pa", modulus)
	}
}
