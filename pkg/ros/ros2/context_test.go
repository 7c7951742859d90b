package ros2_test

import (
	"slices"
	"strings"
	"testing"

	"sinew/msgs"
	"sinew/msgs/rmw_dds_common"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros2"
)

// Two nodes are one participant, in whose list each has its own endpoints, and one can end.
func TestNodesOfOneParticipant(t *testing.T) {
	seen := ros2.HearGraph(t, ros2.EndpointData(ros2.GraphType.Hash), (*rmw_dds_common.ParticipantEntitiesInfo).ParseCDR)
	c, left, right := ros2.PairOfNodes(t)
	c.Hold()
	p := ros2.Advertise(t, left, ros.Topic{Name: "/lab/left/out", Type: std_msgs.StringType, Latched: true})
	ros2.Advertise(t, right, ros2.Text("/lab/right/out"))
	ros2.Subscribe(t, right, ros2.Text("/lab/right/in"))
	if err := right.Serve("/lab/right/step", sinew_msgs.Step, ros.Deferred(func(msgs.Message) msgs.Message { return new(sinew_msgs.StepResponse) })); err != nil {
		t.Fatal(err)
	}
	if err := c.Release(); err != nil {
		t.Fatal(err)
	}
	has := func(want ...string) func() bool { // of each node its name, writers and readers
		return func() bool {
			l := seen.List()
			if len(l) == 0 {
				return false
			}
			var got []string
			for _, n := range l[len(l)-1].NodeEntitiesInfoSeq {
				got = append(got, ros2.JoinNode(n.NodeNamespace, n.NodeName)+" "+strings.Repeat("w", len(n.WriterGidSeq))+strings.Repeat("r", len(n.ReaderGidSeq)))
			}
			return slices.Equal(got, want)
		}
	}
	ros2.Eventually(t, "both with all that they have", has("/lab/left w", "/lab/right wwrrr"))
	for _, info := range seen.List() {
		for _, n := range info.NodeEntitiesInfoSeq {
			if k := len(n.WriterGidSeq) + len(n.ReaderGidSeq); k != 0 && k != 1 && k != 5 {
				t.Errorf("while it was held, the list was sent with %d endpoints of %s", k, n.NodeName)
			}
		}
	}

	// what one says reaches a third, and the other one of the same participant, under its name
	third, _ := ros2.Node(t, "/third")
	for _, hears := range []*ros2.Transport{third, right} {
		got := new(ros2.Collector[ros.Received])
		if err := hears.Subscribe(ros.Topic{Name: "/lab/left/out", Type: std_msgs.StringType, Latched: true}, got.Add); err != nil {
			t.Fatal(err)
		}
		ros2.Eventually(t, "a message of /lab/left", func() bool {
			p.Publish(ros2.Say("here"))
			l := got.List()
			return len(l) > 0 && l[len(l)-1].Sender.Node == "/lab/left"
		})
	}

	if _, err := c.NewNode("/lab/left", nil); err == nil || !strings.Contains(err.Error(), "has a node of this name already") {
		t.Errorf("a second node of one name: %v", err)
	}
	if err := left.Close(); err != nil {
		t.Error(err)
	}
	ros2.Eventually(t, "the one that is left", has("/lab/right wwrrrrr"))
	if _, err := c.NewNode("/lab/left", nil); err != nil {
		t.Errorf("a node of the name of one that has ended: %v", err)
	}
}

// A node whose name ROS 2 does not allow is refused, and the others go on.
func TestNodeNamesOfAContext(t *testing.T) {
	c, left, _ := ros2.PairOfNodes(t)
	for _, name := range []string{"relative", "/lab/1st", "/"} {
		if _, err := c.NewNode(name, nil); err == nil {
			t.Errorf("%q is taken", name)
		}
	}
	ros2.Advertise(t, left, ros2.Text("/lab/left/out"))
}
