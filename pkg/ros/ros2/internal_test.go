package ros2

import (
	"context"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"sinew/msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

// Tests of what has no exported name.

// TestCallerInWorkIsRemembered: a client that is being answered is not forgotten for others,
// or what it sends again would be done twice.
func TestCallerInWorkIsRemembered(t *testing.T) {
	t.Parallel()
	s, release, handled := queued(t)
	const sent = 1_000_000_000 // s
	at := time.Unix(sent, 0)
	s.take(asked(1, 1, at))
	for who := range 2 * maxCallers {
		s.mu.Lock()
		other := rtps.GUID{Prefix: [12]byte{2, byte(who), byte(who >> 8)}}
		if len(s.callers) >= maxCallers {
			s.evictCaller()
		}
		s.callers[other] = &caller{taken: uint64(2 + who)}
		s.mu.Unlock()
	}
	s.take(asked(1, 1, at))
	close(release)
	Eventually(t, "the call is answered", func() bool { return handled.Load() > 0 })
	time.Sleep(20 * time.Millisecond)
	if n := handled.Load(); n != 1 {
		t.Errorf("the call is done %d times", n)
	}
}

// TestRepliesOfTwoServers: the first reply counts, and a second one, of another server or
// repeated, holds up no other client. Either identity of the client names it.
func TestRepliesOfTwoServers(t *testing.T) {
	t.Parallel()
	tr, _ := Node(t, "/caller")
	c, err := tr.NewClient("/nobody/set", rcl_interfaces.SetParametersAtomically)
	if err != nil {
		t.Fatal(err)
	}
	for _, own := range []rtps.GUID{c.writer.GUID(), c.reader.GUID()} {
		answer, n, err := c.send(&rcl_interfaces.SetParametersAtomicallyRequest{})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			for _, reason := range []string{"first", "second", "third"} {
				r := &rcl_interfaces.SetParametersAtomicallyResponse{Result: rcl_interfaces.SetParametersResult{Reason: reason}}
				c.take(rtps.Sample{Related: rtps.SampleIdentity{Writer: own, Sequence: n}, Payload: r.AppendCDR(nil)})
			}
		}()
		select {
		case <-done:
		case <-time.After(Patience):
			t.Fatal("a second reply waits for ever")
		}
		select {
		case m := <-answer:
			if r := m.(*rcl_interfaces.SetParametersAtomicallyResponse).Result.Reason; r != "first" {
				t.Errorf("the %s reply counts", r)
			}
		default:
			t.Errorf("no reply to %v", own)
		}
	}
}

// TestReadyWithOneServer: a reader of requests and a writer of replies are a server where
// they are of one participant.
func TestReadyWithOneServer(t *testing.T) {
	t.Parallel()
	tr, _ := Node(t, "/client")
	c, err := tr.NewClient("/sim/halves", sinew_msgs.Step)
	if err != nil {
		t.Fatal(err)
	}
	one, other := Foreign(t), Foreign(t)
	replies := rtps.WriterOptions{Topic: "rr/sim/halvesReply", Type: sinew_msgs.Step.Response.DDSName, QoS: serviceQoS}
	_, err = one.NewReader(rtps.ReaderOptions{
		Topic: "rq/sim/halvesRequest", Type: sinew_msgs.Step.Request.DDSName, QoS: serviceQoS, Receive: func(rtps.Sample) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.NewWriter(replies); err != nil {
		t.Fatal(err)
	}
	Eventually(t, "both halves", func() bool { return len(c.writer.Ready()) == 1 && len(c.reader.Ready()) == 1 })
	if c.Ready() {
		t.Error("two halves of two participants are taken for a server")
	}
	if _, err := one.NewWriter(replies); err != nil {
		t.Fatal(err)
	}
	Eventually(t, "a server", c.Ready)
}

// TestClientsAmidReplies: a server answers others while clients of its service are made.
func TestClientsAmidReplies(t *testing.T) {
	t.Parallel()
	tr, _ := Node(t, "/client")
	other := Foreign(t)
	w, err := other.NewWriter(rtps.WriterOptions{Topic: "rr/sim/busyReply", Type: sinew_msgs.Step.Response.DDSName, QoS: serviceQoS})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for reply := new(sinew_msgs.StepResponse).AppendCDR(nil); ctx.Err() == nil; time.Sleep(20 * time.Microsecond) {
			if err := w.Write(reply); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	for range 50 {
		c, err := tr.NewClient("/sim/busy", sinew_msgs.Step)
		if err != nil {
			t.Fatal(err)
		}
		Eventually(t, "the writer of replies", func() bool { return len(c.reader.Ready()) == 1 })
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	<-ended
}

// What goes wrong with the topics of a node is in its own log, and the participant forgets its endpoints when it leaves.
func TestNodesOfOneParticipantHaveTheirOwnWarnings(t *testing.T) {
	c, _, _ := PairOfNodes(t)
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
	p := Advertise(t, front, Text("/lab/front/out")).(*publisher)
	Subscribe(t, rear, ros.Topic{Name: "/lab/rear/in", Type: std_msgs.StringType, ReportsSenderLeft: true})
	if err := rear.Serve("/lab/rear/step", sinew_msgs.Step, ros.Deferred(func(msgs.Message) msgs.Message { return new(sinew_msgs.StepResponse) })); err != nil {
		t.Fatal(err)
	}
	// a writer, two readers of the subscription (reliable and best-effort), and both halves of the service
	if len(c.monitor.endpoints) != before+5 || len(c.monitor.ended) != 3 {
		t.Fatalf("%d endpoints, %d are watched for the end of writers", len(c.monitor.endpoints)-before, len(c.monitor.ended))
	}
	c.monitor.event(rtps.Event{Kind: rtps.Incompatible, Local: p.writer.GUID(), Reason: "why"})
	if logs["/lab/front"].FilterMessageSnippet("not matched").Len() != 1 || logs["/lab/rear"].Len() != 0 {
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
