package trajectoryfile_test

import (
	"strings"
	"testing"

	"sinew/cmd/internal/trajectoryfile"
	"sinew/pkg/ros/record"
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

// TestTopicOfTheHardware: a pose that a simulator publishes is not that of the hardware, by whatever name it was recorded, unless
// nothing else can be and two simulations are compared.
func TestTopicOfTheHardware(t *testing.T) {
	const node = "/robot"
	topics := func(names string) (list []record.Topic) {
		for name := range strings.FieldsSeq(names) {
			name, original, _ := strings.Cut(name, "<")
			one := trajectoryfile.TopicsOf(name)[0]
			one.Original = original
			list = append(list, one)
		}
		return list
	}
	run := map[string]string{record.InfoVerb: record.VerbRun, record.InfoNode: node}
	for _, c := range []struct {
		name, topics string
		info         map[string]string
		compared     bool // two files
		want         string
		fails        bool
	}{
		{"remapped", "/robot/measured_cp /cam/pose</robot/hardware/measured_cp /cam/other", run, false, "/cam/pose", false},
		{"remapped, of two files", "/robot/measured_cp /cam/pose</robot/hardware/measured_cp", run, true, "/cam/pose", false},
		{"without a trace", "/robot/measured_cp /cam/pose", run, false, "/cam/pose", false},
		{"without a trace, of two files", "/robot/measured_cp /cam/pose", run, true, "/cam/pose", false},
		{"without a trace, of many", "/robot/measured_cp /cam/pose /cam/other", run, false, "/cam/pose, /cam/other may be the hardware", true},
		{"nothing else", "/robot/measured_cp", run, false, "/robot/measured_cp is published by the simulator /robot itself", true},
		{"nothing but commands", "/robot/measured_cp /robot/base_pose", run, false, "/robot/measured_cp is published by the simulator /robot itself", true},
		{"two simulations", "/robot/measured_cp /robot/base_pose", run, true, "/robot/measured_cp", false},
		{"the simulation remapped", "/tip</robot/measured_cp /robot/base_pose", run, false, "/tip is published by the simulator /robot itself", true},
		{"a simulation of sim", "/robot/measured_cp", map[string]string{record.InfoVerb: record.VerbSim, record.InfoNode: node}, false, "/robot/measured_cp", false},
		{"a robot of others", "/robot/measured_cp", nil, false, "/robot/measured_cp", false},
		{"a second simulator", "/robot/measured_cp /hw/robot/measured_cp", run, false, "/hw/robot/measured_cp", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := trajectoryfile.Source{File: "x.mcap", Role: trajectoryfile.Measured, Alone: true, Simulations: c.compared}
			got, err := trajectoryfile.ChooseUsual(s, topics(c.topics), c.info)
			switch {
			case c.fails && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%q, %v; want %q", got, err, c.want)
			case !c.fails && (err != nil || got != c.want):
				t.Errorf("%q, %v; want %q", got, err, c.want)
			}
		})
	}
}
