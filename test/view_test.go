package test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestViewInBrowser looks at a recording, and at one over another, in Chromium: it plays, stands, goes to any
// moment by key and slider with the robot where it was, and ends; nothing on the page commands.
func TestViewInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the whole machine")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("needs node (Debian: nodejs)")
	}
	if _, err := os.Stat("/usr/bin/chromium"); err != nil {
		t.Skip("needs /usr/bin/chromium (Debian: chromium)")
	}
	if _, err := os.Stat("testdata/page/node_modules/playwright-core"); err != nil {
		t.Skip("needs playwright-core: npm ci --prefix test/testdata/page")
	}
	program, dir := buildTendonsim(t), t.TempDir()
	commands := filepath.Join(dir, "commands.csv")
	if err := os.WriteFile(commands, []byte("t,long_up\n0,0\n0.5,3\n2,6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, name := range []string{"sim.mcap", "hw.bag"} {
		files = append(files, filepath.Join(dir, name))
		if out, err := exec.Command(program, "sim", "--duration", "4s", "--commands", commands, "--out", files[len(files)-1]).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	for _, shown := range [][]string{files[:1], files} {
		var v struct {
			Fault, Name             string
			Foreign, Errors         []string
			Stop                    int // emergency stops on the page
			Paused                  bool
			Begin, Second, Scrubbed []float64 // tip after 0, 1 and 2 s, m
			Speed, End              float64   // of twice real time; where it ended, s
		}
		out, err := exec.Command("node", append([]string{absolute(t, "testdata/view/view.js"), program}, shown...)...).Output()
		if err == nil {
			err = json.Unmarshal(out, &v)
		}
		if err != nil || v.Fault != "" {
			t.Fatalf("%v\n%s\n%s", err, v.Fault, out)
		}
		if len(v.Foreign)+len(v.Errors)+v.Stop > 0 || v.Name != "tendonsim" || !v.Paused || v.End != 4 {
			t.Errorf("%+v", v)
		}
		// rows of sim at these times
		for i, want := range [][]float64{{0.25, 0, 0}, {0.246955, 0, 0.011341}, {0.231808, 0, 0.073893}} {
			got := [][]float64{v.Begin, v.Second, v.Scrubbed}[i]
			if len(got) != 3 || math.Hypot(got[0]-want[0], got[2]-want[2]) > 0.001 {
				t.Errorf("after %d s the tip is at %v, want %v", i, got, want)
			}
		}
		if v.Speed < 1 || v.Speed > 2.4 {
			t.Errorf("at twice real time it played at %g", v.Speed)
		}
	}
}
