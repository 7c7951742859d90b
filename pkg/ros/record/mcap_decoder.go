package record

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/foxglove/mcap/go/mcap"
)

var mcapMagic = mcap.Magic

// mcapDecoder reads the MCAP format. The library's own readers trust lengths in the file, and need
// its end.
type mcapDecoder struct {
	r       io.ReaderAt
	size    int64
	table   *channelTable
	schemas map[uint16]schema
}

// schema is the type of a channel.
type schema struct{ name, encoding string }

func newMCAPDecoder(r io.ReaderAt, size int64, t *channelTable) *mcapDecoder {
	return &mcapDecoder{r: r, size: size, table: t, schemas: make(map[uint16]schema)}
}

// recordHead is the length of an opcode and of a length.
const recordHead = 9

// runBytes is the size of a block of a file without chunks.
const runBytes = 1 << 20

var (
	errNoEnd = errors.New("the file ends here, without the end of a recording")
	errCut   = errors.New("the file ends within a record")
)

// walk implements decoder.
func (f *mcapDecoder) walk(visit func(place, []byte) error, fault func(int64, error)) error {
	pos := int64(len(mcapMagic))
	w := &mcapWalk{
		file: f, pos: pos, visit: visit, fault: fault,
		in: bufio.NewReaderSize(io.NewSectionReader(f.r, pos, f.size-pos), 1<<16),
	}
	for {
		if more, err := w.next(); err != nil || !more {
			w.endRun()
			return ioError(err)
		}
	}
}

// mcapWalk is the state of a walk.
type mcapWalk struct {
	file  *mcapDecoder
	in    *bufio.Reader
	pos   int64 // byte at which the next record begins
	visit func(place, []byte) error
	fault func(int64, error)

	run   []byte // records outside chunks that are not visited yet
	runAt int64  // byte at which the run begins
}

// next handles the next record and reports whether there may be more.
func (w *mcapWalk) next() (more bool, err error) {
	var head [recordHead]byte
	if _, err := io.ReadFull(w.in, head[:]); err != nil {
		w.fault(w.pos, cause(err, errNoEnd))
		return false, err
	}
	op, n := mcap.OpCode(head[0]), binary.LittleEndian.Uint64(head[1:])
	if op == mcap.OpDataEnd || op == mcap.OpFooter {
		return false, nil
	}
	at, body := w.pos, w.pos+recordHead
	left := uint64(w.file.size - body)
	if n > left && op != mcap.OpChunk {
		w.fault(at, errCut)
		return false, nil
	}
	there := int(min(n, left))
	w.pos = body + int64(there)
	switch {
	case there > maxBlock && op != mcap.OpAttachment: // of a chunk that is cut, too
		w.fault(at, fmt.Errorf("a record of %d bytes; at most %d are read", n, maxBlock))
		return n <= left, discard(w.in, int64(there))
	case op == mcap.OpChunk:
		return n <= left, w.chunk(at, there, n > left)
	case op == mcap.OpSchema || op == mcap.OpChannel || op == mcap.OpMessage:
		return true, w.single(at, head[:], there)
	}
	w.endRun()
	return true, discard(w.in, int64(there))
}

// chunk visits a chunk of n bytes in the file, whose record is at a byte of it, and which may be cut.
func (w *mcapWalk) chunk(at int64, n int, cut bool) error {
	w.endRun()
	b, err := appendFrom(nil, w.in, n)
	if err != nil {
		return err
	}
	if err := w.file.chunk(at+recordHead, b, w.visit); err != nil || cut {
		w.fault(at, cmp.Or(err, errCut))
	}
	return nil
}

// single adds a record outside chunks to a run.
func (w *mcapWalk) single(at int64, head []byte, n int) (err error) {
	if len(w.run) == 0 {
		w.runAt = at
	}
	w.run, err = appendFrom(append(w.run, head...), w.in, n)
	if len(w.run) >= runBytes {
		w.endRun()
	}
	return err
}

