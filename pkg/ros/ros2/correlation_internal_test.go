package ros2

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"sinew/msgs"
	"sinew/msgs/cdr"
	"sinew/msgs/rmw_dds_common"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/bounded"
	"sinew/pkg/ros/rtps"
)

// Tests of what has no exported name.

// TestMappings reads requests and writes replies in all forms. The bytes follow
// rmw_fastrtps, rmw_cyclonedds, DDS-RPC 1.0 (7.5.1.1.1) and ros2-client 0.12.
func TestMappings(t *testing.T) {
	steps := Little(7) // of a request
	response := []byte{1, 0, 0, 0, 3, 0, 0, 0, 'o', 'k', 0, 0, 0, 0, 0, 0}
	response = append(response, Little(0x4000000000000000)...) // 2 s
	none := []byte{1, 0, 0, 0, 0}                              // name of an instance
	whole := rtps.GUID{Prefix: ClientWriter.Prefix}
	for name, c := range map[string]struct {
		vendor  rtps.Vendor
		related rtps.SampleIdentity
		request []byte
		to      rtps.GUID
		tells   rtps.SampleIdentity
		reply   []byte
	}{
		"Fast DDS": {
			rtps.VendorFastDDS, rtps.SampleIdentity{Writer: clientReader, Sequence: rtps.SequenceUnknown}, JoinInTest(steps),
			clientReader, rtps.SampleIdentity{Writer: clientReader, Sequence: 42}, JoinInTest(response),
		},
		"enhanced": {
			rtps.VendorRustDDS, rtps.SampleIdentity{}, JoinInTest(steps),
			whole, rtps.SampleIdentity{Writer: ClientWriter, Sequence: 42}, JoinInTest(response),
		},
		"forged reader": {
			rtps.VendorFastDDS, rtps.SampleIdentity{Writer: rtps.GUID{Prefix: [12]byte{9}, Entity: clientReader.Entity}}, JoinInTest(steps),
			whole, rtps.SampleIdentity{Writer: ClientWriter, Sequence: 42}, JoinInTest(response),
		},
		"Cyclone DDS": {
			rtps.VendorCyclone, rtps.SampleIdentity{}, JoinInTest(Little(0xfeed), Little(5), steps),
			whole, rtps.SampleIdentity{}, JoinInTest(Little(0xfeed), Little(5), response),
		},
		"Cyclone form of ros2-client": {
			rtps.VendorRustDDS, rtps.SampleIdentity{Writer: ClientWriter, Sequence: 43}, JoinInTest(lastHalf(ClientWriter), []byte{0, 0, 0, 0, 43, 0, 0, 0}, steps),
			whole, rtps.SampleIdentity{}, JoinInTest(lastHalf(ClientWriter), []byte{0, 0, 0, 0, 43, 0, 0, 0}, response),
		},
		"Cyclone form of Connext": {
			rtps.Vendor{1, 1}, rtps.SampleIdentity{}, JoinInTest(Little(0xabcdef), Little(6), steps),
			whole, rtps.SampleIdentity{}, JoinInTest(Little(0xabcdef), Little(6), response),
		},
		"basic": { // the message is aligned with the whole
			rtps.Vendor{1, 1}, rtps.SampleIdentity{}, JoinInTest(Identity(ClientWriter, 44), none, []byte{0, 0, 0}, steps),
			whole, rtps.SampleIdentity{}, JoinInTest(Identity(ClientWriter, 44), []byte{0, 0, 0, 0}, []byte{1, 0, 0, 0, 3, 0, 0, 0, 'o', 'k', 0, 0}, Little(0x4000000000000000)),
		},
		"basic of ros2-client": { // the message is aligned with itself
			rtps.VendorRustDDS, rtps.SampleIdentity{Writer: ClientWriter, Sequence: 44}, append(JoinInTest(Identity(ClientWriter, 44), none, steps), 0, 0, 0),
			whole, rtps.SampleIdentity{}, JoinInTest(Identity(ClientWriter, 44), []byte{0, 0, 0, 0}, response),
		},
	} {
		got, m, err := parseRequest(sinew_msgs.Step.Request, rtps.Sample{
			Payload: c.request, Writer: ClientWriter, Sequence: 42, Vendor: c.vendor, Related: c.related,
		})
		if err != nil || m.(*sinew_msgs.StepRequest).Steps != 7 {
			t.Errorf("%s: %+v, error %v, want 7 steps", name, m, err)
			continue
		}
		o, reply := got.reply(&sinew_msgs.StepResponse{Success: true, Message: "ok", SimTime: 2})
		if o.To != c.to || o.Related != c.tells {
			t.Errorf("%s: the reply goes to %v and is related to %v, want %v and %v", name, o.To, o.Related, c.to, c.tells)
		}
		if !bytes.Equal(reply, c.reply) {
			t.Errorf("%s: reply\n%x, want\n%x", name, reply, c.reply)
		}
	}
}

