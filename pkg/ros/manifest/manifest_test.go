package manifest_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"sinew/pkg/ros/manifest"
	"sinew/pkg/ros/naming"
	"sinew/pkg/sim"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Every kind of port has a name and a message, and the description of ports has finite numbers only.
func TestPorts(t *testing.T) {
	args, err := naming.ParseArgs([]string{"__ns:=/lab", "~servo_jf:=pull"})
	must(t, err)
	names, err := naming.NewNames("rod", args, os.LookupEnv)
	must(t, err)
	ports, err := manifest.Ports([]sim.Port{
		{Name: "servo_jf", Kind: sim.Tension, Direction: sim.In, Labels: []string{"a", "b"}, Min: []float64{0, 0}, Max: []float64{20, math.Inf(1)}, Safe: []float64{sim.Keep, 1}, Frames: []string{"base"}, Unit: "N"},
		{Name: "base_pose", Kind: sim.Pose, Direction: sim.In, Speed: 2, AngularSpeed: 6},
		{Name: "hidden", Kind: sim.Pose, Silent: true},
		{Name: "js", Kind: sim.JointState, Direction: sim.Out, Labels: []string{"a", "b"}, Parts: sim.Position | sim.Effort, Units: []string{"m", "rad", "N", "N m"}},
		{Name: "effort", Kind: sim.Tension, Direction: sim.In, Labels: []string{"tendon", "wrist"}, Units: []string{"N", "N m"}, Unit: "N, N m"},
		{Name: "poses", Kind: sim.PoseArray, Direction: sim.Out, Labels: make([]string, 101)},
	}, names)
	must(t, err)
	data, err := json.Marshal(ports)
	must(t, err)
	want := `[{"name":"servo_jf","topic":"/lab/pull","schema":"sensor_msgs/msg/JointState","kind":"tension","in":true,"labels":["a","b"],"unit":"N","frames":["lab/rod/base"],` +
		`"min":[0,0],"max":[20,null],"safe":[null,1]},` +
		`{"name":"base_pose","topic":"/lab/rod/base_pose","schema":"geometry_msgs/msg/PoseStamped","kind":"pose","in":true,"setpoint":"/lab/rod/setpoint/base_pose","speed":2,"angular_speed":6},` +
		`{"name":"js","topic":"/lab/rod/js","schema":"sensor_msgs/msg/JointState","kind":"joint_state","in":false,"labels":["a","b"],"units":["N","N m"]},` +
		`{"name":"effort","topic":"/lab/rod/effort","schema":"sensor_msgs/msg/JointState","kind":"tension","in":true,"labels":["tendon","wrist"],"unit":"N, N m","units":["N","N m"]},{"name":"poses","topic":"/lab/rod/poses","schema":"geometry_msgs/msg/PoseArray","kind":"pose_array","in":false}]`
	if string(data) != want {
		t.Errorf("%s\nwant\n%s", data, want)
	}
	for k := sim.Tension; k <= sim.ImagePoints; k++ {
		if p, err := manifest.Ports([]sim.Port{{Name: "x", Kind: k}}, names); err != nil || p[0].Kind == "unknown_kind" || p[0].Schema == "" {
			t.Errorf("kind %d: %+v, %v", k, p, err)
		}
	}
	if _, err := manifest.Ports([]sim.Port{{Name: "x", Kind: 99}}, names); err == nil {
		t.Error("an unknown kind is no error")
	}
}