// endRun visits a run.
func (w *mcapWalk) endRun() {
	if n := len(w.run); n > 0 {
		if err := w.visit(place{at: w.runAt, size: int64(n), unpacked: uint64(n)}, w.run); err != nil {
			w.fault(w.runAt, err)
		}
	}
	w.run = w.run[:0]
}

// chunk visits the records of a chunk record whose content begins at a byte of
// the file.
func (f *mcapDecoder) chunk(at int64, b []byte, visit func(place, []byte) error) error {
	c := cursor{b: b}
	c.take(16) // times, which are computed from the messages
	size, crc := c.u64(), c.u32()
	packing := string(c.take(uint64(c.u32())))
	n := c.u64()
	if c.short {
		return errCut
	}
	packed := c.b[:min(n, uint64(len(c.b)))]
	p := place{at + int64(len(b)-len(c.b)), int64(len(packed)), packing, size, crc}
	return visit(p, packed)
}

// split implements decoder. It skips records of unknown kinds.
func (f *mcapDecoder) split(raw []byte, visit func(*channel, time.Duration, []byte) error) error {
	c := cursor{b: raw}
	for len(c.b) > 0 {
		op := mcap.OpCode(c.take(1)[0])
		body := c.take(c.u64())
		if c.short {
			return errCut
		}
		var err error
		switch op {
		case mcap.OpSchema:
			err = f.addSchema(body)
		case mcap.OpChannel:
			err = f.addChannel(body)
		case mcap.OpMessage:
			err = f.message(body, visit)
		case mcap.OpReserved, mcap.OpHeader, mcap.OpFooter, mcap.OpChunk, mcap.OpMessageIndex, mcap.OpChunkIndex, mcap.OpAttachment,
			mcap.OpAttachmentIndex, mcap.OpStatistics, mcap.OpMetadata, mcap.OpMetadataIndex, mcap.OpSummaryOffset, mcap.OpDataEnd:
			err = fmt.Errorf("a record %v within a chunk", op)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *mcapDecoder) addSchema(body []byte) error {
	s, err := mcap.ParseSchema(body)
	if err != nil {
		return err
	}
	if len(s.Name) > maxName || len(s.Encoding) > maxName {
		return fmt.Errorf("a name of more than %d bytes", maxName)
	}
	f.schemas[s.ID] = schema{s.Name, s.Encoding}
	return nil
}

func (f *mcapDecoder) addChannel(body []byte) error {
	ch, err := mcap.ParseChannel(body)
	if err != nil {
		return err
	}
	s := f.schemas[ch.SchemaID]
	c := channel{topic: ch.Topic, typeName: ros1Name(s.name), original: ch.Metadata[remappedFrom]}
	known := knownType(s.name)
	switch {
	case known == nil:
	case ch.MessageEncoding == "cdr" && known.DDSName != "":
		c.typ, c.encoding = known, encodingCDR
	case ch.MessageEncoding == "ros1" && known.MD5 != "":
		c.typ = known
	}
	if foxglove := foxgloveTypes[s.name]; foxglove != nil && c.typ == nil {
		switch ch.MessageEncoding {
		case "json":
			c.typ, c.encoding = foxglove, encodingJSON
		case "protobuf":
			c.typ, c.encoding = foxglove, encodingProtobuf
		}
	}
	_, err = f.table.add(uint32(ch.ID), c)
	return err
}

func (f *mcapDecoder) message(body []byte, visit func(*channel, time.Duration, []byte) error) error {
	var m mcap.Message
	if err := m.PopulateFrom(body, false); err != nil {
		return err
	}
	ch := f.table.channels[uint32(m.ChannelID)]
	switch {
	case ch == nil:
		return errNoChannel
	case m.LogTime > math.MaxInt64:
		return fmt.Errorf("a message at %d ns since 1970, which no clock shows", m.LogTime)
	}
	return visit(ch, time.Duration(m.LogTime), m.Data)
}
