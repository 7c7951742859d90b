package testbench

import (
	"os/exec"
	"testing"
)

// GeneratePython makes the Python classes of our messages and returns the
// setting of PYTHONPATH that finds them.
func GeneratePython(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("../../launch/generate_python.sh", dir).CombinedOutput(); err != nil {
		t.Skipf("genpy is not installed: %s", out)
	}
	return "PYTHONPATH=" + dir
}
