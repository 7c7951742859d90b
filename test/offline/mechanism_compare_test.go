package offline_test

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// comparedMechanism is the mechanism that replay takes, with a lighter link.
var comparedMechanism = strings.Replace(commandedMechanism, "mass_kg: 0.1,", "mass_kg: 0.08,", 1)

// TestCompareMechanisms: motions of a mechanism are compared link by link, position and rotation, from tables and recordings alike;
// position and latency are those of the last rod, or of the link that is asked for.
func TestCompareMechanisms(t *testing.T) {
	program, folder := testbench.BuildTendonsim(t), t.TempDir()
	a, b := testbench.WriteFile(t, "a.yaml", commandedMechanism), testbench.WriteFile(t, "b.yaml", comparedMechanism)
	commands := testbench.WriteFile(t, "commands.csv", "t,flexor,axle,wrist:rad,rail:m\n0,2,0.001,0.1,0\n0.2,3,-0.002,0.3,0.01\n0.4,1,0,-0.1,0.02\n")
	run := func(args ...string) string {
		out, errs, code := testbench.Run(t, program, args...)
		if code != 0 {
			t.Fatalf("%v: exit code %d, %s", args, code, errs)
		}
		return out
	}
	for _, ext := range []string{".csv", ".mcap"} {
		for name, file := range map[string]string{"a": a, "b": b} {
			run("sim", file, "--commands", commands, "--duration", "0.6s", "--sample-hz", "100", "--out", filepath.Join(folder, name+ext))
		}
	}
	compare := func(ext string, args ...string) (metrics comparedLinks) {
		out := filepath.Join(folder, "out")
		run(append([]string{"compare", filepath.Join(folder, "a"+ext), filepath.Join(folder, "b"+ext), "--config", a, "--latency", "none", "--out", out, "--force"}, args...)...)
		if err := json.Unmarshal([]byte(testbench.ReadFile(t, filepath.Join(out, "metrics.json"))), &metrics); err != nil {
			t.Fatal(err)
		}
		return metrics
	}
	ends := map[string]comparedLinks{".csv": compare(".csv"), ".mcap": compare(".mcap")}
	for ext, m := range ends {
		if len(m.Markers) != 5 {
			t.Fatalf("%s: links %+v, want finger, hand, link, slider and wheel", ext, m.Markers)
		}
		for _, l := range m.Markers {
			moves := l.Name == "finger" || l.Name == "link"
			if turned := l.Rotation.RMSE > 1e-4; turned != moves || (l.RMSE > 1e-5) != (l.Name == "finger") {
				t.Errorf("%s: %s is off by %g m, %g rad", ext, l.Name, l.RMSE, l.Rotation.RMSE)
			}
			if l.Name == "finger" && l.RMSE != m.AsRecorded.Position.RMSE {
				t.Errorf("%s: the end of the rod is off by %g m, and the result is %g m", ext, l.RMSE, m.AsRecorded.Position.RMSE)
			}
		}
	}
	if x, y := ends[".csv"].AsRecorded.Position.RMSE, ends[".mcap"].AsRecorded.Position.RMSE; math.Abs(x-y) > 0.05*x {
		t.Errorf("tables are %g m apart, recordings %g m", x, y)
	}
	if m := compare(".mcap", "--hw-topic", "slider"); m.AsRecorded.Position.RMSE > 1e-9 {
		t.Errorf("the slider is off by %g m", m.AsRecorded.Position.RMSE)
	}
	_, errs, code := testbench.Run(t, program, "compare", filepath.Join(folder, "a.csv"), filepath.Join(folder, "b.csv"), a, "--hw-topic", "thumb", "--out", "-")
	if code != 2 || !strings.Contains(errs, `there is no link "thumb"; there are finger, `) {
		t.Errorf("exit code %d, %s", code, errs)
	}
}

// comparedLinks are what is read of metrics.json.
type comparedLinks struct {
	AsRecorded struct {
		Position struct {
			RMSE float64 `json:"rmse_m"`
		} `json:"position"`
	} `json:"as_recorded"`
	Markers []struct {
		Name     string  `json:"name"`
		RMSE     float64 `json:"rmse_m"`
		Rotation struct {
			RMSE float64 `json:"rmse_rad"`
		} `json:"rotation"`
	} `json:"markers"`
}
