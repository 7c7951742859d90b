//go:build unix

package env

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"sinew/cmd/internal/cli"
)

// A scene has the shapes of the robot that is asked for, now.
func TestSceneIsDrawn(t *testing.T) {
	a := call(t, Cmd{Envs: 2, RobotFiles: cli.RobotFiles{Config: []string{"../../../launch/worlds/endoscope.yaml"}}})
	a.action[4] = 4
	a.moved()
	var tips [2]vector
	for i, request := range []string{"draw\t0", "draw\t1"} {
		var s scene
		text, found := strings.CutPrefix(a.ask(request), "ok ")
		if !found {
			t.Fatalf("%s: %.100q", request, text)
		}
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		if len(s.Tubes) == 0 || len(s.Disks) == 0 || len(s.Polylines) < 4 || len(s.Meshes) == 0 || s.Scale != 1 {
			t.Fatalf("%d tubes, %d disks, %d lines, %d meshes, scale %g", len(s.Tubes), len(s.Disks), len(s.Polylines), len(s.Meshes), s.Scale)
		}
		if b, err := base64.StdEncoding.DecodeString(s.Meshes[0].Corners); err != nil || len(b) == 0 || len(b)%36 != 0 {
			t.Errorf("corners of %d bytes, %v", len(b), err)
		}
		last := s.Tubes[len(s.Tubes)-1].Points
		tips[i] = last[len(last)-1]
		if seen := a.row(i)[:3]; !slices.Equal(seen, tips[i][:]) {
			t.Errorf("the tip is drawn at %v and measured at %v", tips[i], seen)
		}
	}
	if tips[0] == tips[1] {
		t.Error("both robots are drawn alike")
	}
	for request, want := range map[string]string{"draw\t2": "want 0 to 1", "draw\t-1": "want its number", "draw\tx": "want its number", "draw": "request"} {
		if got := a.ask(request); !strings.HasPrefix(got, "error ") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", request, got, want)
		}
	}
}

// A reset of all or none that fails leaves robots, time and draws as they were.
func TestResetOfAllOrNone(t *testing.T) {
	a := call(t, Cmd{Envs: 3, Vary: []string{"youngs_modulus_pa=uniform(15e6,17e6)"}})
	a.seeded(1, 2, 3)
	a.moved()
	before, time, drawn := slices.Clone(a.observation), slices.Clone(a.time), slices.Clone(a.parameters)
	for i := range a.Envs {
		a.arrays.reset[i], a.reseed[i], a.seed[i] = 1, 1, uint64(10+i)
	}
	a.must("vary\tyoungs_modulus_pa=choice(16e6,-1)")
	if got := a.ask("reset_all"); !strings.HasPrefix(got, "error env ") || !strings.Contains(got, ": reset: ") || !strings.Contains(got, "youngs_modulus_pa") {
		t.Errorf("%q", got)
	}
	if !slices.Equal(before, a.observation) || !slices.Equal(time, a.time) || !slices.Equal(drawn, a.parameters) || slices.Contains(a.failed, 1) {
		t.Error("the reset that is refused has changed something")
	}
	a.must("vary\tyoungs_modulus_pa=uniform(15e6,17e6)")
	a.must("reset_all")
	if slices.Equal(before, a.observation) || slices.Equal(drawn, a.parameters) || a.time[0] != 0 {
		t.Error("the reset after it has changed nothing")
	}
	all := slices.Clone(a.parameters)
	a.seeded(10, 11, 12)
	if !slices.Equal(all, a.parameters) {
		t.Error("reset_all draws other numbers than reset")
	}
}
