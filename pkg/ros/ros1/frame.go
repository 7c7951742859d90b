package ros1

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// errPeer marks a peer that violates the protocol or has another type, as opposed to the end of a
// connection.
var errPeer = errors.New("incompatible peer")

const (
	// growth is how many bytes readFrame allocates beyond those that have arrived.
	growth = 64 << 10
	// maxKept is the largest buffer that is kept for the next message, in bytes.
	maxKept = 1 << 20
)

// readFrame reads a message of at most limit bytes, which follows its length, into buf. If buf is
// too small it allocates in proportion to the bytes that arrive.
func readFrame(r io.Reader, buf []byte, limit uint32) ([]byte, error) {
	if cap(buf) > maxKept || cap(buf) < 4 {
		buf = make([]byte, 4, 512)
	}
	if _, err := io.ReadFull(r, buf[:4]); err != nil {
		return buf, err
	}
	n := binary.LittleEndian.Uint32(buf[:4])
	if n > limit {
		return buf, fmt.Errorf("%w: a message of %d bytes is larger than %d", errPeer, n, limit)
	}
	size := int(n)
	for buf = buf[:0]; len(buf) < size; {
		have := len(buf)
		step := min(size-have, max(cap(buf)-have, have, growth))
		buf = slices.Grow(buf, step)[:have+step]
		if _, err := io.ReadFull(r, buf[have:]); err == io.EOF {
			return buf, io.ErrUnexpectedEOF
		} else if err != nil {
			return buf, err
		}
	}
	return buf, nil
}
