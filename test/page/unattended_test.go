package page_test

import (
	"strings"
	"testing"

	"sinew/test/testbench"
)

// TestPageUnattended: where nobody holds what commands any more, nothing moves on. The stick of a gamepad commands once it has been in
// the middle, and no more while the page is hidden; a finger that the system takes away lets go; Enter that ends a composition enters
// nothing; a browser that was stopped, and a network that swallowed everything, end a command, and the page says so.
func TestPageUnattended(t *testing.T) {
	r := recordCommands(t, testbench.BuildTendonsim(t))
	var v struct {
		Pushed, Hidden, Back, Touched, Cancelled float64 // greatest tension, N
		Stopped, Swallowed                       string
		Frozen                                   struct{ Phase, Note string }
	}
	r.useScript("unattended.js", &v, "unattended")
	t.Logf("%+v", v)
	sends := func(name string) int {
		return len(commands(r.between(name+"-begin", name+"-end"), "/tendonsim/servo_jf"))
	}
	for _, name := range []string{"loaded", "composed", "stopped", "swallowed"} {
		if n := sends(name); n > 0 {
			t.Errorf("%s: %d commands", name, n)
		}
	}
	if sends("pushed") == 0 || v.Pushed <= 0 || v.Hidden != 0 || v.Back != 0 {
		t.Errorf("a gamepad: pushed %g N, then hidden %g N, then shown again %g N", v.Pushed, v.Hidden, v.Back)
	}
	if v.Touched <= 0 || v.Cancelled != 0 {
		t.Errorf("a finger on the stick: %g N, taken away %g N", v.Touched, v.Cancelled)
	}
	if f := v.Frozen; f.Phase != "commanding" && !strings.HasPrefix(f.Note, "Commands have ended") {
		t.Errorf("after a freeze: %+v", f)
	}
	if !strings.HasPrefix(v.Stopped, "Commands have ended: the browser sent none for") {
		t.Errorf("a browser that stood still says %q", v.Stopped)
	}
	if !strings.HasPrefix(v.Swallowed, "Commands have ended: nothing came from the robot for") {
		t.Errorf("without a network the page says %q", v.Swallowed)
	}
}
