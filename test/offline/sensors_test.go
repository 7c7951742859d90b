package offline_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
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
