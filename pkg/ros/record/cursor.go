package record

import (
	"encoding/binary"
	"errors"
	"io"
	"slices"
)

// cursor takes little-endian values off bytes, front to back. When there are too
// few it is short from then on, and gives zeros.
type cursor struct {
	b     []byte
	short bool
}

var zeros [8]byte

// take gives the next n bytes: when short, up to eight zeros.
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

// discard passes over n bytes of r.
func discard(r io.Reader, n int64) error {
	_, err := io.CopyN(io.Discard, r, n)
	return err
}

// isEnd reports whether err only says that the file ends.
func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// ioError is err unless it only says that the file ends.
func ioError(err error) error {
	if isEnd(err) {
		return nil
	}
	return err
}

// cause is end where err only says that the file ends, otherwise err.
func cause(err, end error) error {
	if isEnd(err) {
		return end
	}
	return err
}
