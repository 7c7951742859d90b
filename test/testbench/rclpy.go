package testbench

import (
	"os"
	"testing"
)

// Rclpy returns the Python interpreter that imports the real rclpy, and skips the test where
// it is not installed.
func Rclpy(t *testing.T) (python string) {
	t.Helper()
	Need(t, "python3")
	python = Absolute(t, "../testdata/rclpy/venv/bin/python")
	if _, err := os.Stat(python); err != nil {
		t.Skipf("rclpy is not installed (Python 3.11, x86-64): cd test/testdata/rclpy && python3 -m venv venv && venv/bin/python -m pip install --no-deps --only-binary :all: -r requirements.txt")
	}
	return python
}