// FuzzRequest reads requests in all forms; each that is read can be answered, and
// only its sender gets the answer.
func FuzzRequest(f *testing.F) {
	f.Add(JoinInTest(Little(7)), byte(0), []byte{})
	f.Add(JoinInTest(Little(0xfeed), Little(5), Little(7)), byte(16), []byte{})
	f.Add(append(JoinInTest(Identity(ClientWriter, 44), []byte{1, 0, 0, 0, 0}, Little(7)), 0, 0, 0), byte(18), []byte{})
	f.Add(JoinInTest(Identity(ClientWriter, 44), []byte{2, 0, 0, 0, 'x', 0, 0, 0}, Little(7)), byte(1), clientReader.Prefix[:])
	kinds := []*msgs.Service{sinew_msgs.Step, std_srvs.SetBool, std_srvs.Trigger}
	f.Fuzz(func(t *testing.T, payload []byte, vendor byte, related []byte) {
		s := rtps.Sample{Payload: slices.Clone(payload), Writer: ClientWriter, Sequence: 42, Vendor: rtps.Vendor{1, vendor}}
		copy(s.Related.Writer.Prefix[:], related)
		copy(s.Related.Writer.Entity[:], related[min(12, len(related)):])
		for _, kind := range kinds {
			c, m, err := parseRequest(kind.Request, s)
			if err != nil {
				continue
			}
			if m.Type() != kind.Request || c.to.Prefix != ClientWriter.Prefix {
				t.Fatalf("%v, answered to %v", m, c.to)
			}
			_, reply := c.reply(kind.Response.New().(bodied))
			if len(reply) < cdr.HeaderSize || !bytes.Equal(s.Payload, payload) {
				t.Fatalf("reply %x to %x", reply, payload)
			}
		}
	})
}

