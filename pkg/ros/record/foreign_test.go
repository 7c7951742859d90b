package record

import (
	"bytes"
	"testing"
	"time"

	"github.com/foxglove/go-rosbag"
	"github.com/foxglove/mcap/go/mcap"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
)

// The files of these tests are written by other people's libraries.

// start is when test recordings begin; it is on no whole second.
const start = 1_700_000_000_123_456_789 * time.Nanosecond

// given is a message of a test recording.
type given struct {
	topic   string
	at      time.Duration
	message msgs.Message
}

// samples are messages of two topics, not quite in the order of time.
func samples(n int) []given {
	var list []given
	for i := range n {
		at := start + time.Duration(i)*time.Millisecond
		list = append(list, given{"/robot/measured_cp", at, poseOf(i, at)})
		if i%3 == 0 {
			list = append(list, given{"/robot/note", at - 5*time.Millisecond, &std_msgs.String{Data: at.String()}})
		}
	}
	return list
}

func poseOf(i int, at time.Duration) msgs.Message {
	return &geometry_msgs.PoseStamped{
		Header: std_msgs.Header{Stamp: msgs.At(at), FrameID: "world"},
		Pose:   geometry_msgs.Pose{Position: geometry_msgs.Point{X: float64(i), Z: 0.25}, Orientation: geometry_msgs.Quaternion{W: 1}},
	}
}

// foreignMCAP writes messages with the library of MCAP.
func foreignMCAP(t testing.TB, list []given, o mcap.WriterOptions, encoding string) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := mcap.NewWriter(&out, &o)
	must(t, err)
	must(t, w.WriteHeader(&mcap.Header{Profile: "test"}))
	channels := map[string]uint16{}
	must(t, w.WriteSchema(&mcap.Schema{ID: 99, Name: "other_msgs/msg/Unknown", Encoding: "ros2msg"}))
	must(t, w.WriteChannel(&mcap.Channel{ID: 99, SchemaID: 99, Topic: "/unknown", MessageEncoding: "cdr"}))
	for _, g := range list {
		id, known := channels[g.topic]
		typ := g.message.Type()
		if !known {
			id = uint16(len(channels) + 1)
			channels[g.topic] = id
			s := mcap.Schema{ID: id, Name: typ.ROS2Name, Encoding: "ros2msg", Data: []byte(typ.Schema)}
			if encoding == "ros1" {
				s = mcap.Schema{ID: id, Name: typ.Name, Encoding: "ros1msg", Data: []byte(typ.Definition)}
			}
			must(t, w.WriteSchema(&s))
			must(t, w.WriteChannel(&mcap.Channel{ID: id, SchemaID: id, Topic: g.topic, MessageEncoding: encoding}))
		}
		data := g.message.AppendCDR(nil)
		if encoding == "ros1" {
			data = g.message.AppendROS1(nil)
		}
		must(t, w.WriteMessage(&mcap.Message{ChannelID: id, LogTime: uint64(g.at), PublishTime: uint64(g.at), Data: data}))
		must(t, w.WriteMessage(&mcap.Message{ChannelID: 99, LogTime: uint64(g.at), Data: []byte("?")}))
	}
	must(t, w.Close())
	return out.Bytes()
}

// foreignBag writes messages with Foxglove's library of bags.
func foreignBag(t testing.TB, list []given, options ...rosbag.WriterOption) []byte {
	t.Helper()
	out := &seekBuffer{}
	w, err := rosbag.NewWriter(out, options...)
	must(t, err)
	conns := map[string]uint32{}
	connect := func(topic, typeName, md5, definition string) uint32 {
		id := uint32(len(conns))
		conns[topic] = id
		must(t, w.WriteConnection(&rosbag.Connection{Conn: id, Topic: topic, Data: rosbag.ConnectionHeader{
			Topic: topic, Type: typeName, MD5Sum: md5, MessageDefinition: []byte(definition),
		}}))
		return id
	}
	other := connect("/old", "geometry_msgs/PoseStamped", "00000000000000000000000000000000", "of another version")
	for _, g := range list {
		id, known := conns[g.topic]
		if typ := g.message.Type(); !known {
			id = connect(g.topic, typ.Name, typ.MD5, typ.Definition)
		}
		must(t, w.WriteMessage(&rosbag.Message{Conn: id, Time: uint64(g.at), Data: g.message.AppendROS1(nil)}))
		must(t, w.WriteMessage(&rosbag.Message{Conn: other, Time: uint64(g.at), Data: []byte("?")}))
	}
	must(t, w.Close())
	return out.b
}

// seekBuffer is a file in memory.
type seekBuffer struct {
	b  []byte
	at int
}

func (s *seekBuffer) Write(p []byte) (int, error) {
	if grow := s.at + len(p) - len(s.b); grow > 0 {
		s.b = append(s.b, make([]byte, grow)...)
	}
	copy(s.b[s.at:], p)
	s.at += len(p)
	return len(p), nil
}

func (s *seekBuffer) Seek(offset int64, _ int) (int64, error) {
	s.at = int(offset)
	return offset, nil
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
