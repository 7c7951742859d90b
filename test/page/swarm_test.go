package page_test

import (
	"encoding/json"
	"os/exec"
	"testing"

	"sinew/test/testbench"
)

// swarmSeen is what swarm.js tells, per picture.
type swarmSeen struct {
	Fault        string
	Errors       []string
	Frames, Rate float64
	Task, Script float64 // time of the processor that the page's thread takes, and its scripts, ms
	Draws        float64 // calls of the graphics card
	Bodies       float64 // that are drawn many at a time
	Bytes        float64 // to the graphics card
}

// TestPageOfSwarm: the page shows 10,000 bodies, and what a picture takes of its thread leaves room for 60 a second on a
// computer with a graphics card, 16.7 ms each. Nothing is drawn in the test: the processor would draw it.
func TestPageOfSwarm(t *testing.T) {
	testbench.NeedChromium(t)
	program := testbench.BuildMicrorobot(t)
	out, err := exec.Command("node", testbench.Absolute(t, testbench.PageClient+"/swarm.js"), program, testbench.Absolute(t, testbench.PageClient+"/swarm.yaml")).Output()
	var v swarmSeen
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	if err != nil || v.Fault != "" || len(v.Errors) > 0 || v.Frames < 30 {
		t.Fatalf("%v\n%s\n%s", err, v.Fault, out)
	}
	t.Logf("%s", out)
	const bodies = 10_000
	if v.Bodies < bodies || v.Draws > 30 {
		t.Errorf("%g bodies by %g calls, want %d by at most 30", v.Bodies, v.Draws, bodies)
	}
	if most := bodies*16*4 + 300e3; v.Bytes > most { // a matrix of each
		t.Errorf("%g bytes to the graphics card, at most %g", v.Bytes, most)
	}
	if v.Script > 8 || v.Task > 12 { // 3.0 and 5.2 on a busy machine of two processors
		t.Errorf("%.1f ms of scripts and %.1f ms of the thread in all for a picture, at most 8 and 12", v.Script, v.Task)
	}
}
