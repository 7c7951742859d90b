package page_test

import (
	"encoding/json"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// measured are the numbers beside a point, by name: SI, world axes.
type measured map[string][]float64

// useProbe has the page measure, and decodes what it shows.
func useProbe(t *testing.T, seen any, program, task string, args ...string) {
	t.Helper()
	testbench.NeedChromium(t)
	out, err := exec.Command("node", append([]string{testbench.Absolute(t, testbench.PageClient+"/probe.js"), program, task}, args...)...).Output()
	var fault struct {
		Fault           string
		Foreign, Errors []string
	}
	for _, v := range []any{&fault, seen} {
		if err == nil {
			err = json.Unmarshal(out, v)
		}
	}
	if err != nil || fault.Fault != "" || len(fault.Foreign)+len(fault.Errors) > 0 {
		t.Fatalf("%v\n%s\n%s", err, fault.Fault, out)
	}
	t.Logf("%s", out)
}

// TestPageMeasuresShape: one key shows the curvature at half length, and any arc length that is typed the position, tangent and
// curvature there. They are those of the equilibrium: from the turn of its cross-sections, and not from the line that is drawn.
func TestPageMeasuresShape(t *testing.T) {
	program, file := testbench.BuildTendonsim(t), filepath.Join(t.TempDir(), "shape.csv")
	if out, err := exec.Command(program, "static", "--out", file, "_tendons/long_up/tension_n:=3").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	header, rows := testbench.ParseCSV(t, testbench.ReadFile(t, file))
	if !slices.Equal(header, []string{"s", "x", "y", "z", "qx", "qy", "qz", "qw"}) {
		t.Fatalf("columns %q", header)
	}
	var v struct {
		Half  measured
		Typed map[string]measured
		Slid  float64 // mm
		Other struct {
			Is      string
			Numbers measured
		}
		Left, MS float64
	}
	useProbe(t, &v, program, "shape", file, "50", "200")
	checked := map[string]measured{"half": v.Half, "50": v.Typed["50"], "200": v.Typed["200"]}
	for name, m := range checked {
		s := map[string]float64{"half": m["of length"][0] / 2, "50": 0.05, "200": 0.2}[name]
		want, at := bendAt(rows, s) // both are means over two elements, the one of the line more of the middle
		if k := m["curvature"][0]; math.Abs(k-want) > 0.03*want {
			t.Errorf("%s: curvature %g 1/m, want %g", name, k, want)
		}
		if d := distanceOf(m["position"], at[:]); d > 2e-4 { // of the arc over its chord
			t.Errorf("%s: at %v, want %v", name, m["position"], at)
		}
		if n := math.Hypot(math.Hypot(m["tangent"][0], m["tangent"][1]), m["tangent"][2]); math.Abs(n-1) > 1e-6 {
			t.Errorf("%s: tangent %v", name, m["tangent"])
		}
	}
	if math.Abs(v.Slid-0.25) > 0.02 || v.Other.Is == "backbone" || len(v.Other.Numbers["position"]) != 3 || v.Left != 0 {
		t.Errorf("by keys %g mm of 250, then on %q: %v; %g points left", v.Slid, v.Other.Is, v.Other.Numbers, v.Left)
	}
}

// bendAt returns the curvature (1/m) and position (m) at an arc length of the line through nodes with their cross-sections.
func bendAt(rows [][]float64, s float64) (curvature float64, at [3]float64) {
	arc := 0.0
	for i := 1; i < len(rows); i++ {
		a, b := rows[i-1], rows[i]
		chord := distanceOf(a[1:4], b[1:4])
		if arc+chord < s && i < len(rows)-1 {
			arc += chord
			continue
		}
		u := (s - arc) / chord
		for c := range 3 {
			at[c] = a[1+c] + u*(b[1+c]-a[1+c])
		}
		before, after := bend(rows, max(i-1, 1)), bend(rows, min(i, len(rows)-2))
		return before + u*(after-before), at
	}
	return math.NaN(), at
}

// bend is the curvature at an inner node: how far its neighbours are turned against each other over the way between them.
func bend(rows [][]float64, i int) float64 {
	a, b := rows[i-1], rows[i+1]
	dot := 0.0
	for c := 4; c < 8; c++ {
		dot += a[c] * b[c]
	}
	return 2 * math.Acos(min(1, math.Abs(dot))) / (distanceOf(a[1:4], rows[i][1:4]) + distanceOf(rows[i][1:4], b[1:4]))
}

func distanceOf(a, b []float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}

// TestPageMeasuresLive: a click on the rod shows where that is, a second one the distance, and both go with the rod that a tendon
// bends. Whoever turns the picture marks nothing, and on a phone the numbers are within the window.
func TestPageMeasuresLive(t *testing.T) {
	var v struct {
		Key, Pointed struct {
			Distance float64
			Text     string
		}
		None, Dragged int
		On            string
		First, Second measured
		Followed      struct {
			First, Second measured
			Marks, Was    [][]float64
		}
		Phone struct{ Right, Bottom, Wide float64 }
	}
	useProbe(t, &v, testbench.BuildTendonsim(t), "live")
	if v.Key.Distance < 0.12 || v.Key.Distance > 0.13 || !strings.Contains(v.Key.Text, "along it") || v.None != 0 {
		t.Errorf("half of a rod of 250 mm is %+v; then %d points", v.Key, v.None)
	}
	const radius = 0.0055 // m, of the built-in rod
	if f := v.First; v.On != "backbone" || math.Abs(f["bending strain"][0]-radius*f["curvature"][0]) > 1e-6 || f["curvature"][0] == 0 {
		t.Errorf("a click on the rod is on %q: %v", v.On, f)
	}
	if d := distanceOf(v.Second["position"], v.Second["tip"]); d > 0.01 {
		t.Errorf("a click on the tip is %g m beside it", d)
	}
	if d := distanceOf(v.First["position"], v.Second["position"]); math.Abs(d-v.Pointed.Distance) > 1e-5 {
		t.Errorf("the distance is %g m, want %g", v.Pointed.Distance, d)
	}
	f := v.Followed
	if way := distanceOf(f.Second["position"], v.Second["position"]); way < 0.01 || math.Abs(f.First["of length"][0]-v.First["of length"][0]) > 0.002 {
		t.Errorf("after the rod has bent: %+v, before %v", f, v.Second)
	}
	if d := math.Hypot(f.Marks[1][0]-f.Was[1][0], f.Marks[1][1]-f.Was[1][1]); d < 5 {
		t.Errorf("the mark at the tip went %g px", d)
	}
	if v.Dragged != 2 || v.Phone.Right > 360 || v.Phone.Bottom > 400 || v.Phone.Wide > 360 {
		t.Errorf("%d points after a drag; on a phone %+v", v.Dragged, v.Phone)
	}
}
