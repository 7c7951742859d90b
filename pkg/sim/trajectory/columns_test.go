package trajectory_test

import (
	"reflect"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
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

// TestColumnsBesideATrial: columns that are no commands for certain are left out of a trial and told; others are refused, unless the
// commands are in a file of their own.
func TestColumnsBesideATrial(t *testing.T) {
	field := trajectory.Layout{Ports: trajectory.FieldPorts(), Pose: tendons.Pose}
	for name, c := range map[string]struct {
		header, remark, refused string
		o                       trajectory.Options
	}{
		"forces":                     {"t,x,y,z,Fx,Fy,Fz", "columns that are left out: Fx, Fy, Fz", "", trajectory.Options{Robot: &tendons}},
		"rates":                      {"t,x,y,z,vel_x,vel_y,vel_z,x_des,y_des,z_des", "left out: vel_x, vel_y, vel_z.", "", trajectory.Options{Robot: &tendons}},
		"another body":               {"t,tip_x,tip_y,tip_z,base_x,base_y,base_z,base_qx,base_qy,base_qz,base_qw", "points that are no markers of the robot are left out: base.", "", trajectory.Options{Robot: &tendons}},
		"another time":               {"timestamp_ns,t,x,y,z", "left out: timestamp_ns", "", trajectory.Options{Robot: &tendons}},
		"weather":                    {"t,x,y,z,weather", "", `unknown column "weather"`, trajectory.Options{Robot: &tendons}},
		"weather and other commands": {"t,x,y,z,weather", "left out: weather", "", trajectory.Options{Robot: &tendons, Commanded: true}},
		"vectors of a field":         {"t,x,y,z,Bx,By,Bz", "", `unknown column "Bx"`, trajectory.Options{Robot: &field}},
	} {
		t.Run(name, func(t *testing.T) {
			row := strings.TrimSuffix(strings.Repeat("1,", 1+strings.Count(c.header, ",")), ",")
			m, err := trajectory.ReadCSV("x.csv", strings.NewReader(c.header+"\n"+row+"\n"), c.o)
			if c.refused != "" {
				if err == nil || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("error %v, want %q", err, c.refused)
				}
				return
			}
			if err != nil || !strings.Contains(strings.Join(m.Remarks, "\n"), c.remark) || m.Tip.Pose[0].P != (spatial.Vec{X: 1, Y: 1, Z: 1}) {
				t.Errorf("%+v, %v; want %q", m, err, c.remark)
			}
		})
	}
}
