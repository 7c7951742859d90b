package record

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"time"

	"github.com/foxglove/mcap/go/mcap"

	"sinew/msgs"
	"sinew/pkg/ros"
)

// mcapEncoder writes MCAP of the profile "ros2". The records are the library's, whose own Writer
// would end a file only once. Chunks are not compressed, as is the default of rosbag2: that costs
// the least beside a running robot, and every reader supports it.
type mcapEncoder struct {
	options Options

	records  bytes.Buffer // records of the open chunk
	chunks   *mcap.Writer // into records
	indexes  map[uint16]*mcap.MessageIndex
	from, to uint64 // log times in the open chunk

	schemas     map[*msgs.Type]uint16
	full        chunkList
	open        *mcap.ChunkIndex // entry of the open chunk as last written, nil if it was empty
	attachments []*mcap.AttachmentIndex
	metadata    []*mcap.MetadataIndex
	described   []*mcap.Schema
	channels    []*mcap.Channel
}

func newMCAPEncoder(o Options) *mcapEncoder {
	f := &mcapEncoder{options: o, schemas: make(map[*msgs.Type]uint16)}
	f.chunks = bare(&f.records)
	f.begin()
	return f
}

// bare returns a writer of records only. It cannot fail: the library only checks the options.
func bare(out io.Writer) *mcap.Writer {
	w, err := mcap.NewWriter(out, &mcap.WriterOptions{SkipMagic: true, OverrideLibrary: true})
	if err != nil {
		panic("record: " + err.Error())
	}
	return w
}

// begin opens a chunk.
func (f *mcapEncoder) begin() {
	f.records.Reset()
	f.indexes = make(map[uint16]*mcap.MessageIndex)
	f.from, f.to = math.MaxUint64, 0
}

func (f *mcapEncoder) head() ([]byte, error) {
	var out bytes.Buffer
	out.Write(mcap.Magic)
	w := bare(&out)
	if err := w.WriteHeader(&mcap.Header{Profile: "ros2", Library: "sinew"}); err != nil {
		return nil, err
	}
	if f.options.Robot != nil {
		if err := w.WriteAttachment(&mcap.Attachment{
			LogTime: uint64(f.options.Created), CreateTime: uint64(f.options.Created),
			Name: f.options.RobotName, MediaType: "application/yaml",
			DataSize: uint64(len(f.options.Robot)), Data: bytes.NewReader(f.options.Robot),
		}); err != nil {
			return nil, err
		}
	}
	for _, m := range []mcap.Metadata{
		{Name: InfoName, Metadata: f.options.Info},
		// marks for rosbag2 that QoS are numbers
		{Name: "rosbag2", Metadata: map[string]string{"ROS_DISTRO": "unknown"}},
	} {
		if err := w.WriteMetadata(&m); err != nil {
			return nil, err
		}
	}
	f.attachments, f.metadata = w.AttachmentIndexes, w.MetadataIndexes
	for _, a := range f.attachments {
		a.Offset += uint64(len(mcap.Magic))
	}
	for _, m := range f.metadata {
		m.Offset += uint64(len(mcap.Magic))
	}
	return out.Bytes(), nil
}

func (f *mcapEncoder) has(t *msgs.Type) bool      { return t.DDSName != "" }
func (f *mcapEncoder) data(s *ros.Sample) []byte  { return s.CDR() }
func (f *mcapEncoder) size() int                  { return f.records.Len() }
func (f *mcapEncoder) patch(bool) ([]byte, int64) { return nil, 0 }

func (f *mcapEncoder) add(s *stream, at time.Duration, data []byte) error {
	if s.id == 0 {
		if err := f.describe(s); err != nil {
			return err
		}
	}
	id, t := uint16(s.id), uint64(max(at, 0))
	index := f.indexes[id]
	if index == nil {
		index = &mcap.MessageIndex{ChannelID: id}
		f.indexes[id] = index
	}
	index.Add(t, uint64(f.records.Len()))
	f.from, f.to = min(f.from, t), max(f.to, t)
	return f.chunks.WriteMessage(&mcap.Message{ChannelID: id, Sequence: s.count, LogTime: t, PublishTime: t, Data: data})
}

// describe adds a topic, and its type if it is new.
func (f *mcapEncoder) describe(s *stream) error {
	if len(f.channels) >= math.MaxUint16 {
		return fmt.Errorf("more than %d topics", math.MaxUint16)
	}
	t := s.topic.Type
	if f.schemas[t] == 0 {
		f.schemas[t] = uint16(len(f.schemas) + 1)
		schema := &mcap.Schema{ID: f.schemas[t], Name: t.ROS2Name, Encoding: "ros2msg", Data: []byte(t.Schema)}
		f.described = append(f.described, schema)
		if err := f.chunks.WriteSchema(schema); err != nil {
			return err
		}
	}
	s.id = uint32(len(f.channels) + 1)
	channel := &mcap.Channel{
		ID: uint16(s.id), SchemaID: f.schemas[t], Topic: s.topic.Name, MessageEncoding: "cdr",
		Metadata: map[string]string{"offered_qos_profiles": offeredQoS(s.topic), "topic_type_hash": t.Hash},
	}
	if s.topic.Original != "" {
		channel.Metadata[remappedFrom] = s.topic.Original
	}
	f.channels = append(f.channels, channel)
	return f.chunks.WriteChannel(channel)
}

// chunk implements encoder.
func (f *mcapEncoder) chunk(dst []byte, at int64) ([]byte, error) {
	f.open = nil
	if f.records.Len() == 0 {
		return dst, nil
	}
	out := bytes.NewBuffer(dst)
	w := bare(out)
	var indexes []*mcap.MessageIndex
	for _, c := range f.channels {
		if index := f.indexes[c.ID]; index != nil {
			indexes = append(indexes, index)
		}
	}
	err := w.WriteChunkWithIndexes(&mcap.Chunk{
		MessageStartTime: f.from, MessageEndTime: f.to, UncompressedSize: uint64(f.records.Len()),
		UncompressedCRC: crc32.ChecksumIEEE(f.records.Bytes()), Records: f.records.Bytes(),
	}, indexes)
	if err != nil {
		return nil, err
	}
	f.open = w.ChunkIndexes[0]
	f.open.ChunkStartOffset += uint64(at)
	for id := range f.open.MessageIndexOffsets {
		f.open.MessageIndexOffsets[id] += uint64(at)
	}
	return out.Bytes(), nil
}

func (f *mcapEncoder) seal() {
	if f.open != nil {
		f.full.add(f.open)
	}
	f.drop()
}

func (f *mcapEncoder) drop() {
	f.open = nil
	f.begin()
}
