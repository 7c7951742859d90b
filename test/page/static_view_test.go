package page_test

import (
	"regexp"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// The equilibrium is shown at the link of the first line, beside the CSV where that is asked for; what cannot be served is an error.
func TestStaticView(t *testing.T) {
	program, link := testbench.BuildTendonsim(t), regexp.MustCompile(`(?m)^view     http://127\.0\.0\.1:[0-9]+/$`)
	out, errs, code := testbench.Run(t, program, "static", "--view", "127.0.0.1:0", "--duration", "0.2s")
	if code != 0 || !link.MatchString(strings.SplitN(out, "\n", 2)[0]) || strings.Contains(out, "s,x,y,z") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	if out, errs, code = testbench.Run(t, program, "static", "--out", "-", "--view", "--duration", "0.2s"); code != 0 || !strings.HasPrefix(out, "s,x,y,z,") || link.MatchString(out) || !link.MatchString(errs) {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	if out, errs, code = testbench.Run(t, program, "static", "--view", "here:x", "--duration", "0.2s"); code != 2 || !strings.Contains(errs, `--view here:x: viewers: "here:x": the port is "x"; allowed: 0 (any free one) to 65535`) {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}
