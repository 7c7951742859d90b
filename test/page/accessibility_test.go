package page_test

import (
	"encoding/json"
	"os/exec"
	"testing"

	"sinew/test/testbench"
)

// TestPageAccessible scans each tab of the page at 200 % zoom with axe, in light and dark and on a phone: it finds nothing, nothing
// is wider than the window, and nothing lies over the emergency stop.
func TestPageAccessible(t *testing.T) {
	testbench.NeedChromium(t)
	out, err := exec.Command("node", testbench.Absolute(t, testbench.PageClient+"/accessibility.js"), testbench.BuildTendonsim(t), "scan").Output()
	var v struct {
		Fault           string
		Foreign, Errors []string
		Findings        []string
		Scans           int // in which at least ten rules applied
	}
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	if err != nil || v.Fault != "" || len(v.Foreign)+len(v.Errors) > 0 {
		t.Fatalf("%v\n%s\n%s", err, v.Fault, out)
	}
	if want := 5 * 3; v.Scans != want { // tabs, windows
		t.Errorf("%d scans, want %d", v.Scans, want)
	}
	for _, f := range v.Findings {
		t.Error(f)
	}
}
