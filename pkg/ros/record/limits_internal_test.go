package record

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/foxglove/mcap/go/mcap"

	"sinew/msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
)

// Tests of what has no exported name.

// TestNameLength: names may have as many bytes as maxName, and no more.
func TestNameLength(t *testing.T) {
	long := strings.Repeat("x", maxName)
	for _, c := range []struct {
		channel channel
		fits    bool
	}{
		{channel{topic: long, typeName: long}, true}, {channel{topic: long + "x"}, false}, {channel{typeName: long + "x"}, false},
	} {
		var table channelTable
		if isNew, err := table.add(1, c.channel); isNew != c.fits || (err == nil) != c.fits || len(table.order) != len(table.channels) {
			t.Errorf("names of %d and %d bytes: %v, %v", len(c.channel.topic), len(c.channel.typeName), isNew, err)
		}
	}
}

// TestManyTopics: a file has room for as many topics as its format can number.
func TestManyTopics(t *testing.T) {
	f := newMCAPEncoder(SampleOptions)
	f.channels = make([]*mcap.Channel, math.MaxUint16-1)
	s := &stream{topic: ros.Topic{Name: "/note", Type: std_msgs.StringType}}
	Must(t, f.add(s, Start, nil))
	if s.id != math.MaxUint16 {
		t.Errorf("the last topic has number %d, want %d", s.id, math.MaxUint16)
	}
	err := f.add(&stream{topic: ros.Topic{Name: "/other", Type: std_msgs.StringType}}, Start, nil)
	if err == nil || !strings.Contains(err.Error(), "65535 topics") {
		t.Errorf("one more topic: error %v", err)
	}
}

// TestRuns: records outside chunks are taken together up to about a mebibyte.
func TestRuns(t *testing.T) {
	var list []Given
	for i := range 40 {
		list = append(list, Given{"/robot/note", Start + time.Duration(i), &std_msgs.String{Data: strings.Repeat("x", 100_000)}})
	}
	data := ForeignMCAP(t, list, mcap.WriterOptions{}, "cdr")
	var sizes []int
	f := newMCAPDecoder(FailingFile{data, int64(len(data))}, int64(len(data)), new(channelTable))
	err := f.walk(func(p place, raw []byte) error { sizes = append(sizes, len(raw)); return nil }, func(_ int64, err error) { t.Error(err) })
	Must(t, err)
	for i, n := range sizes {
		if n > runBytes+101_000 || n < 1<<20 && i < len(sizes)-1 {
			t.Errorf("run %d of %d has %d bytes", i, len(sizes), n)
		}
	}
	if len(sizes) != 4 {
		t.Errorf("%d runs of 4 MB, want 4", len(sizes))
	}
}

// TestOutOfOrder: messages that would have to be held back without bound are an error.
func TestOutOfOrder(t *testing.T) {
	shared := make([]byte, 1<<20)
	for n, fits := range map[int]bool{maxPending>>20 - 1: true, maxPending >> 20: false} {
		s := &scanner{r: FailingFile{}, decoder: newMCAPDecoder(FailingFile{}, 0, new(channelTable))}
		waiting := make([]entry, n)
		for i := range waiting {
			waiting[i] = entry{at: Start, number: i, data: shared}
		}
		all, _, err := s.load(place{}, waiting)
		if fits && (err != nil || len(all) != n) || !fits && (err == nil || !strings.Contains(err.Error(), "out of the order of time")) {
			t.Errorf("%d MiB held back: %d messages, error %v", n, len(all), err)
		}
	}
}

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

// TestRecorderRecovers: after an overload everything is recorded again.
func TestRecorderRecovers(t *testing.T) {
	d := &Disk{}
	w, err := newWriter(d, newMCAPEncoder(SampleOptions))
	Must(t, err)
	r := NewRecorder(w, "x.mcap", nil)
	p, err := r.Advertise(ros.Topic{Name: "/note", Type: std_msgs.StringType})
	Must(t, err)
	note := Sample(&std_msgs.String{Data: strings.Repeat("x", 1<<20)}, Start)
	const overload, after = 200, 10
	r.waiting.Add(queueBytes + 1) // as if the disk were slow
	for range overload {
		p.Publish(note)
	}
	if n := r.Dropped(); n != overload {
		t.Errorf("%d messages are dropped, want %d", n, overload)
	}
	r.waiting.Add(-queueBytes - 1)
	if n := r.waiting.Load(); n != 0 {
		t.Errorf("%d bytes seem to wait after the overload", n)
	}
	for range after {
		p.Publish(note)
	}
	Must(t, r.Close())
	if r.Written() != after || r.Dropped() != overload || r.waiting.Load() != 0 {
		t.Errorf("%d written, %d dropped, %d bytes wait; want %d, %d, 0", r.Written(), r.Dropped(), r.waiting.Load(), after, overload)
	}
	p.Publish(note)
	if r.Dropped() != overload+1 {
		t.Errorf("after the end %d are dropped, want %d", r.Dropped(), overload+1)
	}
}

