package page_test

import (
	"encoding/json"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// arranged is what a page shows.
type arranged struct {
	Cross, Scale        string // axes and scale bar: from where the robot is seen
	Hidden              []string
	Arrows, Color, Span string
	Plots, Lines        []string
	Points              []float64 // arc lengths, mm
}

// TestPageLink: a link that was copied by a key shows in another browser what it was copied from: view, layers, colours, plots and
// measured places. One that nobody can read says so, and shows the robot as usual.
func TestPageLink(t *testing.T) {
	testbench.NeedChromium(t)
	out, err := exec.Command("node", testbench.Absolute(t, testbench.PageClient+"/link.js"), testbench.BuildTendonsim(t), "use").Output()
	var v struct {
		Fault                string
		Foreign, Errors      []string
		Usual, Before, After arranged
		Wrong                string
		Wide                 float64
	}
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	if err != nil || v.Fault != "" || len(v.Foreign)+len(v.Errors) > 0 {
		t.Fatalf("%v\n%s\n%s", err, v.Fault, out)
	}
	b := v.Before
	if !slices.Contains(b.Hidden, "disks") || b.Color != "curvature" || b.Span != "30" || b.Plots[1] != "step time" || !slices.Equal(b.Lines, []string{"y"}) || !slices.Equal(b.Points, []float64{125, 250}) || b.Cross == v.Usual.Cross || b.Scale == v.Usual.Scale {
		t.Errorf("arranged is %+v, usual %+v", b, v.Usual)
	}
	if !reflect.DeepEqual(v.After, b) {
		t.Errorf("the link shows\n%+v, want\n%+v", v.After, b)
	}
	if !strings.Contains(v.Wrong, "cannot be read") || v.Wide > 360 {
		t.Errorf("a link that cannot be read says %q; %g px wide on a phone", v.Wrong, v.Wide)
	}
}
