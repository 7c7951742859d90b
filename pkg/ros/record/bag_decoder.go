package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"time"
)

var bagMagic = []byte("#ROSBAG V2.0\n")

// The records of a bag, by the field op of their header.
const (
	opMessage    = 2
	opBagHeader  = 3
	opIndexData  = 4
	opChunk      = 5
	opChunkInfo  = 6
	opConnection = 7
)

// bagDecoder reads the format 2.0 of ROS 1 bags.
type bagDecoder struct {
	r     io.ReaderAt
	size  int64
	table *channelTable
}

// maxHeader bounds the header of a record, which has only a few short fields (bytes).
const maxHeader = 1 << 20

var (
	errUnindexed  = errors.New("the bag was not closed: it has no index")
	errLongHeader = errors.New("a record header")
)

// walk implements decoder.
func (f *bagDecoder) walk(visit func(place, []byte) error, fault func(int64, error)) error {
	pos := int64(len(bagMagic))
	in := bufio.NewReaderSize(io.NewSectionReader(f.r, pos, f.size-pos), 1<<16)
	indexed := false
	for {
		head, n, err := readBagHead(in)
		body := pos + int64(len(head)) + 8
		left := f.size - body
		switch {
		case errors.Is(err, io.EOF):
			if !indexed {
				fault(pos, errUnindexed)
			}
			return nil
		case errors.Is(err, errLongHeader):
			fault(pos, err) // the beginning of the next record is only an estimate now
			return nil
		case err != nil:
			fault(pos, cause(err, errCut))
			return ioError(err)
		case n > left:
			fault(pos, errCut)
			n = left
		}
		fields, err := parseFields(head)
		if err != nil {
			fault(pos, err) // likewise
			return nil
		}
		if fields.op() == opBagHeader {
			indexed = fields.getU64("index_pos") != 0
		}
		if err := f.record(in, place{at: body, size: n}, fields, visit, fault); err != nil {
			return ioError(err)
		}
		pos = body + n
	}
}

// record reads the data of the record at place p from in.
func (f *bagDecoder) record(in io.Reader, p place, fields fields, visit func(place, []byte) error, fault func(int64, error)) error {
	op := fields.op()
	if op != opChunk && op != opConnection {
		return discard(in, p.size)
	}
	if p.size > maxBlock {
		fault(p.at, fmt.Errorf("a record of %d bytes; at most %d are read", p.size, maxBlock))
		return discard(in, p.size)
	}
	data, err := appendFrom(nil, in, int(p.size))
	if err != nil {
		return err
	}
	if op == opChunk {
		p.packing, p.unpacked = string(fields.get("compression")), uint64(fields.getU32("size"))
		err = visit(p, data)
	} else {
		err = f.connection(fields, data)
	}
	if err != nil {
		fault(p.at, err)
	}
	return nil
}

// readBagHead reads the header of a record and the length of its data. At the end
// of the file the error is io.EOF.
func readBagHead(in io.Reader) (head []byte, n int64, err error) {
	var word [4]byte
	if _, err := io.ReadFull(in, word[:]); err != nil {
		return nil, 0, err
	}
	c := cursor{b: word[:]}
	size := c.u32()
	if size > maxHeader {
		return nil, 0, fmt.Errorf("%w of %d bytes; at most %d are read", errLongHeader, size, maxHeader)
	}
	if head, err = appendFrom(nil, in, int(size)); err == nil {
		_, err = io.ReadFull(in, word[:])
	}
	if err != nil {
		return nil, 0, cause(err, io.ErrUnexpectedEOF)
	}
	c = cursor{b: word[:]}
	return head, int64(c.u32()), nil
}

// split implements decoder.
func (f *bagDecoder) split(raw []byte, visit func(*channel, time.Duration, []byte) error) error {
	c := cursor{b: raw}
	for len(c.b) > 0 {
		head := c.take(uint64(c.u32()))
		data := c.take(uint64(c.u32()))
		if c.short {
			return errCut
		}
		fields, err := parseFields(head)
		if err != nil {
			return err
		}
		switch fields.op() {
		case opConnection:
			err = f.connection(fields, data)
		case opMessage:
			ch := f.table.channels[fields.getU32("conn")]
			if ch == nil {
				return errNoChannel
			}
			err = visit(ch, fields.getTime("time"), data)
		default:
			err = fmt.Errorf("a record of kind %d within a chunk", fields.op())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// connection adds a connection record, whose data are a header themselves.
func (f *bagDecoder) connection(fields fields, data []byte) error {
	about, err := parseFields(data)
	if err != nil {
		return err
	}
	c := channel{topic: string(fields.get("topic")), typeName: string(about.get("type")), original: string(about.get(remappedFrom))}
	if t := knownType(c.typeName); t != nil && t.MD5 != "" && t.MD5 == string(about.get("md5sum")) {
		c.typ = t
	}
	_, err = f.table.add(fields.getU32("conn"), c)
	return err
}
