package record

import (
	"encoding/binary"
	"errors"
	"io"
	"slices"
)

// cursor reads little-endian values from bytes, front to back. If there are too few bytes it is
// short from then on and returns zeros.
type cursor struct {
	b     []byte
	short bool
}

var zeros [8]byte

// take returns the next n bytes; when short, up to eight zeros.
func (c *cursor) take(n uint64) []byte {
	if c.short || n > uint64(len(c.b)) {
		c.short, c.b = true, nil
		return zeros[:min(n, uint64(len(zeros)))]
	}
	v := c.b[:n]
	c.b = c.b[n:]
	return v
}

func (c *cursor) u32() uint32 { return binary.LittleEndian.Uint32(c.take(4)) }
func (c *cursor) u64() uint64 { return binary.LittleEndian.Uint64(c.take(8)) }

// appendFrom appends n bytes of r to dst.
func appendFrom(dst []byte, r io.Reader, n int) ([]byte, error) {
	end := len(dst)
	dst = slices.Grow(dst, n)[:end+n]
	_, err := io.ReadFull(r, dst[end:])
	return dst, err
}

// discard skips n bytes of r.
func discard(r io.Reader, n int64) error {
	_, err := io.CopyN(io.Discard, r, n)
	return err
}

// isEnd reports whether err is the end of the file.
func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// ioError returns err, or nil if err is the end of the file.
func ioError(err error) error {
	if isEnd(err) {
		return nil
	}
	return err
}

// cause returns end if err is the end of the file, otherwise err.
func cause(err, end error) error {
	if isEnd(err) {
		return end
	}
	return err
}
