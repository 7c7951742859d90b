package ros2_test

import (
	"testing"

	"sinew/test/testbench"
)

// TestRclpy: what a user of the real rclpy does with the running program, as
// testdata/rclpy/interoperation.py says: topics both ways, services, the lifecycle, parameters, a
// dump that is loaded again, the log, and events of the quality of service.
func TestRclpy(t *testing.T) {
	t.Parallel()
	python := testbench.Rclpy(t)
	n, _ := testbench.NewROS2Network(t)
	n.With("PRODUCT="+testbench.BuildTendonsim(t), "RECORDINGS="+t.TempDir())
	t.Log(n.Run(python, "-W", "ignore", testbench.Absolute(t, "../testdata/rclpy/interoperation.py"), "-v"))
}
