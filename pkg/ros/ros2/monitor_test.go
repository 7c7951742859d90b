package ros2

import (
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"sinew/msgs/rmw_dds_common"
	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/bounded"
	"sinew/pkg/ros/rtps"
)

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

// TestFloodIsLogged: what a flood made the participant refuse is told once.
func TestFloodIsLogged(t *testing.T) {
	core, logs := observer.New(zapcore.WarnLevel)
	w := newMonitor(zap.NewNop(), newWarnings(zap.New(core)))
	before := rtps.Stats{Malformed: 5, RefusedParticipants: 7, Foreign: 1}
	w.compareStats(before, before)
	if logs.Len() > 0 {
		t.Errorf("logged %v without a change", logs.All())
	}
	after := rtps.Stats{Malformed: 5, RefusedParticipants: 100, RefusedSamples: 1, RefusedBuffers: 2, RefusedEndpoints: 3, Foreign: 99}
	w.compareStats(before, after)
	if logs.Len() != 4 || logs.FilterMessageSnippet("too many participants").All()[0].ContextMap()["count"] != uint64(93) {
		t.Errorf("logged %v", logs.All())
	}
}

// TestLagIsLogged: a subscriber that does not get all messages is told by the name of its
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
	if len(all) != 1 || all[0].Message != "ROS 2: subscriber is too slow: it does not get all messages" {
		t.Fatalf("logged %v", all)
	}
	fields := all[0].ContextMap()
	if fields["topic"] != "/sim/measured_cp" || fields["caller"] != "/lab/viewer" || fields["reason"] != "why" || fields["guid"] != reader.String() {
		t.Errorf("logged %v", fields)
	}
}

func TestQoS(t *testing.T) {
	for _, c := range []struct {
		topic ros.Topic
		want  rtps.QoS
	}{
		{ros.Topic{Type: std_msgs.StringType}, rtps.QoS{Reliable: true, Depth: 10}},
		{ros.Topic{Type: std_msgs.StringType, Lossy: true}, rtps.QoS{Reliable: true, Depth: 10}},
		{ros.Topic{Type: std_msgs.StringType, Latched: true}, rtps.QoS{Reliable: true, TransientLocal: true, Depth: 1}},
		{ros.Topic{Type: std_msgs.StringType, Latched: true, Depth: 1000, Lifespan: 10 * time.Second}, rtps.QoS{Reliable: true, TransientLocal: true, Depth: 1000, Lifespan: 10 * time.Second}},
		{ros.Topic{Type: tf2_msgs.TFMessageType}, rtps.QoS{Reliable: true, Depth: 100}},
	} {
		if got := offered(c.topic); got != c.want {
			t.Errorf("%+v: offered %+v, want %+v", c.topic, got, c.want)
		}
	}
}
