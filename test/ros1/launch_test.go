package ros1_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sinew/pkg/ros/master"
	"sinew/pkg/ros/record"
	"sinew/test/testbench"
)

// testRoslaunchOfFleet: the launch file starts the robots of a fleet and records each to a file of its own.
func testRoslaunchOfFleet(t *testing.T, program string) {
	testbench.Need(t, "roslaunch")
	m, err := master.Start(":0", master.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	n := testbench.NewNetwork(t, m.URI())
	n.LaunchPackage(program)
	dir := t.TempDir()
	r := n.Launch(program, "/lab/arms/left", "tendonsim.launch", "ns:=lab", "rviz:=false",
		"robots:="+testbench.Absolute(t, "../../launch/examples/fleet.yaml"), "record:="+filepath.Join(dir, "run.bag"))
	n.WaitFor("messages", func() bool { return r.Messages.Load() > 100 })
	if code := r.End(testbench.WaitLimit); code != 0 {
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
	testbench.Need(t, "roslaunch")
	m, err := master.Start(":0", master.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	n := testbench.NewNetwork(t, m.URI())
	wrapper := `<launch>
  <remap from="/lab/left/tensions" to="/pull"/>
  <rosparam ns="lab/left">{command_timeout_s: .inf}</rosparam>
  <include file="$(find sinew_bringup)/tendonsim.launch">
    <arg name="ns" value="lab"/> <arg name="name" value="left"/> <arg name="rviz" value="false"/>
    <arg name="config" value="` + testbench.Absolute(t, testbench.TestRobot) + `"/>
  </include>
</launch>`
	if err := os.WriteFile(filepath.Join(n.LaunchPackage(program), "wrapper.launch"), []byte(wrapper), 0o600); err != nil {
		t.Fatal(err)
	}
	r := n.Launch(program, "/lab/left", "wrapper.launch")
	pub := n.Publish("/pull", "std_msgs/Float64MultiArray", "{data: [1.5, 0.5]}")
	r.WaitForTip("remapped tensions", r.Equilibrium(1.5, 0.5))
	pub()
	time.Sleep(time.Second)
	r.WaitForTip("no command timeout, as the parameter server says", r.Equilibrium(1.5, 0.5))
	if code := r.End(testbench.WaitLimit); code != 0 {
		t.Errorf("roslaunch ended with %d:\n%s", code, r.Output())
	}
	n.WaitFor("the node's good-bye", func() bool {
		_, err := n.Client().LookupNode(t.Context(), "/lab/left")
		return err != nil
	})
}
