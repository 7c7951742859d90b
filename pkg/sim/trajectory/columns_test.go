package trajectory_test

import (
	"reflect"
	"testing"
)

// Of a swarm the rows of one robot are a trajectory, without those in which it was not seen.
func TestOfRobot(t *testing.T) {
	all, err := readRows("t,x,y,z,robot,left,ring_x,ring_y,ring_z\n0,1,0,0,0,5,0,0,1\n0,2,0,0,1,6,0,0,2\n1,NaN,0,0,0,7,0,0,3\n1,4,0,0,1,8,0,0,4\n2,5,0,0,0,9,0,0,5\n")
	if err != nil {
		t.Fatal(err)
	}
	one := all.OfRobot(0)
	if !reflect.DeepEqual(one.Tip.T, []float64{0, 2}) || one.Tip.Pose[1].P.X != 5 || !reflect.DeepEqual(one.Lines, []int{2, 6}) ||
		!reflect.DeepEqual(one.Actuation.Tension, [][]float64{{5}, {9}}) || one.Actuation.Pull != nil || one.Markers[0].Pose[1].P.Z != 5 || len(all.Tip.T) != 5 {
		t.Errorf("%+v", one)
	}
	if none := all.OfRobot(7); len(none.Tip.Pose) != 0 {
		t.Errorf("%+v", none)
	}
}
