package record_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/foxglove/mcap/go/mcap"

	"sinew/msgs/foxglove_msgs"
	"sinew/pkg/ros/record"
)

// foxgloveFile has one message of foxglove.PoseInFrame, as the SDK of Foxglove writes it.
func foxgloveFile(t *testing.T, encoding string, data []byte) string {
	t.Helper()
	var out bytes.Buffer
	w, err := mcap.NewWriter(&out, &mcap.WriterOptions{Chunked: true})
	record.Must(t, err)
	record.Must(t, w.WriteHeader(&mcap.Header{}))
	record.Must(t, w.WriteSchema(&mcap.Schema{ID: 1, Name: "foxglove.PoseInFrame", Encoding: encoding}))
	record.Must(t, w.WriteChannel(&mcap.Channel{ID: 1, SchemaID: 1, Topic: "/pose", MessageEncoding: encoding}))
	record.Must(t, w.WriteMessage(&mcap.Message{ChannelID: 1, LogTime: uint64(start), Data: data}))
	record.Must(t, w.Close())
	file := filepath.Join(t.TempDir(), "x.mcap")
	record.Must(t, os.WriteFile(file, out.Bytes(), 0o600))
	return file
}

// field is a field of protobuf that holds bytes.
func field(number int, parts ...[]byte) []byte {
	all := bytes.Join(parts, nil)
	return append([]byte{byte(number<<3 | 2), byte(len(all))}, all...)
}

// double is a field of protobuf that holds a double.
func double(number int, v float64) []byte {
	return binary.LittleEndian.AppendUint64([]byte{byte(number<<3 | 1)}, math.Float64bits(v))
}

// TestPosesOfFoxglove: poses of Foxglove's own schema are read from JSON and from protobuf.
func TestPosesOfFoxglove(t *testing.T) {
	protobuf := bytes.Join([][]byte{
		field(1, []byte{1 << 3}, binary.AppendUvarint(nil, 1_700_000_000), []byte{2 << 3}, binary.AppendUvarint(nil, 5e8)),
		field(2, []byte("camera")),
		field(3, field(1, double(1, 1.5), double(3, -2)), field(2, double(3, 0.6), double(4, 0.8))),
	}, nil)
	json := []byte(`{"timestamp":{"sec":1700000000,"nsec":500000000},"frame_id":"camera","pose":{"position":{"x":1.5,"y":0,"z":-2},"orientation":{"x":0,"y":0,"z":0.6,"w":0.8}}}`)
	for encoding, data := range map[string][]byte{"protobuf": protobuf, "json": json} {
		t.Run(encoding, func(t *testing.T) {
			count := 0
			err := record.Read(foxgloveFile(t, encoding, data), nil, func(m record.Message) error {
				count++
				p := m.Message.(*foxglove_msgs.PoseInFrame)
				if p.Timestamp != 1_700_000_000_500_000_000 || p.FrameID != "camera" || p.Pose.Position.X != 1.5 || p.Pose.Position.Z != -2 || p.Pose.Orientation.Z != 0.6 || p.Pose.Orientation.W != 0.8 {
					t.Errorf("%+v", p)
				}
				return nil
			})
			if err != nil || count != 1 {
				t.Errorf("%d messages, %v", count, err)
			}
			if err := record.Read(foxgloveFile(t, encoding, data[:len(data)-3]), nil, func(record.Message) error { return nil }); err == nil || !strings.Contains(err.Error(), "/pose at") {
				t.Errorf("of a message that is cut: %v", err)
			}
		})
	}
}

// TestNullOfFoxglove: null, which JavaScript writes for the NaN of a pose that was not measured, is NaN and not 0.
func TestNullOfFoxglove(t *testing.T) {
	json := []byte(`{"timestamp":{"sec":1,"nsec":0},"frame_id":"camera","pose":{"position":{"x":null,"z":-2},"orientation":{"x":0,"y":0,"z":null,"w":0.8}}}`)
	err := record.Read(foxgloveFile(t, "json", json), nil, func(m record.Message) error {
		p := m.Message.(*foxglove_msgs.PoseInFrame).Pose
		if !math.IsNaN(p.Position.X) || p.Position.Y != 0 || p.Position.Z != -2 || !math.IsNaN(p.Orientation.Z) || p.Orientation.W != 0.8 {
			t.Errorf("%+v", p)
		}
		return nil
	})
	record.Must(t, err)
}

// TestCutChunk: a file that is cut in its only chunk says the same to whoever reads it whole and to whoever looks for a moment.
func TestCutChunk(t *testing.T) {
	var out bytes.Buffer
	w, err := mcap.NewWriter(&out, &mcap.WriterOptions{Chunked: true, Compression: mcap.CompressionZSTD})
	record.Must(t, err)
	record.Must(t, w.WriteHeader(&mcap.Header{}))
	record.Must(t, w.WriteSchema(&mcap.Schema{ID: 1, Name: "geometry_msgs/msg/Pose", Encoding: "ros2msg"}))
	record.Must(t, w.WriteChannel(&mcap.Channel{ID: 1, SchemaID: 1, Topic: "/pose", MessageEncoding: "cdr"}))
	noise := make([]byte, 60) // which does not compress
	for i := range 200 {
		for k := range noise {
			noise[k] = byte(i*i*7 + k*k*13 + i*k*31)
		}
		record.Must(t, w.WriteMessage(&mcap.Message{ChannelID: 1, LogTime: uint64(start) + uint64(i), Data: noise}))
	}
	record.Must(t, w.Close())
	file := filepath.Join(t.TempDir(), "cut.mcap")
	record.Must(t, os.WriteFile(file, out.Bytes()[:200], 0o600))

	_, whole := record.Topics(file)
	x, moment := record.OpenIndex(file)
	if x != nil {
		record.Must(t, x.Close())
	}
	if !errors.Is(whole, record.ErrIncomplete) || moment == nil || whole.Error() != moment.Error() || !strings.Contains(whole.Error(), "the recording is not complete: byte ") || !strings.Contains(whole.Error(), "a chunk cannot be decompressed") {
		t.Errorf("%v\n%v", whole, moment)
	}
}
