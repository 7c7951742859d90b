package ros2

import (
	"slices"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"sinew/msgs"
	"sinew/msgs/rmw_dds_common"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

// pairOfNodes are two nodes of one participant.
func pairOfNodes(t *testing.T) (c *Context, left, right *Transport) {
	t.Helper()
	c, err := Join(Options{Node: "fleet", Discovery: Discovery{Domain: testDomain}, Log: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	if left, err = c.NewNode("/lab/left", nil); err != nil {
		t.Fatal(err)
	}
	if right, err = c.NewNode("/lab/right", nil); err != nil {
		t.Fatal(err)
	}
	return c, left, right
}

// Two nodes are one participant, in whose list each has its own endpoints, and one can end.
func TestNodesOfOneParticipant(t *testing.T) {
	seen := hearGraph(t, endpointData(graphType.Hash), (*rmw_dds_common.ParticipantEntitiesInfo).ParseCDR)
	c, left, right := pairOfNodes(t)
	c.Hold()
	p := advertise(t, left, ros.Topic{Name: "/lab/left/out", Type: std_msgs.StringType, Latched: true})
	advertise(t, right, text("/lab/right/out"))
	subscribe(t, right, text("/lab/right/in"))
	if err := right.Serve("/lab/right/step", sinew_msgs.Step, ros.AnyOrder(func(msgs.Message) msgs.Message { return new(sinew_msgs.StepResponse) })); err != nil {
		t.Fatal(err)
	}
	if err := c.Release(); err != nil {
		t.Fatal(err)
	}
	has := func(want ...string) func() bool { // of each node its name, writers and readers
		return func() bool {
			l := seen.list()
			if len(l) == 0 {
				return false
			}
			var got []string
			for _, n := range l[len(l)-1].NodeEntitiesInfoSeq {
				got = append(got, joinNode(n.NodeNamespace, n.NodeName)+" "+strings.Repeat("w", len(n.WriterGidSeq))+strings.Repeat("r", len(n.ReaderGidSeq)))
			}
			return slices.Equal(got, want)
		}
	}
	eventually(t, "both with all that they have", has("/lab/left w", "/lab/right wwrrr"))
	for _, info := range seen.list() {
		for _, n := range info.NodeEntitiesInfoSeq {
			if k := len(n.WriterGidSeq) + len(n.ReaderGidSeq); k != 0 && k != 1 && k != 5 {
				t.Errorf("while it was held, the list was sent with %d endpoints of %s", k, n.NodeName)
			}
		}
	}

	// what one says reaches a third, and the other one of the same participant, under its name
	third, _ := node(t, "/third")
	for _, hears := range []*Transport{third, right} {
		got := new(collector[ros.Received])
		if err := hears.Subscribe(ros.Topic{Name: "/lab/left/out", Type: std_msgs.StringType, Latched: true}, got.add); err != nil {
			t.Fatal(err)
		}
		eventually(t, "a message of /lab/left", func() bool {
			p.Publish(say("here"))
			l := got.list()
			return len(l) > 0 && l[len(l)-1].Sender.Node == "/lab/left"
		})
	}

	if _, err := c.NewNode("/lab/left", nil); err == nil || !strings.Contains(err.Error(), "has a node of this name already") {
		t.Errorf("a second node of one name: %v", err)
	}
	if err := left.Close(); err != nil {
		t.Error(err)
	}
	eventually(t, "the one that is left", has("/lab/right wwrrrrr"))
	if _, err := c.NewNode("/lab/left", nil); err != nil {
		t.Errorf("a node of the name of one that has ended: %v", err)
	}
}

// A node whose name ROS 2 does not allow is refused, and the others go on.
func TestNodeNamesOfAContext(t *testing.T) {
	c, left, _ := pairOfNodes(t)
	for _, name := range []string{"relative", "/lab/1st", "/"} {
		if _, err := c.NewNode(name, nil); err == nil {
			t.Errorf("%q is taken", name)
		}
	}
	advertise(t, left, text("/lab/left/out"))
}

// What goes wrong with the topics of a node is told in its own log, and the participant forgets its endpoints when it leaves.
func TestNodesOfOneParticipantHaveTheirOwnWarnings(t *testing.T) {
	c, _, _ := pairOfNodes(t)
	logs := map[string]*observer.ObservedLogs{}
	node := func(name string) *Transport {
		core, seen := observer.New(zap.WarnLevel)
		n, err := c.NewNode(name, zap.New(core))
		if err != nil {
			t.Fatal(err)
		}
		logs[name] = seen
		return n
	}
	before := len(c.monitor.endpoints)
	front, rear := node("/lab/front"), node("/lab/rear")
	p := advertise(t, front, text("/lab/front/out")).(*publisher)
	subscribe(t, rear, ros.Topic{Name: "/lab/rear/in", Type: std_msgs.StringType, Departures: true})
	if err := rear.Serve("/lab/rear/step", sinew_msgs.Step, ros.AnyOrder(func(msgs.Message) msgs.Message { return new(sinew_msgs.StepResponse) })); err != nil {
		t.Fatal(err)
	}
	// a writer, two readers of the subscription (reliable and best-effort), and both halves of the service
	if len(c.monitor.endpoints) != before+5 || len(c.monitor.ended) != 3 {
		t.Fatalf("%d endpoints, %d are watched for the end of writers", len(c.monitor.endpoints)-before, len(c.monitor.ended))
	}
	c.monitor.event(rtps.Event{Kind: rtps.Incompatible, Local: p.writer.GUID(), Reason: "why"})
	if logs["/lab/front"].FilterMessageSnippet("incompatible").Len() != 1 || logs["/lab/rear"].Len() != 0 {
		t.Errorf("front logged %v, rear %v", logs["/lab/front"].All(), logs["/lab/rear"].All())
	}
	for _, n := range []*Transport{rear, front} {
		if err := n.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.monitor.endpoints) != before || len(c.monitor.ended) != 0 {
		t.Errorf("%d endpoints of nodes that have left are remembered, and %d are watched", len(c.monitor.endpoints)-before, len(c.monitor.ended))
	}
}
