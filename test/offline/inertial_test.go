package offline_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// TestInertialSim runs the bodies with inertia of the contract and wants what it promises:
// the heavy top within 1e-7 m of 32-digit integration, the cube within 1e-8 m of its
// parabola, neither with an allocation.
func TestInertialSim(t *testing.T) {
	program := testbench.BuildMicrorobot(t)
	for _, c := range []struct {
		file, method, duration, hz string
		want                       [3]float64
		tolerance                  float64 // m
	}{
		{"heavy_top", "cg4", "1s", "1", [3]float64{0.173343964098386, 0.640088592070569, -0.748490791133581}, 1e-7},
		{"heavy_top", "rkmk4", "1", "1", [3]float64{0.173343964098386, 0.640088592070569, -0.748490791133581}, 1e-7},
		{"cube", "cg4", "10s", "0.1", [3]float64{10, 20, -460.5}, 1e-8},
	} {
		text, err := os.ReadFile(testbench.RobotFiles + c.file + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		config, statistics := filepath.Join(dir, "robot.yaml"), filepath.Join(dir, "stats.json")
		if err := os.WriteFile(config, []byte(strings.Replace(string(text), "method: cg4", "method: "+c.method, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		out, errs, code := testbench.Run(t, program, "sim", "--config", config, "--duration", c.duration, "--sample-hz", c.hz, "--stats", statistics)
		if code != 0 {
			t.Fatalf("%s: exit code %d: %s", c.file, code, errs)
		}
		header, rows := testbench.ParseCSV(t, out)
		if got, want := strings.Join(header, ","), "t,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz,ax,ay,az,alpha_x,alpha_y,alpha_z"; got != want {
			t.Errorf("header %s, want %s", got, want)
		}
		end := rows[len(rows)-1]
		if d := math.Hypot(math.Hypot(end[1]-c.want[0], end[2]-c.want[1]), end[3]-c.want[2]); !(d <= c.tolerance) {
			t.Errorf("%s with %s: %.3g m off at the end, allowed %g m", c.file, c.method, d, c.tolerance)
		}
		var stats map[string]float64
		if data, err := os.ReadFile(statistics); err != nil || json.Unmarshal(data, &stats) != nil {
			t.Fatalf("%s: statistics: %v", c.file, err)
		}
		if n, ok := stats["allocations_per_step"]; !ok || n != 0 {
			t.Errorf("%s: %g allocations per step", c.file, n)
		}
	}
}
