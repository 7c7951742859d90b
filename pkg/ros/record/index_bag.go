package record

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"time"
)

// hopBag finds the blocks of a bag. Their contents are in the index data after a chunk; a chunk
// without index data is read.
func (x *Index) hopBag(w *window) error {
	h := bagHop{index: x, w: w, decoder: x.scanner.decoder.(*bagDecoder)}
	pos := int64(len(bagMagic))
	for pos < w.size {
		next, err := h.record(pos)
		if err != nil {
			return fmt.Errorf("byte %d: %w", pos, errors.Join(h.end(), err))
		}
		pos = next
	}
	if err := h.end(); err != nil {
		return err
	}
	if !h.indexed {
		return errUnindexed
	}
	return nil
}

// bagHop is the state of a search for blocks.
type bagHop struct {
	index   *Index
	w       *window
	decoder *bagDecoder
	open    bool
	block   block
	indexed bool
}

// end adds the present chunk.
func (h *bagHop) end() error {
	if !h.open {
		return nil
	}
	h.open = false
	return h.index.add(h.block, len(h.block.channels) > 0)
}

// part returns n bytes of a record and the bytes after them.
func (h *bagHop) part(at, n int64) ([]byte, error) {
	b, err := h.w.peek(at, n)
	if err == nil && int64(len(b)) < n || errors.Is(err, io.EOF) {
		err = errCut
	}
	return b, err
}

// length reads the length at a byte of the file.
func (h *bagHop) length(at int64) (int64, error) {
	b, err := h.part(at, 4)
	if err != nil {
		return 0, err
	}
	c := cursor{b: b}
	return int64(c.u32()), nil
}

// record handles the record at a byte of the file and returns the position of the next.
func (h *bagHop) record(at int64) (next int64, err error) {
	n, err := h.length(at)
	if err != nil {
		return 0, err
	}
	if n > maxHeader {
		return 0, fmt.Errorf("%w of %d bytes; at most %d are read", errLongHeader, n, maxHeader)
	}
	b, err := h.part(at+4, n)
	if err != nil {
		return 0, err
	}
	f, err := parseFields(append([]byte(nil), b...))
	if err != nil {
		return 0, err
	}
	size, err := h.length(at + 4 + n)
	if err != nil {
		return 0, err
	}
	body := at + 8 + n
	if left := h.w.size - body; size > left {
		err := h.end()
		if f.op() == opChunk && err == nil {
			_ = h.take(f, body, left) // as far as it exists
			err = h.end()
		}
		return 0, cmp.Or(err, errCut)
	}
	return body + size, h.take(f, body, size)
}

// take handles a record with so many bytes of data.
func (h *bagHop) take(f fields, body, size int64) error {
	switch f.op() {
	case opBagHeader:
		h.indexed = f.getU64("index_pos") != 0
	case opChunk:
		if err := h.end(); err != nil {
			return err
		}
		h.open = true
		h.block = block{
			place: place{at: body, size: size, packing: string(f.get("compression")), unpacked: uint64(f.getU32("size"))},
			from:  math.MaxInt64, to: math.MinInt64, channels: map[uint32]bool{},
		}
	case opIndexData:
		return h.times(f.getU32("conn"), body, size)
	case opConnection:
		b, err := h.part(body, min(size, maxHeader))
		if err != nil {
			return err
		}
		return h.decoder.connection(f, b)
	}
	return nil
}

// times handles the index of a connection: the time and position of each message.
func (h *bagHop) times(connection uint32, body, size int64) error {
	const entryBytes = 12
	if !h.open || size < entryBytes || size > maxBlock {
		return nil
	}
	b, err := h.part(body, size)
	if err != nil {
		return err
	}
	h.block.channels[connection] = true
	for c := (cursor{b: b}); len(c.b) >= entryBytes; {
		at := time.Duration(c.u32()) * time.Second
		at += time.Duration(c.u32())
		c.u32()
		h.block.from, h.block.to = min(h.block.from, at), max(h.block.to, at)
	}
	return nil
}
