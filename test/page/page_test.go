package page_test

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// pageSeen is what page.js tells.
type pageSeen struct {
	Fault, Name      string
	Foreign, Errors  []string // requests to others than the program; what went wrong in the page
	Colors           int      // of the canvas
	Changed          bool     // the canvas
	Bent             float64  // way of the robot in the page's own read-out, m
	Refused, Reason  string
	MovedWhilePaused float64 `json:"moved_while_paused"`
	Again            bool    // the page drives the program that was started anew
	Overflow         float64 // of the page beyond a phone's screen, px
	StopInReach      bool    `json:"stop_in_reach"`

	Controls []string // of another robot on the same address
	Hardware struct {
		Before, After struct {
			Plots  []string
			Orange int // pixels
		}
	}
	Swiped, Slid struct { // a finger on a slider, up and along it
		Value    string
		Live     int
		Scrolled float64
	}
	Fingers struct {
		Turned, Pinched bool
		Page            float64
	}
}

// usePage uses the page of a program in Chromium.
func usePage(t *testing.T, program, task string, args ...string) (v pageSeen) {
	t.Helper()
	testbench.NeedChromium(t)
	out, err := exec.Command("node", append([]string{testbench.Absolute(t, testbench.PageClient+"/page.js"), program, task}, args...)...).Output()
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	if err != nil || v.Fault != "" {
		t.Fatalf("%v\n%s\n%s", err, v.Fault, out)
	}
	if len(v.Foreign) > 0 || len(v.Errors) > 0 {
		t.Errorf("requests to others %q, errors %q", v.Foreign, v.Errors)
	}
	if v.Colors < 200 {
		t.Errorf("the canvas has %d colours", v.Colors)
	}
	return v
}

// TestPage drives a rod in a browser: it is seen, a slider bends it, pause freezes it, the emergency stop
// shows FAULT, a page that may not command shows why, and a program that is started anew is found again, also with another robot.
// Of hardware it shows the ghost and, among the plots, the error.
func TestPage(t *testing.T) {
	v := usePage(t, testbench.BuildTendonsim(t), "tendons", testbench.Absolute(t, "../../launch/robots/nitinol.yaml"))
	if v.Name != "tendonsim" || !v.Changed {
		t.Errorf("%q; the canvas changed: %v", v.Name, v.Changed)
	}
	if v.Bent < 0.01 {
		t.Errorf("a slider moved the tip by %g m", v.Bent)
	}
	if !strings.Contains(v.Refused, "viewer 127.0.0.1:") || !strings.Contains(v.Refused, "is in command until") {
		t.Errorf("the second page was told %q", v.Refused)
	}
	if v.MovedWhilePaused != 0 || !strings.Contains(v.Reason, "stop") || !v.Again {
		t.Errorf("%g m while paused, FAULT because of %q, found again: %v", v.MovedWhilePaused, v.Reason, v.Again)
	}
	if v.Overflow > 0 || !v.StopInReach {
		t.Errorf("on a phone: %g px too wide, emergency stop in reach: %v", v.Overflow, v.StopInReach)
	}
	if !slices.Equal(v.Controls, []string{"front", "left", "back", "right"}) {
		t.Errorf("the other robot has the controls %q", v.Controls)
	}
	if a, b := v.Hardware.Before, v.Hardware.After; slices.Contains(a.Plots, b.Plots[1]) || b.Plots[1] != "error against hardware" || len(b.Plots) != 4 || b.Orange < a.Orange+200 {
		t.Errorf("before the hardware told where it is %+v, then %+v", a, b)
	}
	if s := v.Swiped; s.Scrolled < 30 || s.Live != 0 || s.Value != "0" {
		t.Errorf("a finger that goes up from a slider: %+v", s)
	}
	if s := v.Slid; s.Live != 1 || s.Value < "500" || len(s.Value) != 3 || s.Scrolled != 0 {
		t.Errorf("a finger that goes along a slider: %+v", s)
	}
	if f := v.Fingers; !f.Turned || !f.Pinched || f.Page != 0 {
		t.Errorf("fingers on the picture: %+v", f)
	}
}

// TestPageOfMicrorobot: the page makes the controls of another robot of its ports, and says that a program that was started anew has another token.
func TestPageOfMicrorobot(t *testing.T) {
	v := usePage(t, testbench.BuildMicrorobot(t), "field")
	if v.Name != "microrobot" || v.Bent < 5e-5 {
		t.Errorf("%q moved by %g m", v.Name, v.Bent)
	}
	if !strings.Contains(v.Reason, "The token of this link is not valid any more") {
		t.Errorf("of the other token it says %q", v.Reason)
	}
}
