package trajectoryfile_test

import (
	"strings"
	"testing"

	"sinew/cmd/internal/trajectoryfile"
)

// The topic of a role has its usual name; in a file of one role alone, less will do,
// but never one of two.
func TestUsualTopic(t *testing.T) {
	const sim, hw = trajectoryfile.Simulated, trajectoryfile.Measured
	for _, c := range []struct {
		role   trajectoryfile.Role
		alone  bool
		topics string
		want   string // or part of the error
		fails  bool
	}{
		{sim, false, "/robot/measured_cp /robot/hardware/measured_cp", "/robot/measured_cp", false},
		{hw, false, "/robot/measured_cp /robot/hardware/measured_cp", "/robot/hardware/measured_cp", false},
		{hw, false, "/hw/measured_cp /sim/measured_cp", "/hw/measured_cp", false},
		{hw, false, "/robot/measured_cp", "no topic with the pose of the hardware; choose one with --hw-topic", true},
		{sim, false, "/hw/measured_cp", "no topic with the pose of the simulation; choose one with --sim-topic", true},
		{sim, true, "/hw/measured_cp", "no topic with the pose of the simulation", true},
		{hw, true, "/robot/measured_cp", "/robot/measured_cp", false},
		{hw, true, "/robot/measured_cp /robot/camera", "/robot/measured_cp", false},
		{hw, true, "/tracker", "/tracker", false},
		{sim, true, "/tip", "/tip", false},
		{sim, false, "/tip", "no topic", true},
		{sim, true, "/tip /camera", "/tip, /camera may be the simulation", true},
		{sim, false, "/a/measured_cp /b/measured_cp", "/a/measured_cp, /b/measured_cp may be the simulation; choose one with --sim-topic", true},
		{hw, false, "/hw/measured_cp /b/hardware/measured_cp", "may be the hardware; choose one with --hw-topic", true},
		{sim, false, "/a/measured_cp? /b/measured_cp", "/b/measured_cp", false},
		{sim, false, "/a/measured_cp! /b/measured_cp", "/b/measured_cp", false},
		{sim, true, "/text! /empty?", "there are /text (std_msgs/String), /empty (geometry_msgs/PoseStamped)", true},
		{sim, true, "", "there are no topics", true},
		{sim, false, "/measured_cp", "/measured_cp", false},
		{sim, false, "/unmeasured_cp", "no topic", true},
	} {
		got, err := trajectoryfile.UsualTopic(trajectoryfile.Source{File: "x.bag", Role: c.role, Alone: c.alone}, trajectoryfile.TopicsOf(c.topics))
		if c.fails {
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "x.bag: ") {
				t.Errorf("%v, %q: %q, error %v, want %q", c.role, c.topics, got, err, c.want)
			}
		} else if got != c.want || err != nil {
			t.Errorf("%v, %q: %q, %v, want %q", c.role, c.topics, got, err, c.want)
		}
	}
}