// TestReplies reads the replies to one client in all forms, and leaves those to others.
func TestReplies(t *testing.T) {
	response := []byte{1, 0, 0, 0, 3, 0, 0, 0, 'o', 'k', 0, 0, 0, 0, 0, 0}
	response = append(response, Little(0x4000000000000000)...) // 2 s
	aligned := append([]byte{1, 0, 0, 0, 3, 0, 0, 0, 'o', 'k', 0, 0}, Little(0x4000000000000000)...)
	tr, _ := Node(t, "/client")
	client, err := tr.NewClient("/replies/step", sinew_msgs.Step)
	if err != nil {
		t.Fatal(err)
	}
	own, none := client.writer.GUID(), []byte{0, 0, 0, 0}
	other := rtps.GUID{Prefix: own.Prefix, Entity: ClientWriter.Entity}
	for name, c := range map[string]struct {
		mapping Mapping
		vendor  rtps.Vendor
		related rtps.GUID
		payload []byte
		mine    bool
	}{
		"enhanced":                {Enhanced, rtps.Vendor{1, 1}, client.reader.GUID(), JoinInTest(response), true},
		"enhanced, by the writer": {Enhanced, rtps.VendorRustDDS, own, JoinInTest(response), true},
		"enhanced, to another":    {Enhanced, rtps.Vendor{1, 1}, other, JoinInTest(response), false},
		"Cyclone":                 {Cyclone, rtps.VendorCyclone, rtps.GUID{}, JoinInTest(lastHalf(own), Little(7), response), true},
		"Cyclone, to another":     {Cyclone, rtps.VendorCyclone, own, JoinInTest(lastHalf(other), Little(7), response), false},
		"Cyclone, short":          {Cyclone, rtps.VendorCyclone, own, JoinInTest(lastHalf(own)), false},
		"basic":                   {Basic, rtps.Vendor{1, 1}, rtps.GUID{}, JoinInTest(Identity(own, 7), none, aligned), true},
		"basic of ros2-client":    {Basic, rtps.VendorRustDDS, rtps.GUID{}, JoinInTest(Identity(own, 7), none, response), true},
		"basic, to another":       {Basic, rtps.Vendor{1, 1}, own, JoinInTest(Identity(other, 7), none, aligned), false},
		"basic, short":            {Basic, rtps.VendorRustDDS, own, JoinInTest(Identity(own, 7)), false},
	} {
		client.mapping = func(rtps.Vendor) Mapping { return c.mapping }
		n, body, mine := client.replyTo(rtps.Sample{Payload: c.payload, Vendor: c.vendor, Related: rtps.SampleIdentity{Writer: c.related, Sequence: 7}})
		if mine != c.mine {
			t.Errorf("%s: mine %v, want %v", name, mine, c.mine)
		}
		if !c.mine {
			continue
		}
		var m sinew_msgs.StepResponse
		m.ReadCDR(&body)
		if err := body.Finish(name); err != nil || n != 7 || m.SimTime != 2 || m.Message != "ok" {
			t.Errorf("%s: reply to %d: %+v, error %v, want one to 7 with 2 s", name, n, m, err)
		}
	}
}

// FuzzReply: whatever comes as a reply neither breaks the client nor answers a call that
// was not made.
func FuzzReply(f *testing.F) {
	g := rtps.GUID{Prefix: [12]byte{7}, Entity: [4]byte{0, 0, 1, 3}}
	f.Add(JoinInTest(lastHalf(g), Little(1), []byte{1, 0, 0, 0, 1, 0, 0, 0, 0}), byte(16), byte(1))
	f.Add(JoinInTest(Identity(g, 1), []byte{0, 0, 0, 0}, []byte{1, 0, 0, 0, 1, 0, 0, 0, 0}), byte(18), byte(2))
	f.Add(JoinInTest([]byte{1, 0, 0, 0, 1, 0, 0, 0, 0}), byte(15), byte(0))
	tr, err := New(Options{Node: "/client", Discovery: Discovery{Domain: Domain}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { tr.Close() })
	client, err := tr.NewClient("/replies/trigger", std_srvs.Trigger)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, payload []byte, vendor, mapping byte) {
		client.mapping = func(rtps.Vendor) Mapping { return Mapping(mapping % 3) }
		before := slices.Clone(payload)
		s := rtps.Sample{Payload: payload, Vendor: rtps.Vendor{1, vendor}, Related: rtps.SampleIdentity{Writer: client.reader.GUID(), Sequence: 1}}
		client.take(s)
		if !bytes.Equal(payload, before) {
			t.Fatal("the reply was changed")
		}
	})
}

