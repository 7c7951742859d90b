package ros_test

import (
	"testing"

	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros"
)

func TestQuaternionsAreInTheOrderOfROS(t *testing.T) {
	want := geometry_msgs.Pose{
		Position:    geometry_msgs.Point{X: 1, Y: 2, Z: 3},
		Orientation: geometry_msgs.Quaternion{X: 4, Y: 5, Z: 6, W: 7},
	}
	if got := ros.Pose([]float64{1, 2, 3, 4, 5, 6, 7}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
