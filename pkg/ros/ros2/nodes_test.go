package ros2

import (
	"testing"

	"sinew/msgs/rmw_dds_common"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

// TestSender: a message tells which writer of which node sent it, and whether it
// is from before the subscription.
func TestSender(t *testing.T) {
	topic := ros.Topic{Name: "/state", Type: std_msgs.StringType, Latched: true}
	left, _ := node(t, "/lab/left")
	p := advertise(t, left, topic)
	p.Publish(say("early"))
	right, _ := node(t, "/lab/right")
	got := new(collector[ros.Received])
	if err := right.Subscribe(topic, got.add); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the latched message", func() bool { return got.len() == 1 })
	writer := gidOf(p.(*publisher).writer.GUID()).Data
	first := got.list()[0]
	if first.Message.(*std_msgs.String).Data != "early" || !first.Latched || first.Sender.Endpoint != writer {
		t.Errorf("first %+v, want a latched message of %x", first, writer)
	}
	want := ros.Sender{Node: "/lab/left", Endpoint: writer}
	eventually(t, "a message with the node's name", func() bool {
		p.Publish(say("late"))
		l := got.list()
		return l[len(l)-1].Sender == want
	})
	for _, r := range got.list()[1:] {
		if r.Latched {
			t.Errorf("%+v is not from before the subscription", r)
		}
	}
	if s := want.String(); s != "/lab/left" {
		t.Errorf("String() is %q", s)
	}
}

// TestSenderWithoutNode: a participant that says nothing of its nodes is known by
// the GUID of its writer.
func TestSenderWithoutNode(t *testing.T) {
	us, _ := node(t, "/us")
	got := new(collector[ros.Received])
	if err := us.Subscribe(text("/in"), got.add); err != nil {
		t.Fatal(err)
	}
	w, err := foreign(t).NewWriter(rtps.WriterOptions{Topic: "rt/in", Type: std_msgs.StringType.DDSName, QoS: rtps.QoS{Reliable: true}})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "a message", func() bool { _ = w.Write(cdrOf("hello")); return got.len() > 0 })
	r := got.list()[0]
	if r.Sender.Node != "" || r.Sender.String() != w.GUID().String() || r.Latched {
		t.Errorf("got %+v (%s), want %s", r, r.Sender, w.GUID())
	}
}

// TestNodes: a participant speaks for its own writers only, and what is remembered
// of others stays bounded.
func TestNodes(t *testing.T) {
	at := func(participant, writer byte) rtps.GUID {
		return rtps.GUID{Prefix: prefix{participant}, Entity: [4]byte{0, 0, writer, 3}}
	}
	info := func(name string, writers ...rtps.GUID) *rmw_dds_common.ParticipantEntitiesInfo {
		n := rmw_dds_common.NodeEntitiesInfo{NodeNamespace: "/", NodeName: name}
		for _, w := range writers {
			n.WriterGidSeq = append(n.WriterGidSeq, gidOf(w))
		}
		return &rmw_dds_common.ParticipantEntitiesInfo{NodeEntitiesInfoSeq: []rmw_dds_common.NodeEntitiesInfo{n}}
	}
	var present []rtps.Remote
	remotes := func() []rtps.Remote { return present }
	n := newNodes(at(9, 0))
	n.own("/us", []rtps.GUID{at(9, 5)})
	n.learn(prefix{1}, info("one", at(1, 1), at(2, 7)), remotes)
	present = []rtps.Remote{{GUID: at(1, 0)}}
	n.learn(prefix{2}, info("two", at(2, 1), at(1, 1)), remotes)
	n.learn(prefix{2}, info("not a name", at(2, 2)), remotes)
	n.learn(prefix{2}, info("two", at(2, 1)), remotes)
	for writer, want := range map[rtps.GUID]string{
		at(1, 1): "/one", at(2, 1): "/two", at(2, 7): "", at(2, 2): "", at(9, 5): "/us", at(3, 1): "",
	} {
		if s := n.sender(writer); s.Node != want || s.Endpoint != gidOf(writer).Data {
			t.Errorf("%v: sender %+v, want node %q", writer, s, want)
		}
	}
	present = []rtps.Remote{{GUID: at(2, 0)}} // participant 1 has left
	n.learn(prefix{3}, info("three", at(3, 1)), remotes)
	if s := n.sender(at(1, 1)); s.Node != "" || n.count != 2 {
		t.Errorf("after participant 1 left: %+v, %d writers", s, n.count)
	}
	for p := range byte(20) {
		present = append(present, rtps.Remote{GUID: at(100+p, 0)})
		var many []rtps.GUID
		for i := range 2 * maxParticipantEndpoints {
			many = append(many, rtps.GUID{Prefix: prefix{100 + p}, Entity: [4]byte{0, byte(i >> 8), byte(i), 3}})
		}
		n.learn(prefix{100 + p}, info("many", many...), remotes)
		if k := len(n.known[prefix{100 + p}]); k > maxParticipantEndpoints || n.count > maxKnownEndpoints {
			t.Fatalf("%d writers of one participant, %d of all", k, n.count)
		}
	}
	if n.count != maxKnownEndpoints {
		t.Errorf("%d writers are known, want %d", n.count, maxKnownEndpoints)
	}
}

func BenchmarkSender(b *testing.B) {
	n := newNodes(rtps.GUID{})
	w := rtps.GUID{Prefix: prefix{1}, Entity: [4]byte{0, 0, 1, 3}}
	n.learn(w.Prefix, &rmw_dds_common.ParticipantEntitiesInfo{NodeEntitiesInfoSeq: []rmw_dds_common.NodeEntitiesInfo{{
		NodeNamespace: "/", NodeName: "them", WriterGidSeq: []rmw_dds_common.Gid{gidOf(w)},
	}}}, func() []rtps.Remote { return nil })
	b.ReportAllocs()
	for b.Loop() {
		if n.sender(w).Node == "" {
			b.Fatal("no name")
		}
	}
}
