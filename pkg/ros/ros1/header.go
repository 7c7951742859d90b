package ros1

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/bluenviron/goroslib/v2/pkg/protocommon"
)

var errHeader = errors.New("bad connection header")

// readHeader reads a connection header and no byte more. It allocates in proportion to the bytes
// that arrive; goroslib, which allocates the announced length, parses the complete header.
func readHeader(r io.Reader) (protocommon.HeaderRaw, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(size[:])
	if n == 0 || n > maxHeader {
		return nil, fmt.Errorf("%w: %d bytes announced, want 1…%d", errHeader, n, maxHeader)
	}
	wire := bytes.NewBuffer(size[:])
	if _, err := io.CopyN(wire, r, int64(n)); err != nil {
		return nil, err
	}
	h, err := protocommon.HeaderRawDecode(wire)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errHeader, err)
	}
	if _, nameless := h[""]; nameless {
		return nil, fmt.Errorf("%w: a field has no name", errHeader)
	}
	return h, nil
}

// writeHeader sends one of goroslib's header structs in one write.
func writeHeader(c net.Conn, h protocommon.Header) error {
	var wire bytes.Buffer
	if err := protocommon.HeaderEncode(&wire, h); err != nil {
		return err
	}
	_, err := c.Write(wire.Bytes())
	return err
}