// TestGraph: a peer of Humble and one of Jazzy, at once, each get the message in
// their form, with all endpoints, whether they come early or late.
func TestGraph(t *testing.T) {
	hash := endpointData(GraphType.Hash)
	humble := HearGraph(t, nil, (*rmw_dds_common.ParticipantEntitiesInfo).ParseCDRGid24)
	jazzy := HearGraph(t, hash, (*rmw_dds_common.ParticipantEntitiesInfo).ParseCDR)
	us, _ := Node(t, "/lab/left")
	Advertise(t, us, Text("/a"))
	p := Advertise(t, us, ros.Topic{Name: "/b", Type: std_msgs.StringType, Latched: true})
	Subscribe(t, us, Text("/c"))
	lateHumble := HearGraph(t, nil, (*rmw_dds_common.ParticipantEntitiesInfo).ParseCDRGid24)
	lateJazzy := HearGraph(t, hash, (*rmw_dds_common.ParticipantEntitiesInfo).ParseCDR)
	for name, c := range map[string]*Collector[*rmw_dds_common.ParticipantEntitiesInfo]{
		"Humble": humble, "Jazzy": jazzy, "late Humble": lateHumble, "late Jazzy": lateJazzy,
	} {
		complete := func(i *rmw_dds_common.ParticipantEntitiesInfo) bool {
			n := i.NodeEntitiesInfoSeq[0]
			return len(n.WriterGidSeq) == 2 && len(n.ReaderGidSeq) == 2
		}
		Eventually(t, name+" hears of all endpoints", func() bool {
			l := c.List()
			return len(l) > 0 && complete(l[len(l)-1])
		})
		l := c.List()
		last := l[len(l)-1]
		n := last.NodeEntitiesInfoSeq
		if len(n) != 1 || n[0].NodeNamespace != "/lab" || n[0].NodeName != "left" {
			t.Errorf("%s: nodes %+v", name, n)
		}
		if last.Gid != gidOf(us.participant.GUID()) || n[0].WriterGidSeq[1] != gidOf(p.(*publisher).writer.GUID()) {
			t.Errorf("%s: wrong identifiers in %+v", name, last)
		}
	}
	guid := us.participant.GUID()
	if gid := gidOf(guid); !bytes.Equal(gid.Data[:], append(append([]byte{}, guid.Prefix[:]...), guid.Entity[:]...)) {
		t.Errorf("identifier %x of %v", gid.Data, guid)
	}
}

func TestWarnings(t *testing.T) {
	core, logs := observer.New(zapcore.WarnLevel)
	var now time.Duration
	w := &warnings{zap.New(core), bounded.NewRateLimiter[warning](warningPeriod, func() time.Duration { return now })}
	a, b := warning{"trouble", "/a"}, warning{"trouble", "/b"}
	for range 3 {
		w.add(a)
	}
	w.add(b)
	if logs.Len() != 2 {
		t.Fatalf("logged %v", logs.All())
	}
	now = warningPeriod
	w.add(a)
	fields := logs.All()[2].ContextMap()
	if fields["topic"] != "/a" || fields["unlogged_before"] != int64(2) {
		t.Errorf("logged %v after the pause", fields)
	}
}

// TestFloodIsLogged: what a flood made the participant refuse is logged once.
func TestFloodIsLogged(t *testing.T) {
	core, logs := observer.New(zapcore.WarnLevel)
	w := newMonitor(zap.NewNop(), newWarnings(zap.New(core)))
	before := rtps.Stats{Malformed: 5, RefusedParticipants: 7, Foreign: 1}
	w.compareStats(rtps.Limits{}, before, before)
	if logs.Len() > 0 {
		t.Errorf("logged %v without a change", logs.All())
	}
	after := rtps.Stats{Malformed: 5, RefusedParticipants: 100, RefusedSamples: 1, RefusedBuffers: 2, RefusedEndpoints: 3, Foreign: 99}
	w.compareStats(rtps.Limits{Participants: 256}, before, after)
	if logs.Len() != 4 || logs.FilterMessageSnippet("more than 256 participants").All()[0].ContextMap()["count"] != uint64(93) {
		t.Errorf("logged %v", logs.All())
	}
}

