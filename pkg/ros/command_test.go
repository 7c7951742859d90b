package ros_test

import (
	"slices"
	"testing"

	"sinew/msgs/sensor_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/sim"
)

// TestNewCommandKeepsJoints: joints that are to be kept are left out with all their
// values, and those that stay keep theirs.
func TestNewCommandKeepsJoints(t *testing.T) {
	p := &sim.Port{Name: "joints", Kind: sim.JointState, Labels: []string{"a", "b", "c"}, Parts: sim.Position | sim.Effort}
	_, s, err := ros.NewCommand(ros.Names(), p, []float64{1, sim.Keep, 3, 10, 20, 30}, 0)
	if err != nil {
		t.Fatal(err)
	}
	js := s.Message().(*sensor_msgs.JointState)
	if !slices.Equal(js.Name, []string{"a", "c"}) || !slices.Equal(js.Position, []float64{1, 3}) || !slices.Equal(js.Effort, []float64{10, 30}) || len(js.Velocity) != 0 {
		t.Errorf("%+v", js)
	}
	if _, _, err := ros.NewCommand(ros.Names(), &sim.Port{Name: "no name", Kind: sim.Field}, []float64{1, 2, 3}, 0); err == nil {
		t.Error("a port whose name is no topic's: no error")
	}
}
