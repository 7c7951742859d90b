package record_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/foxglove/go-rosbag"
	"github.com/foxglove/mcap/go/mcap"

	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
)

// TestIndexOfBag: the index says of each chunk when its messages begin and end and how
// many there are by topic, whatever their order.
func TestIndexOfBag(t *testing.T) {
	long := strings.Repeat("x", 400_000)
	var list []record.Given
	for i, at := range []time.Duration{5, 3, 9, 4, 7, 2, 8, 6} { // seconds; a chunk is full after three messages
		topic := "/a"
		if i%3 == 1 {
			topic = "/b"
		}
		list = append(list, record.Given{topic, record.Start + at*time.Second, &std_msgs.String{Data: long}})
	}
	for _, closed := range []bool{false, true} {
		file, w := create(t, ".bag")
		record.Tell(t, w, list)
		record.Must(t, w.Flush())
		if closed {
			record.Must(t, w.Close())
		}
		data, err := os.ReadFile(file)
		record.Must(t, err)
		r, err := rosbag.NewReader(bytes.NewReader(data))
		record.Must(t, err)
		info, err := r.Info()
		record.Must(t, err)
		record.Must(t, w.Close())
		n := 0
		for _, c := range info.ChunkInfos {
			first, last, counts := int64(math.MaxInt64), int64(0), map[string]uint32{}
			total := 0
			for _, k := range c.Data {
				total += int(k)
			}
			for _, g := range list[n : n+total] {
				first, last = min(first, int64(g.At)), max(last, int64(g.At))
				counts[g.Topic]++
			}
			n += total
			if c.StartTime != uint64(first) || c.EndTime != uint64(last) || int(c.Count) != len(counts) {
				t.Errorf("closed %t: a chunk of %d topics from %d to %d, want %d from %d to %d", closed, c.Count, c.StartTime, c.EndTime, len(counts), first, last)
			}
			for id, k := range c.Data {
				if name := info.Connections[id].Topic; counts[name] != k {
					t.Errorf("closed %t: %d messages of %s in a chunk, want %d", closed, k, name, counts[name])
				}
			}
		}
		if n != len(list) || len(info.ChunkInfos) != 3 || info.MessageStartTime != uint64(record.Start+2*time.Second) || info.MessageEndTime != uint64(record.Start+9*time.Second) {
			t.Errorf("closed %t: %d messages in %d chunks from %d to %d", closed, n, len(info.ChunkInfos), info.MessageStartTime, info.MessageEndTime)
		}
	}
}

// TestNamesTooLong: a topic or type whose name has more bytes than are read is a fault
// of the file, even without a message, and the others are read.
func TestNamesTooLong(t *testing.T) {
	long := "/" + strings.Repeat("x", record.MaxName)
	whole := record.Given{"/note", record.Start, &std_msgs.String{Data: "x"}}
	var bag record.SeekBuffer
	w, err := rosbag.NewWriter(&bag)
	record.Must(t, err)
	record.Must(t, w.WriteConnection(&rosbag.Connection{Conn: 7, Topic: long, Data: rosbag.ConnectionHeader{
		Topic: long, Type: "std_msgs/String", MD5Sum: std_msgs.StringType.MD5,
	}}))
	record.Must(t, w.Close())
	var file bytes.Buffer
	m, err := mcap.NewWriter(&file, &mcap.WriterOptions{})
	record.Must(t, err)
	record.Must(t, m.WriteHeader(&mcap.Header{}))
	record.Must(t, m.WriteSchema(&mcap.Schema{ID: 1, Name: "std_msgs/msg/String", Encoding: "ros2msg"}))
	record.Must(t, m.WriteChannel(&mcap.Channel{ID: 1, SchemaID: 1, Topic: long, MessageEncoding: "cdr"}))
	record.Must(t, m.Close())
	for name, data := range map[string][]byte{"bag": bag.B, "mcap": file.Bytes()} {
		if _, err := record.ReadAll(data); !errors.Is(err, record.ErrIncomplete) || !strings.Contains(err.Error(), "a name of more than 1024 bytes") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for _, encoding := range []string{"cdr", "ros1"} {
		got, err := record.ReadAll(record.ForeignMCAP(t, []record.Given{whole}, mcap.WriterOptions{Chunked: true}, encoding))
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %d messages, %v", encoding, len(got), err)
		}
	}
}

// TestQualityOfService: rosbag2 plays a topic as it was offered.
func TestQualityOfService(t *testing.T) {
	for _, c := range []struct {
		topic ros.Topic
		want  string
	}{
		{ros.Topic{}, "depth: 10 reliability: 1 durability: 2"},
		{ros.Topic{Lossy: true}, "depth: 10 reliability: 1 durability: 2"},
		{ros.Topic{Type: tf2_msgs.TFMessageType}, "depth: 100 reliability: 1 durability: 2"},
		{ros.Topic{Latched: true}, "depth: 1 reliability: 1 durability: 1"},
	} {
		if got := strings.Join(strings.Fields(record.OfferedQoS(c.topic)), " "); !strings.HasPrefix(got, "- history: 1 "+c.want+" deadline: sec: 0 nsec: 0 lifespan: sec: 0 nsec: 0 liveliness: 1 ") {
			t.Errorf("%+v: %s", c.topic, got)
		}
	}
}
