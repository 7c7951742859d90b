package record

import "github.com/foxglove/mcap/go/mcap"

// chunkList is the index of the full chunks of a recording, which is held until the end of
// the file is written. It grows for as long as a robot is recorded, by some hundred bytes for
// each chunk: a fifth of what the library's entries take, which have a map each.
type chunkList struct {
	chunks   []chunkEntry
	messages []messageEntry // of all chunks, one after the other
}

// chunkEntry is where a chunk is in the file, and of which times its messages are.
type chunkEntry struct {
	from, to             uint64
	at, length           uint64
	indexLength          uint64
	packed, uncompressed uint64
	channels             int // entries in messages
}

// messageEntry is where the index of a channel is: so many bytes after its chunk.
type messageEntry struct {
	channel uint16
	after   uint32
}

// add appends a chunk, which is not compressed.
func (l *chunkList) add(c *mcap.ChunkIndex) {
	for channel, at := range c.MessageIndexOffsets {
		l.messages = append(l.messages, messageEntry{channel, uint32(at - c.ChunkStartOffset)})
	}
	l.chunks = append(l.chunks, chunkEntry{
		c.MessageStartTime, c.MessageEndTime, c.ChunkStartOffset, c.ChunkLength, c.MessageIndexLength,
		c.CompressedSize, c.UncompressedSize, len(c.MessageIndexOffsets),
	})
}

// each calls use with the entry of each chunk in turn, until one fails.
func (l *chunkList) each(use func(*mcap.ChunkIndex) error) error {
	messages := l.messages
	for _, e := range l.chunks {
		c := mcap.ChunkIndex{
			MessageStartTime: e.from, MessageEndTime: e.to, ChunkStartOffset: e.at, ChunkLength: e.length,
			MessageIndexLength: e.indexLength, CompressedSize: e.packed, UncompressedSize: e.uncompressed,
			MessageIndexOffsets: make(map[uint16]uint64, e.channels),
		}
		for _, m := range messages[:e.channels] {
			c.MessageIndexOffsets[m.channel] = e.at + uint64(m.after)
		}
		messages = messages[e.channels:]
		if err := use(&c); err != nil {
			return err
		}
	}
	return nil
}
