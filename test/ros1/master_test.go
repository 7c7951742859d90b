package ros1_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/ros/master"
	"sinew/test/testbench"
)

// masterSession is what the tools are asked, in this order. What they answer
// must be the same lines, in whatever order, with the embedded master as with
// rosmaster, exit code included.
var masterSession = []string{
	`rosparam list`,
	`rosparam set /robot {gains: [1, 2.5, -3.0e-9], name: 'a<b & "c" é', enabled: true, rod: {length: 0.2, n: 20}}`,
	`rosparam set /robot/text "a ]]> b\n &amp; c"`,
	`rosparam set /robot/whole 3.0`,
	`rosparam get /robot`,
	`rosparam get /robot/gains`,
	`rosparam get /robot/rod/length`,
	`rosparam get /robot/nothing`,
	`rosparam set /robot/large 99999999999`,
	`rosparam delete /robot/rod`,
	`rosparam delete /robot/rod`,
	`rosparam get /`,
	`rosparam list /robot`,
	`rosparam get /rosdistro`,
	`rostopic list -v`,
	`rostopic info /chatter`,
	`rostopic type /chatter`,
	`rostopic find std_msgs/String`,
	`rostopic echo -n 1 /chatter`,
	`rosnode list`,
	`rosnode info /talker`,
	`rosnode ping -c 1 /talker`,
	`rosservice list`,
	`rosservice info /talker/get_loggers`,
	`rosservice type /talker/get_loggers`,
	`rosservice call /talker/set_logger_level rosout debug`,
	`rosservice call /nothing`,
	`rosnode kill /talker`,
	`rosnode list`,
	`rostopic list`,
}

// TestMasterLikeRosmaster compares the embedded master with the original.
func TestMasterLikeRosmaster(t *testing.T) {
	testbench.Need(t, "rosmaster", "rosparam", "rostopic", "rosnode", "rosservice", "rosbag")
	original, _ := testbench.StartRosmaster(t, testbench.FreePort(t))
	m, err := master.Start(":0", master.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	embedded := testbench.NewNetwork(t, m.URI())
	for key, v := range map[string]any{"/run_id": "x", "/rosdistro": "noetic\n", "/rosversion": "1.15.15\n"} {
		for _, n := range []*testbench.Network{original, embedded} { // as roscore does on top of rosmaster
			if err := n.Client().SetParam(testbench.Deadline(t), key, v); err != nil {
				t.Fatal(err)
			}
		}
	}

	var want, got []string
	t.Run("sessions", func(t *testing.T) { // both at once: the tools are slow to start
		t.Run("rosmaster", func(t *testing.T) { t.Parallel(); want = session(original, t) })
		t.Run("embedded", func(t *testing.T) { t.Parallel(); got = session(embedded, t) })
	})
	if len(want) != len(masterSession) || len(got) != len(want) {
		t.Fatalf("%d and %d answers to %d commands", len(want), len(got), len(masterSession))
	}
	for i, command := range masterSession {
		if sorted(got[i]) != sorted(want[i]) {
			t.Errorf("%s\n--- embedded master:\n%s\n--- rosmaster:\n%s", command, got[i], want[i])
		}
	}
	testbench.Contains(t, "rosparam get", want[4], `"a<b & \"c\" \xE9"`, "- 2.5", "length: 0.2") // the session did work
	testbench.Contains(t, "rostopic echo", want[18], "data: \"hi\"")
	testbench.Contains(t, "rosnode kill", want[27], "killed")
}

// session runs the commands against a network with a talking node (rospy) and a
// recorder (roscpp) that subscribed before anybody published.
func session(n *testbench.Network, t *testing.T) (answers []string) {
	n.T = t
	bag := filepath.Join(t.TempDir(), "session.bag")
	recorder := n.Start("rosbag", "record", "-O", bag, "/chatter")
	n.WaitFor("the recorder", func() bool {
		s, err := n.Client().SystemState(t.Context())
		return err == nil && len(s.Subscribers["/chatter"]) == 1
	})
	talker := n.Start("rostopic", "pub", "-r", "10", "/chatter", "std_msgs/String", "data: hi", "__name:=talker")
	n.WaitFor("the talker", func() bool { _, err := n.Client().LookupNode(t.Context(), "/talker"); return err == nil })
	for _, command := range masterSession {
		words := strings.SplitN(command, " ", 4)
		if words[1] != "set" {
			words = strings.Fields(command)
		}
		out, err := n.Try(words[0], words[1:]...)
		answers = append(answers, normal(out)+fmt.Sprintf("(%v)", err))
	}
	talker.Wait(testbench.WaitLimit) // rosnode kill did it
	recorder.End(testbench.WaitLimit)
	testbench.Contains(t, "the recording", n.Run("rosbag", "info", bag), "std_msgs/String", "/chatter")
	return answers
}

func sorted(lines string) string {
	return strings.Join(slices.Sorted(strings.SplitSeq(lines, "\n")), "\n")
}

// normal replaces what differs from run to run.
func normal(out string) string {
	for _, r := range []struct{ pattern, with string }{
		{`127\.0\.0\.1:\d+`, "HOST:PORT"},
		{`(127\.0\.0\.1|localhost|http://\S*?):?\d*/?`, "URI"},
		{`Pid: \d+`, "Pid: PID"},
		{`_\d+_\d+|_\d{10,}`, "_ID"},
		{`\(\d+ - (.*?)\) \[\d+\]`, "(PORT - $1) [FD]"},
		{`time=[\d.]+ms|average: [\d.]+ms`, "time"},
	} {
		out = regexp.MustCompile(r.pattern).ReplaceAllString(out, r.with)
	}
	return out
}
