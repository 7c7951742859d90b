package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"time"

	"sinew/msgs"
)

// fields is the header of a bag's record: for each field a length, then
// name=value.
type fields []byte

// header begins the header of a record of a kind.
func header(op byte) fields { return append(make(fields, 0, 128).name("op", 1), op) }

// fieldsOf begins a list of fields.
func fieldsOf(name, value string) fields { return fields{}.text(name, value) }

// name begins a field whose value has n bytes.
func (f fields) name(name string, n int) fields {
	f = binary.LittleEndian.AppendUint32(f, uint32(len(name)+1+n))
	return append(append(f, name...), '=')
}

func (f fields) text(name, value string) fields { return append(f.name(name, len(value)), value...) }

func (f fields) u32(name string, v uint32) fields {
	return binary.LittleEndian.AppendUint32(f.name(name, 4), v)
}

func (f fields) u64(name string, v uint64) fields {
	return binary.LittleEndian.AppendUint64(f.name(name, 8), v)
}

func (f fields) time(name string, t msgs.Time) fields { return appendTime(f.name(name, 8), t) }

// record appends a record of this header to dst.
func (f fields) record(dst, data []byte) []byte {
	dst = append(binary.LittleEndian.AppendUint32(dst, uint32(len(f))), f...)
	return append(binary.LittleEndian.AppendUint32(dst, uint32(len(data))), data...)
}

// appendTime appends seconds and nanoseconds.
func appendTime(dst []byte, t msgs.Time) []byte {
	sec, nsec := t.ROS1()
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(dst, sec), nsec)
}

// parseFields checks that a header is well formed.
func parseFields(head []byte) (fields, error) {
	c := cursor{b: head}
	for len(c.b) > 0 {
		field := c.take(uint64(c.u32()))
		if c.short || bytes.IndexByte(field, '=') < 0 {
			return nil, errors.New("a header that is no list of name=value")
		}
	}
	return fields(head), nil
}

// get returns the value of a field, empty if there is none.
func (f fields) get(name string) []byte {
	c := cursor{b: f}
	for len(c.b) > 0 {
		if n, value, _ := bytes.Cut(c.take(uint64(c.u32())), []byte("=")); string(n) == name {
			return value
		}
	}
	return nil
}

// op returns the kind of record, 0 if there is none.
func (f fields) op() byte {
	if v := f.get("op"); len(v) == 1 {
		return v[0]
	}
	return 0
}

func (f fields) getU32(name string) uint32 { c := cursor{b: f.get(name)}; return c.u32() }
func (f fields) getU64(name string) uint64 { c := cursor{b: f.get(name)}; return c.u64() }

// getTime reads seconds and nanoseconds.
func (f fields) getTime(name string) time.Duration {
	c := cursor{b: f.get(name)}
	return time.Duration(c.u32())*time.Second + time.Duration(c.u32())
}
