package page_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// span is what a plot shows, s.
type span struct{ From, To float64 }

func (s span) length() float64 { return s.To - s.From }

// TestPagePlots: a line that is switched off is gone from the figure. Plots zoom by keys, go where they are dragged, stay there while the
// robot moves, and follow it again when they are reset. The cursor shows the numbers that were saved of its time, and its keys drive no robot.
func TestPagePlots(t *testing.T) {
	testbench.NeedChromium(t)
	out, err := exec.Command("node", testbench.Absolute(t, testbench.PageClient+"/plots.js"), testbench.BuildTendonsim(t), "use").Output()
	var v struct {
		Fault           string
		Foreign, Errors []string
		Lines           [][]string
		Pressed         string
		Cursor, Hover   struct {
			At, Last, CSV  float64
			Text, X, Label string
		}
		Driven                                     int
		Zoomed, Still, Dragged, Reset, Five, Sixty span
		Phone                                      struct{ Wide, Tab float64 }
	}
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	if err != nil || v.Fault != "" || len(v.Foreign)+len(v.Errors) > 0 {
		t.Fatalf("%v\n%s\n%s", err, v.Fault, out)
	}
	t.Logf("%s", out)
	if want := [][]string{{"x", "y", "z"}, {"y", "z"}}; !slices.EqualFunc(v.Lines, want, slices.Equal) || v.Pressed != "false" {
		t.Errorf("lines %q, want %q; pressed %s", v.Lines, want, v.Pressed)
	}
	const message = 0.1 // s, between messages on a busy machine
	if long := v.Zoomed.length(); long > 6.4+message || v.Zoomed != v.Still {
		t.Errorf("zoomed twice by 1.25 from 10 s: %+v, 1.5 s later %+v", v.Zoomed, v.Still)
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(v.Cursor.X, "−", "-"), 64)
	if back := v.Cursor.Last - v.Cursor.At; err != nil || math.Abs(x-v.Cursor.CSV) > 0.5 || math.Abs(back-0.4*6.4) > 0.01 || !strings.Contains(v.Cursor.Text, v.Cursor.X) {
		t.Errorf("the cursor is 40 %% back: %+v", v.Cursor)
	}
	if back := v.Hover.Last - v.Hover.At; math.Abs(back-0.75*6.4) > 0.1 || !strings.HasPrefix(v.Hover.Label, "at −") {
		t.Errorf("a pointer at a quarter of the plot: %+v", v.Hover)
	}
	if v.Driven != 0 {
		t.Errorf("%d cards command after arrows in a plot", v.Driven)
	}
	if d := v.Still.To - v.Dragged.To; math.Abs(d-6.4/4) > 0.15+message {
		t.Errorf("dragged by a quarter of 6.4 s it ends %g s earlier", d)
	}
	if v.Reset.To < v.Still.To+2 || v.Five.length() > 5 || v.Five.length() < 5-message-0.4 || v.Sixty.length() < v.Five.length()+3 {
		t.Errorf("after a reset %+v, of 5 s %+v, of 60 s %+v", v.Reset, v.Five, v.Sixty)
	}
	if v.Phone.Wide > 360 || v.Phone.Tab > 0 {
		t.Errorf("on a phone %+v", v.Phone)
	}
}

const sensedRobot = `rod: {length_m: 0.2, radius_m: 0.001, youngs_modulus_pa: 1e9, shear_modulus_pa: 4e8, density_kg_per_m3: 2000, elements: 4, damping: {kelvin_voigt_s: 0.01}}
tendons: [{name: up, offset_m: [0.008, 0], disks: {count: 4, first_m: 0.05, last_m: 0.2}}]
initial_state: equilibrium
sensors:
  - {name: tracker, rate_hz: 20, pose: {at_m: 0.1, position_error: {bias: [0.05, 0, 0], noise: 1e-3}}}
  - {name: shaft, rate_hz: 20, encoder: {error: {bias: [0.01]}}}
  - {name: camera, rate_hz: 20, camera: {world: true, position_m: [0.1, -0.5, 0], orientation_xyzw: [-0.5, 0, 0, 0.5], width_px: 640, height_px: 480, fx_px: 500, markers: [{name: tip}, {name: away, world: true, position_m: [0, -9, 0]}]}}
`

// TestPagePlotsSensors: beside what a sensor measures its plot has a lighter line of what it would measure without errors, where a topic has that; points
// that a camera does not see are gaps.
func TestPagePlotsSensors(t *testing.T) {
	testbench.NeedChromium(t)
	file := filepath.Join(t.TempDir(), "robot.yaml")
	if err := os.WriteFile(file, []byte(sensedRobot), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("node", testbench.Absolute(t, testbench.PageClient+"/plots.js"), testbench.BuildTendonsim(t), "sensors", file).Output()
	var v struct {
		Fault           string
		Foreign, Errors []string
		Plots           map[string]struct {
			Names, Light []string
			Rows         [][]*float64
		}
	}
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	if err != nil || v.Fault != "" || len(v.Foreign)+len(v.Errors) > 0 {
		t.Fatalf("%v\n%s\n%s", err, v.Fault, out)
	}
	for title, c := range map[string]struct {
		names, light []string
		less, within []float64 // of each name, what it is more than its true value, and by how much that may vary; of a camera the numbers
	}{
		"sensor tracker": {[]string{"x (m)", "y (m)", "z (m)", "true x (m)", "true y (m)", "true z (m)"}, []string{"true x", "true y", "true z"}, []float64{0.05, 0, 0}, []float64{6e-3, 6e-3, 6e-3}},
		"sensor shaft":   {[]string{"up (m)", "true up (m)"}, []string{"true up"}, []float64{0.01}, []float64{1e-9}},
		"sensor camera":  {[]string{"tip u (px)", "tip v (px)", "away u (px)", "away v (px)"}, nil, nil, nil},
	} {
		p := v.Plots[title]
		if !slices.Equal(p.Names, c.names) || !slices.Equal(p.Light, c.light) || len(p.Rows) < 20 {
			t.Errorf("%s: %q in %d rows, lighter %q; want %q, %q", title, p.Names, len(p.Rows), p.Light, c.names, c.light)
			continue
		}
		row := p.Rows[len(p.Rows)-1]
		for i, less := range c.less {
			if n := len(c.less); row[i] == nil || row[n+i] == nil || math.Abs(*row[i]-*row[n+i]-less) > c.within[i] {
				t.Errorf("%s: %s is %v, without errors %v", title, c.names[i], row[i], row[n+i])
			}
		}
		if c.less == nil && (row[0] == nil || math.Abs(*row[0]-319.5) > 200 || row[2] != nil || row[3] != nil) {
			t.Errorf("%s: %v", title, row)
		}
	}
}