// TestRecorderAtItsLimit: the message that fills the queue to the byte is taken.
func TestRecorderAtItsLimit(t *testing.T) {
	d := &Disk{}
	w, err := newWriter(d, newMCAPEncoder(SampleOptions))
	Must(t, err)
	r := NewRecorder(w, "x.mcap", nil)
	p, err := r.Advertise(ros.Topic{Name: "/note", Type: std_msgs.StringType})
	Must(t, err)
	r.waiting.Add(queueBytes)
	p.Publish(Sample(&std_msgs.String{}, Start))
	if n := r.Dropped(); n != 0 {
		t.Errorf("%d messages are dropped", n)
	}
	Must(t, r.Close())
}

// badAt is a disk that refuses to write at places before a byte.
type badAt struct {
	Disk
	before int64
}

func (d *badAt) WriteAt(b []byte, at int64) (int, error) {
	if at < d.before {
		return 0, ErrFull
	}
	return d.Disk.WriteAt(b, at)
}

// TestWriterReportsEachWrite: a recording does not begin on a disk that takes nothing,
// begins as a whole file, and tells when its beginning cannot be brought up to date.
func TestWriterReportsEachWrite(t *testing.T) {
	for _, f := range []func() encoder{
		func() encoder { return newMCAPEncoder(SampleOptions) }, func() encoder { return newBagEncoder(SampleOptions) },
	} {
		head, err := f().head()
		Must(t, err)
		var tail bytes.Buffer
		Must(t, f().tail(&tail, int64(len(head))))
		rooms := []int64{1} // 0 would be endless
		if tail.Len() > 0 {
			rooms = append(rooms, int64(len(head)))
		}
		for _, room := range rooms {
			d := &Disk{Full: room}
			if w, err := newWriter(d, f()); !errors.Is(err, ErrFull) || w != nil || !d.Closed {
				t.Errorf("room for %d bytes: error %v, closed: %v", room, err, d.Closed)
			}
		}
		d := &badAt{}
		w, err := newWriter(d, f())
		Must(t, err)
		if got, err := ReadAll(d.Data.B); err != nil || len(got) != 0 {
			t.Errorf("before the first message: %d messages, %v", len(got), err)
		}
		_, patched := w.encoder.patch(true)
		d.before = patched + 1
		Tell(t, w, Samples(3))
		if err := w.Flush(); patched > 0 && !errors.Is(err, ErrFull) || patched == 0 && err != nil {
			t.Errorf("a beginning at %d that cannot be written: error %v", patched, err)
		}
	}
}

// watched is a disk that is looked at after every write.
type watched struct {
	Disk
	look func(data []byte)
}

func (d *watched) WriteAt(b []byte, at int64) (int, error) {
	n, err := d.Disk.WriteAt(b, at)
	if d.look != nil {
		d.look(d.Data.B)
	}
	return n, err
}

func (d *watched) Truncate(size int64) error {
	err := d.Disk.Truncate(size)
	if d.look != nil {
		d.look(d.Data.B)
	}
	return err
}

// TestLargeEndIsWrittenInPieces: the end of a long recording, whose index is larger than what is
// written at once, is whole, also over an older one; whoever looks in between finds all
// messages; and no memory is kept that grows with it.
func TestLargeEndIsWrittenInPieces(t *testing.T) {
	const chunks = 30_000
	for name, f := range map[string]encoder{"mcap": newMCAPEncoder(SampleOptions), "bag": newBagEncoder(SampleOptions)} {
		d := &watched{}
		w, err := newWriter(d, f)
		Must(t, err)
		p, err := w.Advertise(ros.Topic{Name: "/note", Type: std_msgs.StringType})
		Must(t, err)
		for i := range chunks {
			p.Publish(Sample(&std_msgs.String{Data: "x"}, Start+time.Duration(i)))
			Must(t, w.grow())
		}
		looks := 0
		for range 2 {
			p.Publish(Sample(&std_msgs.String{Data: "x"}, Start+chunks))
			d.look = func(data []byte) {
				looks++
				if list, err := ReadAll(data); len(list) < chunks {
					t.Errorf("%s: %d messages of %d in between, %v", name, len(list), chunks, err)
				}
			}
			Must(t, w.Flush())
			d.look = nil
			if list, err := ReadAll(d.Data.B); err != nil || len(list) != int(w.messages) {
				t.Errorf("%s: %d messages of %d, %v", name, len(list), w.messages, err)
			}
		}
		if w.tailSize < pieceBytes || looks < 5 {
			t.Errorf("%s: the end of %d bytes, looked at %d times, is not large", name, w.tailSize, looks)
		}
		if c := cap(w.out); c > 2*pieceBytes {
			t.Errorf("%s: %d bytes are kept, of pieces of %d", name, c, pieceBytes)
		}
		Must(t, w.Close())
	}
}
