package page_test

import (
	"encoding/json"
	"math"
	"os/exec"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// TestPagePast: a key goes to the past of a robot that runs: the page says that it is the past, shows where the robot was, and stays
// there. Commands act now all the same, and Live shows what they have done.
func TestPagePast(t *testing.T) {
	testbench.NeedChromium(t)
	out, err := exec.Command("node", testbench.Absolute(t, testbench.PageClient+"/past.js"), testbench.BuildTendonsim(t), "use").Output()
	var v struct {
		Fault                        string
		Foreign, Errors              []string
		Rest, Bent, Past, Still, Now []float64 // tip, m
		Told                         string
		Cursor                       float64 // from the end of the plot, s
		Live                         int
		Shown                        bool
		Phone                        struct{ Right, Wide, Stop float64 }
	}
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	if err != nil || v.Fault != "" || len(v.Foreign)+len(v.Errors) > 0 {
		t.Fatalf("%v\n%s\n%s", err, v.Fault, out)
	}
	t.Logf("%s", out)
	bent := distanceOf(v.Rest, v.Bent)
	if d := distanceOf(v.Past, v.Rest); d > 0.4*bent {
		t.Errorf("before the command the tip was at %v; the past shows %v, now was %v", v.Rest, v.Past, v.Bent)
	}
	if !strings.Contains(v.Told, "Past") || !strings.Contains(v.Told, "act now") || !strings.Contains(v.Told, "−") || math.Abs(v.Cursor) > 1e-3 {
		t.Errorf("the page says %q; the cursor is %g s from the end of the plot", v.Told, v.Cursor)
	}
	if distanceOf(v.Still, v.Past) > 0 || v.Live != 1 {
		t.Errorf("after 2 s the past is at %v, before %v; %d cards command", v.Still, v.Past, v.Live)
	}
	if d := distanceOf(v.Now, v.Bent); d < 0.5*bent || v.Shown {
		t.Errorf("a command in the past: the tip went from %v to %v; the past is shown: %v", v.Bent, v.Now, v.Shown)
	}
	if v.Phone.Right > 360 || v.Phone.Wide > 360 || v.Phone.Stop > 360 {
		t.Errorf("on a phone %+v", v.Phone)
	}
}
