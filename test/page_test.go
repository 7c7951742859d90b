package test

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// pageClient is where Playwright is installed, and chromium what it drives.
const (
	pageClient = "testdata/page"
	chromium   = "/usr/bin/chromium"
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
}

// needChromium skips a test where Chromium and what drives it are not installed.
func needChromium(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes the whole machine")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("needs node (Debian: nodejs)")
	}
	if _, err := os.Stat(chromium); err != nil {
		t.Skip("needs " + chromium + " (Debian: chromium)")
	}
	if _, err := os.Stat(pageClient + "/node_modules/playwright-core"); err != nil {
		t.Skip("needs playwright-core: npm ci --prefix test/" + pageClient)
	}
}

// usePage uses the page of a program in Chromium.
func usePage(t *testing.T, program, task string) (v pageSeen) {
	t.Helper()
	needChromium(t)
	out, err := exec.Command("node", absolute(t, pageClient+"/page.js"), program, task).Output()
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
// shows FAULT, who may not command is told why, and a program that is started anew is found again.
func TestPage(t *testing.T) {
	v := usePage(t, buildTendonsim(t), "tendons")
	if v.Name != "tendonsim" || !v.Changed {
		t.Errorf("%q; the canvas changed: %v", v.Name, v.Changed)
	}
	if v.Bent < 0.01 {
		t.Errorf("a slider moved the tip by %g m", v.Bent)
	}
	if !strings.Contains(v.Refused, "viewer 127.0.0.1:") || !strings.Contains(v.Refused, "commands until") {
		t.Errorf("the second page was told %q", v.Refused)
	}
	if v.MovedWhilePaused != 0 || !strings.Contains(v.Reason, "stop") || !v.Again {
		t.Errorf("%g m while paused, FAULT because of %q, found again: %v", v.MovedWhilePaused, v.Reason, v.Again)
	}
	if v.Overflow > 0 || !v.StopInReach {
		t.Errorf("on a phone: %g px too wide, emergency stop in reach: %v", v.Overflow, v.StopInReach)
	}
}

// TestPageOfMicrorobot: the page makes the controls of another robot of its ports.
func TestPageOfMicrorobot(t *testing.T) {
	v := usePage(t, buildMicrorobot(t), "field")
	if v.Name != "microrobot" || v.Bent < 5e-5 {
		t.Errorf("%q moved by %g m", v.Name, v.Bent)
	}
}
