package record

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/foxglove/mcap/go/mcap"
)

// chunkList is the index of the full chunks of a recording. It takes a hundred bytes for each,
// while the library's entries, with a map each, take fifteen times as much.
type chunkList struct {
	entries packedList
	scratch []byte
}

// add appends a chunk, which is not compressed.
func (l *chunkList) add(c *mcap.ChunkIndex) {
	b := l.scratch[:0]
	for _, v := range [...]uint64{
		c.MessageStartTime, c.MessageEndTime - c.MessageStartTime, c.ChunkStartOffset, c.ChunkLength,
		c.MessageIndexLength, c.CompressedSize, c.UncompressedSize, uint64(len(c.MessageIndexOffsets)),
	} {
		b = binary.AppendUvarint(b, v)
	}
	before := c.ChunkStartOffset
	for _, channel := range slices.Sorted(maps.Keys(c.MessageIndexOffsets)) {
		at := c.MessageIndexOffsets[channel]
		b = binary.AppendVarint(binary.AppendUvarint(b, uint64(channel)), int64(at-before))
		before = at
	}
	l.entries.add(b)
	l.scratch = b
}

// each calls use with the entry of each chunk, in order, until one fails.
func (l *chunkList) each(use func(*mcap.ChunkIndex) error) error {
	return l.entries.each(func(b []byte) ([]byte, error) {
		next := func() uint64 {
			v, n := binary.Uvarint(b)
			b = b[n:]
			return v
		}
		var c mcap.ChunkIndex
		c.MessageStartTime = next()
		c.MessageEndTime = c.MessageStartTime + next()
		c.ChunkStartOffset, c.ChunkLength = next(), next()
		c.MessageIndexLength, c.CompressedSize, c.UncompressedSize = next(), next(), next()
		channels := next()
		c.MessageIndexOffsets = make(map[uint16]uint64, channels)
		at := c.ChunkStartOffset
		for range channels {
			channel := uint16(next())
			after, n := binary.Varint(b)
			b, at = b[n:], at+uint64(after)
			c.MessageIndexOffsets[channel] = at
		}
		return b, use(&c)
	})
}
