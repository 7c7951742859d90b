package ros1

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// header is the header of a TCPROS connection: fields by name.
type header map[string]string

var errHeader = errors.New("bad connection header")

// readHeader reads a header and not a byte more. Memory follows what arrives,
// not what is announced.
func readHeader(r io.Reader) (header, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(size[:])
	if n == 0 || n > maxHeader {
		return nil, fmt.Errorf("%w: %d bytes announced, want 1…%d", errHeader, n, maxHeader)
	}
	var body bytes.Buffer
	if _, err := io.CopyN(&body, r, int64(n)); err != nil {
		return nil, err
	}
	return parseHeader(body.Bytes())
}

func parseHeader(body []byte) (header, error) {
	h := header{}
	for len(body) > 0 {
		if len(body) < 4 {
			return nil, fmt.Errorf("%w: %d bytes after the last field", errHeader, len(body))
		}
		n := binary.LittleEndian.Uint32(body)
		body = body[4:]
		if uint64(n) > uint64(len(body)) {
			return nil, fmt.Errorf("%w: a field of %d bytes where %d are left", errHeader, n, len(body))
		}
		name, value, ok := bytes.Cut(body[:n], []byte{'='})
		if !ok || len(name) == 0 {
			return nil, fmt.Errorf("%w: field %.20q is no name=value", errHeader, body[:n])
		}
		h[string(name)] = string(value)
		body = body[n:]
	}
	return h, nil
}

// append appends the header in wire form.
func (h header) append(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	for _, name := range slices.Sorted(maps.Keys(h)) {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(name)+1+len(h[name])))
		dst = append(dst, name...)
		dst = append(dst, '=')
		dst = append(dst, h[name]...)
	}
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
	return dst
}

// only keeps the named fields that are there.
func (h header) only(names ...string) header {
	out := header{}
	for _, n := range names {
		if v, ok := h[n]; ok {
			out[n] = v
		}
	}
	return out
}
