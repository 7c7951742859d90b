package page_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"sinew/test/testbench"
)

// TestViewInBrowser looks at a recording, and at one over another, in Chromium: it plays, stands, goes to any
// moment by key and slider with the robot where it was, and ends with the robot where it ended; nothing on the page commands.
// An equilibrium has no time line.
func TestViewInBrowser(t *testing.T) {
	testbench.NeedChromium(t)
	program, dir := testbench.BuildTendonsim(t), t.TempDir()
	files := []string{filepath.Join(dir, "sim.mcap"), filepath.Join(dir, "hw.bag")}
	var tips, others [][]float64
	for i, pulled := range []string{"t,long_up\n0,0\n0.5,3\n2,6\n", "t,long_up\n0,0\n0.5,2\n2,5\n"} {
		commands, rows := filepath.Join(dir, "commands.csv"), filepath.Join(dir, "sim.csv")
		if err := os.WriteFile(commands, []byte(pulled), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{files[i], rows} {
			if out, err := exec.Command(program, "sim", "--duration", "4s", "--commands", commands, "--out", file).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		tips, others = others, tipsAt(t, rows, 0, 1, 2, 4)
	}
	for _, shown := range [][]string{files[:1], files} {
		var v struct {
			Fault, Name             string
			Foreign, Errors         []string
			Stop                    int // emergency stops on the page
			Paused                  bool
			Begin, Second, Scrubbed []float64 // tip after 0, 1 and 2 s, m
			Last                    []float64 // tip at the end
			Hidden                  bool      // the time line
			Still                   struct {
				At     []float64
				Hidden bool
				Empty  string
			}
			Speed, End float64   // of twice real time; where it ended, s
			Titles     []string  // of plots
			Apart      []float64 // distance to the second recording after 0, 1, 2 and 4 s, m; -1 where there is none
			Plotted    string    // the last distance among the plots
		}
		out, err := exec.Command("node", append([]string{testbench.Absolute(t, "../testdata/view/view.js"), program}, shown...)...).Output()
		if err == nil {
			err = json.Unmarshal(out, &v)
		}
		if err != nil || v.Fault != "" {
			t.Fatalf("%v\n%s\n%s", err, v.Fault, out)
		}
		if len(v.Foreign)+len(v.Errors)+v.Stop > 0 || v.Name != "tendonsim" || !v.Paused || v.End != 4 || v.Hidden {
			t.Errorf("%+v", v)
		}
		if want := [][]string{nil, {"position", "measured tension"}, {"position", "distance of the recordings", "overlay measured cp", "measured tension"}}[len(shown)]; !slices.Equal(v.Titles, want) {
			t.Errorf("plotted are %q, want %q", v.Titles, want)
		}
		if s := v.Still; len(shown) == 1 && (!s.Hidden || len(s.At) != 3 || !(s.At[2] < -0.01) || s.Empty != "one sample only") {
			t.Errorf("an equilibrium: %+v", s)
		}
		for i, want := range tips {
			got := [][]float64{v.Begin, v.Second, v.Scrubbed, v.Last}[i]
			far := -1.0
			if len(shown) > 1 {
				far = math.Hypot(math.Hypot(others[i][0]-want[0], others[i][1]-want[1]), others[i][2]-want[2])
			}
			if math.Abs(v.Apart[i]-far) > 1e-6 { // of the decimals of the CSV
				t.Errorf("moment %d: %g m apart, want %g", i, v.Apart[i], far)
			}
			if i == 3 && len(shown) > 1 && v.Plotted != fmt.Sprintf("%.2f mm", 1000*far) {
				t.Errorf("plotted at the end are %q, want %.2f mm", v.Plotted, 1000*far)
			}
			if len(got) != 3 || math.Hypot(math.Hypot(got[0]-want[0], got[1]-want[1]), got[2]-want[2]) > 0.001 {
				t.Errorf("moment %d: the tip is at %v, want %v", i, got, want)
			}
		}
		if v.Speed < 1 || v.Speed > 2.4 {
			t.Errorf("at twice real time it played at %g", v.Speed)
		}
	}
}

// tipsAt returns where the tip is after some whole seconds of a file that sim wrote.
func tipsAt(t *testing.T, file string, seconds ...float64) (tips [][]float64) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	header, rows := testbench.ParseCSV(t, string(text))
	if !slices.Equal(header[:4], []string{"t", "tip_x", "tip_y", "tip_z"}) {
		t.Fatalf("columns %v", header)
	}
	for _, s := range seconds {
		i := slices.IndexFunc(rows, func(r []float64) bool { return r[0] == s })
		if i < 0 {
			t.Fatalf("no row at %g s", s)
		}
		tips = append(tips, rows[i][1:4])
	}
	return tips
}
