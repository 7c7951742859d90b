package record

import (
	"errors"
	"reflect"
	"runtime"
	"testing"

	"github.com/foxglove/mcap/go/mcap"

	"sinew/msgs"
)

// TestChunkList: chunks come back as they were given, and 20,000 of 20 topics, which are those
// of an hour, take 2 MB; the library's entries would take 28.
func TestChunkList(t *testing.T) {
	const n, topics, most = 20_000, 20, 110 // bytes of a chunk
	chunk := func(i int) *mcap.ChunkIndex {
		at := uint64(i) << 20
		c := &mcap.ChunkIndex{
			MessageStartTime: at + 1, MessageEndTime: at + 2, ChunkStartOffset: at + 3, ChunkLength: 1 << 20,
			MessageIndexOffsets: make(map[uint16]uint64), MessageIndexLength: 999, CompressedSize: 1<<20 - 9, UncompressedSize: 1<<20 - 9,
		}
		for k := range i % (2 * topics) { // one that goes back, too
			c.MessageIndexOffsets[uint16(k+1)] = at + 1<<20 + uint64(100*((k+1)%(2*topics-1)))
		}
		return c
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var l chunkList
	for i := range n {
		l.add(chunk(i))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := int64(after.HeapAlloc-before.HeapAlloc) / n; each > most {
		t.Errorf("%d bytes for a chunk, more than %d", each, most)
	}
	i := 0
	err := l.each(func(c *mcap.ChunkIndex) error {
		if want := chunk(i); !reflect.DeepEqual(c, want) {
			t.Fatalf("chunk %d is %v, want %v", i, c, want)
		}
		i++
		return nil
	})
	if err != nil || i != n {
		t.Errorf("%d chunks of %d, %v", i, n, err)
	}
	var spans packedList
	span := func(i int) bagSpan {
		s := bagSpan{at: int64(i) << 20, first: msgs.Time(i) << 40, last: msgs.Time(i)<<40 + 7, counts: make([]bagCount, i%topics)}
		for k := range s.counts {
			s.counts[k] = bagCount{uint32(k), uint32(i)}
		}
		return s
	}
	for i := range n {
		s := span(i)
		spans.add(s.pack(nil))
	}
	i = 0
	_ = spans.each(func(b []byte) ([]byte, error) {
		var s bagSpan
		rest := s.unpack(b)
		if !reflect.DeepEqual(s, span(i)) {
			t.Fatalf("chunk %d is %v, want %v", i, s, span(i))
		}
		i++
		return rest, nil
	})
	if i != n || len(spans.blocks) > n*80/packedBlock {
		t.Errorf("%d chunks of %d in %d blocks", i, n, len(spans.blocks))
	}
	if failed := errors.New("failed"); l.each(func(*mcap.ChunkIndex) error { return failed }) != failed {
		t.Error("an error is not returned")
	}
}
