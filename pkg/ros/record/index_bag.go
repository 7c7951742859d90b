package record

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"time"
)

// hopBag finds the blocks of a bag. The index data that follow a chunk say what is in it; a chunk
// without them is read.
func (x *Index) hopBag(w *window) error {
	h := bagHop{index: x, w: w, decoder: x.scanner.decoder.(*bagDecoder)}
	pos := int64(len(bagMagic))
	for pos < w.size {
		next, err := h.record(pos)
		if err != nil {
			return errors.Join(h.end(), err)
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

// bagHop is what has been begun.
type bagHop struct {
	index   *Index
	w       *window
	decoder *bagDecoder
	open    bool
	block   block
	indexed bool
}

// end enters the chunk that has been begun.
func (h *bagHop) end() error {
	if !h.open {
		return nil
	}
	h.open = false
	return h.index.add(h.block, len(h.block.channels) > 0)
}

// part returns n bytes of a record and what follows them.
func (h *bagHop) part(at, n int64) ([]byte, error) {
	b, err := h.w.peek(at, n)
	if err == nil && int64(len(b)) < n || errors.Is(err, io.EOF) {
		err = errCut
	}
	return b, err
}

// length reads the length that is at a byte of the file.
func (h *bagHop) length(at int64) (int64, error) {
	b, err := h.part(at, 4)
	if err != nil {
		return 0, err
	}
	c := cursor{b: b}
	return int64(c.u32()), nil
}

// record takes the record at a byte of the file and returns where the next begins.
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
			_ = h.take(f, body, left) // what there is of it
			err = h.end()
		}
		return 0, cmp.Or(err, errCut)
	}
	return body + size, h.take(f, body, size)
}

// take takes a record of so many bytes of data.
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

// times takes the index of a connection: for each message its time and where it is.
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
