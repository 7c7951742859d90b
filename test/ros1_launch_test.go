package test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sinew/pkg/ros/master"
	"sinew/pkg/ros/record"
)

// testRoslaunchOfFleet: the launch file starts the robots of a fleet and records each to a file of its own.
func testRoslaunchOfFleet(t *testing.T, program string) {
	need(t, "roslaunch")
	m, err := master.Start(":0", master.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	n := newNetwork(t, m.URI())
	n.launchPackage(program)
	dir := t.TempDir()
	r := n.launch(program, "/lab/arms/left", "tendonsim.launch", "ns:=lab", "rviz:=false",
		"robots:="+absolute(t, "../launch/examples/fleet.yaml"), "record:="+filepath.Join(dir, "run.bag"))
	n.waitFor("messages", func() bool { return r.messages.Load() > 100 })
	if code := r.End(waitLimit); code != 0 {
		t.Errorf("roslaunch ended with %d:\n%s", code, r.Output())
	}
	for _, robot := range []string{"left", "right"} {
		topics, err := record.Topics(filepath.Join(dir, "run.lab.arms."+robot+".bag"))
		if err != nil || !slices.ContainsFunc(topics, func(t record.Topic) bool { return t.Name == "/lab/arms/"+robot+"/measured_cp" && t.Messages > 0 }) {
			t.Errorf("%s: %v: recorded %+v", robot, err, topics)
		}
	}
}

// testRoslaunch starts the launch file with a namespace and a remapping.
func testRoslaunch(t *testing.T, program string) {
	need(t, "roslaunch")
	m, err := master.Start(":0", master.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	n := newNetwork(t, m.URI())
	wrapper := `<launch>
  <remap from="/lab/left/tensions" to="/pull"/>
  <rosparam ns="lab/left">{command_timeout_s: .inf}</rosparam>
  <include file="$(find sinew_bringup)/tendonsim.launch">
    <arg name="ns" value="lab"/> <arg name="name" value="left"/> <arg name="rviz" value="false"/>
    <arg name="config" value="` + absolute(t, testRobot) + `"/>
  </include>
</launch>`
	if err := os.WriteFile(filepath.Join(n.launchPackage(program), "wrapper.launch"), []byte(wrapper), 0o600); err != nil {
		t.Fatal(err)
	}
	r := n.launch(program, "/lab/left", "wrapper.launch")
	pub := n.publish("/pull", "std_msgs/Float64MultiArray", "{data: [1.5, 0.5]}")
	r.settles("remapped tensions", r.equilibrium(1.5, 0.5))
	pub()
	time.Sleep(time.Second)
	r.settles("no command timeout, as the parameter server says", r.equilibrium(1.5, 0.5))
	if code := r.End(waitLimit); code != 0 {
		t.Errorf("roslaunch ended with %d:\n%s", code, r.Output())
	}
	n.waitFor("the node's good-bye", func() bool {
		_, err := n.client().LookupNode(t.Context(), "/lab/left")
		return err != nil
	})
}
