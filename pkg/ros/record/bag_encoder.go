package record

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"time"

	"sinew/msgs"
	"sinew/pkg/ros"
)

// bagEncoder writes bags of format 2.0, uncompressed as rosbag does. It replaces the library for
// bags, which can end a file only once.
type bagEncoder struct {
	node string
	info map[string]string

	records []byte // records of the open chunk
	indexes map[uint32][]bagEntry
	span    bagSpan

	full        packedList // of bagSpans
	open        bagSpan    // entry of the open chunk as last written
	connections []byte     // records
	count       uint32     // number of connections
	indexAt     int64      // byte at which the index begins
}

// bagEntry is the position of a message in a chunk.
type bagEntry struct {
	at     msgs.Time
	offset uint32
}

// bagSpan is the entry of a chunk in the index.
type bagSpan struct {
	at          int64 // byte of the file
	first, last msgs.Time
	counts      []bagCount // sorted by connection; empty if there is no chunk
}

type bagCount struct{ connection, messages uint32 }

func newBagEncoder(o Options) *bagEncoder {
	return &bagEncoder{node: o.Node, info: o.Info, indexes: make(map[uint32][]bagEntry)}
}

// bagHeaderBytes is the length of the padded bag header, which can therefore be overwritten.
const bagHeaderBytes = 4096

func (f *bagEncoder) head() ([]byte, error) {
	return append(slices.Clone(bagMagic), f.bagHeader(0)...), nil
}

// patch implements encoder: the bag header has the position of the index, 0 if there is none.
func (f *bagEncoder) patch(whole bool) ([]byte, int64) {
	at := int64(0)
	if whole {
		at = f.indexAt
	}
	return f.bagHeader(at), int64(len(bagMagic))
}

func (f *bagEncoder) bagHeader(indexAt int64) []byte {
	chunks := uint32(f.full.n)
	if len(f.open.counts) > 0 {
		chunks++
	}
	h := header(opBagHeader).u64("index_pos", uint64(indexAt)).u32("conn_count", f.count).u32("chunk_count", chunks).appendInfo(f.info)
	return h.record(nil, bytes.Repeat([]byte{' '}, bagHeaderBytes-len(h)))
}

func (f *bagEncoder) has(t *msgs.Type) bool     { return t.MD5 != "" }
func (f *bagEncoder) data(s *ros.Sample) []byte { return s.ROS1() }
func (f *bagEncoder) size() int                 { return len(f.records) }

func (f *bagEncoder) add(s *stream, at time.Duration, data []byte) error {
	if s.id == 0 {
		f.describe(s)
	}
	conn, stamp := s.id-1, msgs.At(at)
	if len(f.span.counts) == 0 || stamp < f.span.first {
		f.span.first = stamp
	}
	if len(f.span.counts) == 0 || stamp > f.span.last {
		f.span.last = stamp
	}
	f.span.count(conn)
	f.indexes[conn] = append(f.indexes[conn], bagEntry{stamp, uint32(len(f.records))})
	f.records = header(opMessage).u32("conn", conn).time("time", stamp).record(f.records, data)
	return nil
}

// count counts a message of a connection.
func (s *bagSpan) count(connection uint32) {
	i, known := slices.BinarySearchFunc(s.counts, connection, func(c bagCount, id uint32) int { return int(c.connection) - int(id) })
	if !known {
		s.counts = slices.Insert(s.counts, i, bagCount{connection: connection})
	}
	s.counts[i].messages++
}

// describe adds a topic.
func (f *bagEncoder) describe(s *stream) {
	t := s.topic.Type
	about := fieldsOf("topic", s.topic.Name).text("type", t.Name).text("md5sum", t.MD5).text("message_definition", t.Definition)
	if !s.arrived {
		about = about.text("callerid", f.node)
	}
	if s.topic.Original != "" {
		about = about.text(remappedFrom, s.topic.Original)
	}
	if s.topic.Latched {
		about = about.text("latching", "1")
	}
	record := header(opConnection).u32("conn", f.count).text("topic", s.topic.Name).record(nil, about)
	f.count++
	s.id = f.count
	f.connections = append(f.connections, record...)
	f.records = append(f.records, record...)
}

// chunk implements encoder.
func (f *bagEncoder) chunk(out []byte, at int64) ([]byte, error) {
	f.open = f.span
	f.open.at, f.open.counts = at, slices.Clone(f.span.counts)
	if len(f.records) == 0 {
		return out, nil
	}
	out = header(opChunk).text("compression", "none").u32("size", uint32(len(f.records))).record(out, f.records)
	for _, c := range f.open.counts {
		entries := make([]byte, 0, 12*c.messages)
		for _, e := range f.indexes[c.connection] {
			entries = binary.LittleEndian.AppendUint32(appendTime(entries, e.at), e.offset)
		}
		out = header(opIndexData).u32("ver", 1).u32("conn", c.connection).u32("count", c.messages).record(out, entries)
	}
	return out, nil
}

func (f *bagEncoder) seal() {
	f.full.add(f.open.pack(nil))
	f.drop()
}

func (f *bagEncoder) drop() {
	f.records, f.span, f.open = f.records[:0], bagSpan{}, bagSpan{}
	clear(f.indexes)
}

// tail implements encoder: all connections, then the contents of each chunk.
func (f *bagEncoder) tail(out io.Writer, at int64) error {
	f.indexAt = at
	if _, err := out.Write(f.connections); err != nil {
		return err
	}
	var record []byte
	write := func(s *bagSpan) error {
		record = s.record(record[:0])
		_, err := out.Write(record)
		return err
	}
	err := f.full.each(func(b []byte) ([]byte, error) {
		var s bagSpan
		return s.unpack(b), write(&s)
	})
	if err != nil || len(f.open.counts) == 0 {
		return err
	}
	return write(&f.open)
}

// pack appends the entry to dst for a packedList.
func (s *bagSpan) pack(dst []byte) []byte {
	for _, v := range [...]int64{s.at, int64(s.first), int64(s.last - s.first), int64(len(s.counts))} {
		dst = binary.AppendVarint(dst, v)
	}
	for _, c := range s.counts {
		dst = binary.AppendVarint(binary.AppendVarint(dst, int64(c.connection)), int64(c.messages))
	}
	return dst
}

// unpack reads an entry that pack has appended, and returns the remaining bytes.
func (s *bagSpan) unpack(b []byte) []byte {
	next := func() int64 {
		v, n := binary.Varint(b)
		b = b[n:]
		return v
	}
	s.at, s.first = next(), msgs.Time(next())
	s.last = s.first + msgs.Time(next())
	s.counts = make([]bagCount, next())
	for i := range s.counts {
		s.counts[i] = bagCount{uint32(next()), uint32(next())}
	}
	return b
}

func (s *bagSpan) record(dst []byte) []byte {
	h := header(opChunkInfo).u32("ver", 1).u64("chunk_pos", uint64(s.at)).time("start_time", s.first).time("end_time", s.last)
	var data []byte
	for _, c := range s.counts {
		data = binary.LittleEndian.AppendUint32(data, c.connection)
		data = binary.LittleEndian.AppendUint32(data, c.messages)
	}
	return h.u32("count", uint32(len(s.counts))).record(dst, data)
}
