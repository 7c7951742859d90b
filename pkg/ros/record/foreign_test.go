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

// Start is when test recordings begin; it is on no whole second.
const Start = 1_700_000_000_123_456_789 * time.Nanosecond

// Given is a message of a test recording.
type Given struct {
	Topic   string
	At      time.Duration
	Message msgs.Message
}

// Samples are messages of two topics, not quite in the order of time.
func Samples(n int) []Given {
	var list []Given
	for i := range n {
		at := Start + time.Duration(i)*time.Millisecond
		list = append(list, Given{"/robot/measured_cp", at, PoseOf(i, at)})
		if i%3 == 0 {
			list = append(list, Given{"/robot/note", at - 5*time.Millisecond, &std_msgs.String{Data: at.String()}})
		}
	}
	return list
}

func PoseOf(i int, at time.Duration) msgs.Message {
	return &geometry_msgs.PoseStamped{
		Header: std_msgs.Header{Stamp: msgs.At(at), FrameID: "world"},
		Pose:   geometry_msgs.Pose{Position: geometry_msgs.Point{X: float64(i), Z: 0.25}, Orientation: geometry_msgs.Quaternion{W: 1}},
	}
}

// ForeignMCAP writes messages with the library of MCAP.
func ForeignMCAP(t testing.TB, list []Given, o mcap.WriterOptions, encoding string) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := mcap.NewWriter(&out, &o)
	Must(t, err)
	Must(t, w.WriteHeader(&mcap.Header{Profile: "test"}))
	channels := map[string]uint16{}
	Must(t, w.WriteSchema(&mcap.Schema{ID: 99, Name: "other_msgs/msg/Unknown", Encoding: "ros2msg"}))
	Must(t, w.WriteChannel(&mcap.Channel{ID: 99, SchemaID: 99, Topic: "/unknown", MessageEncoding: "cdr"}))
	for _, g := range list {
		id, known := channels[g.Topic]
		typ := g.Message.Type()
		if !known {
			id = uint16(len(channels) + 1)
			channels[g.Topic] = id
			s := mcap.Schema{ID: id, Name: typ.ROS2Name, Encoding: "ros2msg", Data: []byte(typ.Schema)}
			if encoding == "ros1" {
				s = mcap.Schema{ID: id, Name: typ.Name, Encoding: "ros1msg", Data: []byte(typ.Definition)}
			}
			Must(t, w.WriteSchema(&s))
			Must(t, w.WriteChannel(&mcap.Channel{ID: id, SchemaID: id, Topic: g.Topic, MessageEncoding: encoding}))
		}
		data := g.Message.AppendCDR(nil)
		if encoding == "ros1" {
			data = g.Message.AppendROS1(nil)
		}
		Must(t, w.WriteMessage(&mcap.Message{ChannelID: id, LogTime: uint64(g.At), PublishTime: uint64(g.At), Data: data}))
		Must(t, w.WriteMessage(&mcap.Message{ChannelID: 99, LogTime: uint64(g.At), Data: []byte("?")}))
	}
	Must(t, w.Close())
	return out.Bytes()
}

// ForeignBag writes messages with Foxglove's library of bags.
func ForeignBag(t testing.TB, list []Given, options ...rosbag.WriterOption) []byte {
	t.Helper()
	out := &SeekBuffer{}
	w, err := rosbag.NewWriter(out, options...)
	Must(t, err)
	conns := map[string]uint32{}
	connect := func(topic, typeName, md5, definition string) uint32 {
		id := uint32(len(conns))
		conns[topic] = id
		Must(t, w.WriteConnection(&rosbag.Connection{Conn: id, Topic: topic, Data: rosbag.ConnectionHeader{
			Topic: topic, Type: typeName, MD5Sum: md5, MessageDefinition: []byte(definition),
		}}))
		return id
	}
	other := connect("/old", "geometry_msgs/PoseStamped", "00000000000000000000000000000000", "of another version")
	for _, g := range list {
		id, known := conns[g.Topic]
		if typ := g.Message.Type(); !known {
			id = connect(g.Topic, typ.Name, typ.MD5, typ.Definition)
		}
		Must(t, w.WriteMessage(&rosbag.Message{Conn: id, Time: uint64(g.At), Data: g.Message.AppendROS1(nil)}))
		Must(t, w.WriteMessage(&rosbag.Message{Conn: other, Time: uint64(g.At), Data: []byte("?")}))
	}
	Must(t, w.Close())
	return out.B
}

// SeekBuffer is a file in memory.
type SeekBuffer struct {
	B  []byte
	at int
}

func (s *SeekBuffer) Write(p []byte) (int, error) {
	if grow := s.at + len(p) - len(s.B); grow > 0 {
		s.B = append(s.B, make([]byte, grow)...)
	}
	copy(s.B[s.at:], p)
	s.at += len(p)
	return len(p), nil
}

func (s *SeekBuffer) Seek(offset int64, _ int) (int64, error) {
	s.at = int(offset)
	return offset, nil
}

func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
