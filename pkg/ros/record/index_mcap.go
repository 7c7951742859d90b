package record

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/foxglove/mcap/go/mcap"
)

// maxChunkHead exceeds the bytes of a chunk before its records: times, sizes and a short name.
const maxChunkHead = 128

// hopMCAP finds the blocks of an .mcap file. Their contents are in the message indexes after a
// chunk; a chunk without message indexes is read.
func (x *Index) hopMCAP(w *window) (err error) {
	h := mcapHop{index: x, w: w}
	pos := int64(len(mcapMagic))
	defer func() {
		if err != nil {
			err = fmt.Errorf("byte %d: %w", pos, err)
		}
	}()
	for {
		head, err := w.peek(pos, recordHead)
		if err != nil || len(head) < recordHead {
			return errors.Join(h.end(), unlessEOF(err, errNoEnd))
		}
		op := mcap.OpCode(head[0])
		c := cursor{b: head[1:]}
		n := c.u64()
		if op == mcap.OpDataEnd || op == mcap.OpFooter {
			return h.end()
		}
		if left := w.size - pos - recordHead; n > uint64(left) {
			err := h.end()
			if op == mcap.OpChunk && err == nil {
				_ = h.chunk(pos+recordHead, left) // as far as it exists
				err = h.end()
			}
			return cmp.Or(err, errCut)
		}
		if err := h.record(op, pos, int64(n)); err != nil {
			return err
		}
		pos += recordHead + int64(n)
	}
}

func unlessEOF(err, otherwise error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return otherwise
	}
	return err
}

// mcapHop is the state of a search for blocks.
type mcapHop struct {
	index *Index
	w     *window
	open  bool  // block has begun
	block block // a chunk whose indexes follow, or a run of records without a chunk
	run   bool
	known bool // indexes have followed
}

// end adds the present block.
func (h *mcapHop) end() error {
	if !h.open {
		return nil
	}
	h.open = false
	return h.index.add(h.block, h.known)
}

// record handles a record whose head is at a byte of the file and whose content has n bytes.
func (h *mcapHop) record(op mcap.OpCode, at, n int64) error {
	body := at + recordHead
	switch op {
	case mcap.OpChunk:
		if err := h.end(); err != nil {
			return err
		}
		return h.chunk(body, n)
	case mcap.OpMessageIndex:
		if !h.open || h.run {
			return nil
		}
		b, err := h.w.peek(body, 6)
		if err != nil || len(b) < 6 {
			return errCut
		}
		if b[2]|b[3]|b[4]|b[5] != 0 { // it has entries
			h.block.channels[uint32(b[0])|uint32(b[1])<<8] = true
		}
		h.known = true
		return nil
	case mcap.OpSchema, mcap.OpChannel, mcap.OpMessage:
		return h.single(at, recordHead+n)
	}
	return h.end()
}

// chunk begins the block of a chunk.
func (h *mcapHop) chunk(at, n int64) error {
	b, err := h.w.peek(at, min(n, maxChunkHead))
	if err != nil {
		return err
	}
	c := cursor{b: b}
	from, to, unpacked := c.u64(), c.u64(), c.u64()
	crc := c.u32()
	packing := string(c.take(uint64(c.u32())))
	size := c.u64()
	start := int64(len(b) - len(c.b))
	if c.short {
		return errCut
	}
	size = min(size, uint64(n-start))
	if from > math.MaxInt64 || to > math.MaxInt64 || from > to {
		return fmt.Errorf("a chunk of messages from %d to %d ns since 1970, which no clock shows", from, to)
	}
	h.open, h.run, h.known = true, false, false
	h.block = block{
		place: place{at: at + start, size: int64(size), packing: packing, unpacked: unpacked, crc: crc},
		from:  time.Duration(from), to: time.Duration(to), channels: map[uint32]bool{},
	}
	return nil
}

// single adds a record outside chunks to a run, which is read at its end.
func (h *mcapHop) single(at, n int64) error {
	if h.open && (!h.run || h.block.size+n > runBytes) {
		if err := h.end(); err != nil {
			return err
		}
	}
	if !h.open {
		h.open, h.run, h.known = true, true, false
		h.block = block{place: place{at: at}, channels: map[uint32]bool{}}
	}
	h.block.size += n
	h.block.unpacked = uint64(h.block.size)
	return nil
}