// TestLagIsLogged: a subscriber that does not get all messages is logged by the name of its
// node, as on ROS 1; readers of what is no topic of the node are not.
func TestLagIsLogged(t *testing.T) {
	core, logs := observer.New(zapcore.WarnLevel)
	of := newWarnings(zap.New(core)) // the node
	m := newMonitor(zap.NewNop(), newWarnings(zap.NewNop()))
	writer, reader := rtps.GUID{Prefix: prefix{9}, Entity: [4]byte{0, 0, 1, 3}}, rtps.GUID{Prefix: prefix{1}, Entity: [4]byte{0, 0, 1, 4}}
	lag := rtps.Event{Kind: rtps.Lagging, Local: writer, Remote: rtps.Endpoint{GUID: reader}, Reason: "why"}
	m.event(lag)
	if logs.Len() > 0 {
		t.Errorf("logged %v about no topic", logs.All())
	}
	_, _ = m.opening(ros.Topic{Name: "/sim/measured_cp"}, of, func() ([]rtps.GUID, error) { return []rtps.GUID{writer}, nil })
	n := newNodes(writer)
	n.learn(reader.Prefix, &rmw_dds_common.ParticipantEntitiesInfo{NodeEntitiesInfoSeq: []rmw_dds_common.NodeEntitiesInfo{{
		NodeNamespace: "/lab", NodeName: "viewer", ReaderGidSeq: []rmw_dds_common.Gid{gidOf(reader)},
	}}}, func() []rtps.Remote { return nil })
	m.name(&n)
	m.event(lag)
	all := logs.All()
	if len(all) != 1 || all[0].Message != "ROS 2: subscriber is too slow: messages to it are dropped" {
		t.Fatalf("logged %v", all)
	}
	fields := all[0].ContextMap()
	if fields["topic"] != "/sim/measured_cp" || fields["node"] != "/lab/viewer" || fields["reason"] != "why" || fields["guid"] != reader.String() {
		t.Errorf("logged %v", fields)
	}
}

// TestWarningsNameTheNode: warnings about endpoints of other nodes have the names of these, also where a name arrives
// behind the announcement of the endpoint. A participant that is no ROS node has none, and is not waited for long.
func TestWarningsNameTheNode(t *testing.T) {
	core, logs := observer.New(zapcore.WarnLevel)
	of := newWarnings(zap.New(core))
	m := newMonitor(zap.NewNop(), newWarnings(zap.NewNop()))
	local := func(i byte) rtps.GUID { return rtps.GUID{Prefix: prefix{9}, Entity: [4]byte{0, 0, i, 3}} }
	for i, topic := range []string{"/sim/known", "/sim/late", "/sim/none"} {
		_, _ = m.opening(ros.Topic{Name: topic, Type: std_msgs.StringType}, of, func() ([]rtps.GUID, error) { return []rtps.GUID{local(byte(i))}, nil })
	}
	n := newNodes(local(0))
	m.name(&n)
	learn := func(g rtps.GUID, name string) {
		n.learn(g.Prefix, &rmw_dds_common.ParticipantEntitiesInfo{NodeEntitiesInfoSeq: []rmw_dds_common.NodeEntitiesInfo{{
			NodeNamespace: "/lab", NodeName: name, ReaderGidSeq: []rmw_dds_common.Gid{gidOf(g)},
		}}}, func() []rtps.Remote {
			return []rtps.Remote{{GUID: rtps.GUID{Prefix: prefix{1}}}, {GUID: rtps.GUID{Prefix: prefix{2}}}}
		})
	}
	reader := func(i byte) rtps.GUID { return rtps.GUID{Prefix: prefix{i}, Entity: [4]byte{0, 0, 1, 4}} }
	learn(reader(1), "viewer")
	for i := range byte(3) {
		e := rtps.Endpoint{GUID: reader(i + 1), UserData: EndpointData("RIHS01_" + strings.Repeat("a", 64))}
		m.event(rtps.Event{Kind: rtps.Incompatible, Local: local(i), Remote: e, Reason: "why"})
		m.event(rtps.Event{Kind: rtps.Matched, Local: local(i), Remote: e})
	}
	if logs.Len() != 2 {
		t.Errorf("logged %v at once, want the two about the node that is known", logs.All())
	}
	learn(reader(2), "late")
	Eventually(t, "the other warnings", func() bool { return logs.Len() == 6 })
	names := map[string]string{"/sim/known": "/lab/viewer", "/sim/late": "/lab/late", "/sim/none": ""}
	for _, l := range logs.All() {
		fields := l.ContextMap()
		if topic := fields["topic"].(string); fields["node"] != names[topic] {
			t.Errorf("%s: %v, want the node %q", l.Message, fields, names[topic])
		}
	}
}
