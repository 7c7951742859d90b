package cli_test

import (
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
)

// TestFilesAreLaidOverOneAnother checks two files that are right together only:
// a mistake in the first is replaced by the second.
func TestFilesAreLaidOverOneAnother(t *testing.T) {
	first := apptest.Write(t, "first.yaml", "tendons: [{name: a, offset_m: [0.01, 0]}]\nrates: {control_hz: 0}\n")
	second := apptest.Write(t, "second,with,commas.yaml", "rates: {control_hz: 500}\n")
	if _, _, err := apptest.Command(t, &apptest.Integrator{}, "check", first); err == nil || !strings.Contains(err.Error(), "control_hz") {
		t.Errorf("the first alone: %v", err)
	}
	if out, _, err := apptest.Command(t, &apptest.Integrator{}, "check", first, second); err != nil {
		t.Errorf("both: %v %s", err, out)
	}
	if _, _, err := apptest.Command(t, &apptest.Integrator{}, "sim", "--config", first, "--config", second, "--duration", "0.1s"); err != nil {
		t.Errorf("sim with both: %v", err)
	}
}
