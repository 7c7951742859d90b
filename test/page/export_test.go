package page_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// exported is what export.js tells of the files that the page gave.
type exported struct {
	Fault                     string
	Errors, Names             []string
	Free                      [2]float64 // of the window beside the panel, px
	Transparent, White, Shown struct {
		Width, Height, Colors int
		Corner                [4]int
		Took, Longest         float64 // to make it, and that the page was busy at a time meanwhile, ms
	}
	Figure, One struct {
		Wrong                 bool
		Lines, Images, Points int
		Words                 []string
	}
	GIF struct {
		Count, Width, Height int
		Seconds, Moved       float64
		Differences          [][]float64 // mean, of the first and the last frame from pictures of the beginning and the end
		Took, Longest        float64     // as of pictures
	}
	Drawn  int // pictures on the screen while the GIF was made
	Tabs   []string
	Cards  int
	Help   string
	Range  [2]string
	Tidied string
	Back   float64

	Recording, Recorded string // what the button said, and how the file begins
}

// export takes files from the page of a program in Chromium.
func export(t *testing.T, args ...string) (v exported) {
	t.Helper()
	testbench.NeedChromium(t)
	c := exec.Command("node", append([]string{testbench.Absolute(t, "../testdata/export/export.js")}, args...)...)
	c.Env = append(os.Environ(), "FOLDER="+t.TempDir())
	out, err := c.Output()
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	if err != nil || v.Fault != "" {
		t.Fatalf("%v\n%s\n%s", err, v.Fault, out)
	}
	if len(v.Errors) > 0 {
		t.Errorf("errors %q", v.Errors)
	}
	return v
}

// TestExport takes from the page of a robot that runs what papers need: pictures of the view on any background and at four times
// its resolution, plots as vectors with names and units, and a GIF of the last seconds, while the page stays in use; and a
// recording that it begins and ends.
func TestExport(t *testing.T) {
	v := export(t, testbench.BuildTendonsim(t))
	p := v.Transparent
	if math.Abs(float64(p.Width)-4*v.Free[0]) > 4 || math.Abs(float64(p.Height)-4*v.Free[1]) > 4 || p.Corner != [4]int{} || p.Colors < 200 {
		t.Errorf("a transparent picture of %v px: %+v", v.Free, p)
	}
	if v.White.Corner != [4]int{255, 255, 255, 255} || v.White.Colors < 200 || math.Abs(float64(v.White.Width)-v.Free[0]) > 1 {
		t.Errorf("a white picture: %+v", v.White)
	}
	if v.Shown.Corner == v.White.Corner || v.Shown.Corner[3] != 255 || v.Shown.Colors < 200 {
		t.Errorf("a picture as shown: %+v", v.Shown)
	}
	f := v.Figure
	if f.Wrong || f.Images > 0 || f.Lines < 3+4 || f.Points < 20 {
		t.Errorf("a figure: %+v", f)
	}
	for _, word := range []string{"time (s)", "position (mm)", "measured tension (N)", "x", "long_up"} {
		if !slices.Contains(f.Words, word) {
			t.Errorf("no %q in the figure: %q", word, f.Words)
		}
	}
	if f := v.One; f.Wrong || f.Lines != 3 || !slices.Contains(f.Words, "position (mm)") {
		t.Errorf("a figure of one plot: %+v", f)
	}
	g := v.GIF
	if g.Count < 15 || g.Count > 21 || g.Width != 320 || math.Abs(g.Seconds-float64(g.Count)/10) > 0.01 || g.Moved < 0.05 {
		t.Errorf("a GIF of the last 2 s: %+v", g)
	}
	if v.Drawn < 5 {
		t.Errorf("in the %.0f ms in which a GIF was made the page drew %d pictures", g.Took, v.Drawn)
	}
	for what, a := range map[string][2]float64{"large picture": {p.Took, p.Longest}, "GIF": {g.Took, g.Longest}} {
		t.Logf("a %s took %.0f ms, and the page was busy for up to %.0f ms at a time", what, a[0], a[1])
		if a[1] > a[0]/4 {
			t.Errorf("a %s took %.0f ms, in which the page was busy for %.0f ms at a time", what, a[0], a[1])
		}
	}
	if v.Recorded != "MCAP" || !strings.HasPrefix(v.Recording, "Stop") {
		t.Errorf("a recording: the button said %q, the file begins with %q", v.Recording, v.Recorded)
	}
	stamp := `\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d`
	for i, want := range []string{`tendonsim_` + stamp + `\.png`, "", "", `tendonsim_plots_` + stamp + `\.svg`, `tendonsim_last_[12]s_` + stamp + `\.gif`, `tendonsim_measured_cp_` + stamp + `\.svg`, `tendonsim_.*\.mcap`} {
		if len(v.Names) != 7 || want != "" && !regexp.MustCompile("^"+want+"$").MatchString(v.Names[i]) {
			t.Errorf("file %d of %q is not called %s", i, v.Names, want)
		}
	}
}

// TestExportOfRecording: the page of a recording has what a recording has and no more, and a GIF of it begins and ends
// where the time line was told to; the recording then stands where it stood.
func TestExportOfRecording(t *testing.T) {
	t.Parallel() // nothing here is measured in time
	program, dir := testbench.BuildTendonsim(t), t.TempDir()
	commands, file := filepath.Join(dir, "commands.csv"), filepath.Join(dir, "sim.mcap")
	if err := os.WriteFile(commands, []byte("t,long_up\n0,0\n0.5,3\n2,6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program, "sim", "--duration", "4s", "--commands", commands, "--out", file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	v := export(t, program, file)
	if !slices.Equal(v.Tabs, []string{"Plots", "Scene", "Export", "Help"}) || v.Cards != 0 || !strings.Contains(v.Help, "This is a recording") || strings.Contains(v.Help, "emergency stop") {
		t.Errorf("tabs %q, %d cards of controls, help %q", v.Tabs, v.Cards, v.Help)
	}
	if v.Range != [2]string{"1.000", "2.000"} || v.Tidied != "4.000" {
		t.Errorf("the time line was marked at 1 and 2 s: %q; 9 s became %q", v.Range, v.Tidied)
	}
	g := v.GIF
	if g.Count != 11 || math.Abs(g.Seconds-1.1) > 0.01 || math.Abs(v.Back-3) > 0.01 {
		t.Errorf("of 1 to 2 s, at 3 s: %+v, back at %g s", g, v.Back)
	}
	if d := g.Differences; len(d) != 2 || d[0][0] > 0.6*d[0][1] || d[1][1] > 0.6*d[1][0] {
		t.Errorf("first and last frame from pictures of the beginning and the end: %v", d)
	}
	if want := "tendonsim_1.00-2.00s.gif"; v.Names[2] != want {
		t.Errorf("files %q, want %s", v.Names, want)
	}
}
