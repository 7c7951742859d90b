package record

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
)

// Tests of what has no exported name.

// counter is a target that counts what is written and keeps the size only.
type counter struct{ written, size int64 }

func (c *counter) WriteAt(b []byte, at int64) (int, error) {
	c.written += int64(len(b))
	c.size = max(c.size, at+int64(len(b)))
	return len(b), nil
}

func (c *counter) Truncate(size int64) error { c.size = size; return nil }

func (c *counter) Close() error { return nil }

// TestWrittenBytes: a disk is not written full of indexes, whatever the rate.
func TestWrittenBytes(t *testing.T) {
	for _, c := range []struct{ bytesPerSecond, seconds int }{{2_000, 10_000}, {100_000, 2_000}, {1_280_000, 200}} {
		for _, f := range []encoder{newMCAPEncoder(SampleOptions), newBagEncoder(SampleOptions)} {
			d := &counter{}
			w, err := newWriter(d, f)
			Must(t, err)
			var streams []*stream
			for i := range 20 {
				streams = append(streams, &stream{topic: ros.Topic{Name: fmt.Sprint("/topic", i), Type: std_msgs.StringType}})
			}
			const perTick = 20
			s := Sample(&std_msgs.String{Data: strings.Repeat("x", c.bytesPerSecond/4/perTick)}, Start)
			data := f.data(s)
			for k := range 4 * c.seconds {
				for i := range perTick {
					w.write(streams[i], msgs.At(Start+time.Duration(k)*flushPeriod), data)
				}
				w.tick()
			}
			Must(t, w.Close())
			if most := d.size + d.size/10 + spareBytes; d.written > most {
				t.Errorf("%T, %d bytes a second: %d bytes were written for a file of %d, at most %d should be", f, c.bytesPerSecond, d.written, d.size, most)
			}
		}
	}
}

// TestKilledLate: also when the spare bytes are used up, what a process that is killed
// leaves behind is read to within a second of its end.
func TestKilledLate(t *testing.T) {
	const perTick = 25 // at 100 Hz
	list := Story(6000)
	for _, f := range []func() encoder{
		func() encoder { return newMCAPEncoder(SampleOptions) },
		func() encoder { return newBagEncoder(SampleOptions) },
	} {
		d := &Disk{}
		w, err := newWriter(d, f())
		Must(t, err)
		written := 0
		wholes, ticks := 0, 0
		for batch := range slices.Chunk(list, perTick) {
			Tell(t, w, batch)
			w.tick()
			written += len(batch)
			ticks++
			if w.whole {
				wholes++
			}
			if ticks%7 != 0 { // reading takes time
				continue
			}
			got, _ := ReadAll(slices.Clone(d.Data.B)) // an end that is missing may be reported
			if len(got) < written-chunkTicks*perTick {
				t.Fatalf("%T: %d of %d messages are read, whole %v", w.encoder, len(got), written, w.whole)
			}
			Check(t, got, list[:len(got)])
		}
		if wholes == 0 || wholes == ticks {
			t.Errorf("%T: the file was whole %d times of %d; the test wants both", w.encoder, wholes, ticks)
		}
		Must(t, w.Close())
		got, err := ReadAll(d.Data.B)
		Must(t, err)
		Check(t, got, list)
	}
}

// TestKeptOnAFullDisk: what the end reports is what can be read, and that there was
// more.
func TestKeptOnAFullDisk(t *testing.T) {
	d := &Disk{Full: 1 << 13}
	w, err := newWriter(d, newMCAPEncoder(SampleOptions))
	Must(t, err)
	r := NewRecorder(w, "full.mcap", nil)
	list := Story(1000)
	Tell(t, r, list)
	for end := time.Now().Add(time.Minute); !r.failed.Load() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	err = r.CloseWithin(time.Minute)
	if err == nil || !strings.Contains(err.Error(), "after the disk had failed") {
		t.Errorf("%v", err)
	}
	got, _ := ReadAll(d.Data.B)
	kept, lost := r.Kept()
	if kept != uint64(len(got)) || kept+lost != r.taken.Load() || lost == 0 {
		t.Errorf("%d kept, %d lost; %d can be read of %d taken", kept, lost, len(got), r.taken.Load())
	}
}

// TestCloseDuringAStream: what is published while the recording ends is in the file or
// dropped, and never makes a complete recording look incomplete.
func TestCloseDuringAStream(t *testing.T) {
	for range 200 {
		w, err := newWriter(&counter{}, newMCAPEncoder(SampleOptions))
		Must(t, err)
		r := NewRecorder(w, "x.mcap", nil)
		note := Sample(&std_msgs.String{Data: "x"}, Start)
		to, begun, quit := ros.Topic{Name: "/note", Type: std_msgs.StringType}, make(chan struct{}), make(chan struct{})
		var all sync.WaitGroup
		all.Go(func() {
			r.Received(to, note)
			close(begun)
			for {
				select {
				case <-quit:
					return
				default:
					r.Received(to, note)
					time.Sleep(10 * time.Microsecond) // the queue never fills
				}
			}
		})
		<-begun
		Must(t, r.CloseWithin(time.Minute))
		close(quit)
		all.Wait()
		if taken, flushed, waiting := r.taken.Load(), r.flushed.Load(), len(r.queue); flushed > taken || waiting != 0 {
			t.Fatalf("%d of %d messages are in the file, %d wait for ever", flushed, taken, waiting)
		}
	}
}

// TestTopicsOfChannels: channels of the same topic and type are one topic, from its
// first message to its last; one of another type is another, and channels without
// messages change no time.
func TestTopicsOfChannels(t *testing.T) {
	var table channelTable
	const of = "std_msgs/String"
	for i, c := range []channel{
		{topic: "/a", typeName: of},
		{topic: "/a", typeName: of, messages: 2, first: 5, last: 9},
		{topic: "/b", original: "/node/b", typeName: of, messages: 1, first: 1, last: 1},
		{topic: "/a", typeName: of, typ: std_msgs.StringType, messages: 3, first: 4, last: 6},
		{topic: "/a", typeName: of},
		{topic: "/a", typeName: "std_msgs/Header", messages: 1, first: 2, last: 2},
		{topic: "/c", typeName: of},
	} {
		if _, err := table.add(uint32(i), c); err != nil {
			t.Fatal(err)
		}
	}
	want := []Topic{
		{"/a", "", of, std_msgs.StringType, 5, 4, 9},
		{"/b", "/node/b", of, nil, 1, 1, 1},
		{"/a", "", "std_msgs/Header", nil, 1, 2, 2},
		{"/c", "", of, nil, 0, 0, 0},
	}
	if got := table.topics(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v,\nwant %+v", got, want)
	}
}

// TestStatusTellsOfEachLoss: one lost message is enough for a warning, which says how
// many were lost since the last, while the total stays.
func TestStatusTellsOfEachLoss(t *testing.T) {
	w, err := newWriter(&Disk{}, newMCAPEncoder(SampleOptions))
	Must(t, err)
	r := NewRecorder(w, "x.mcap", nil)
	p, err := r.Advertise(ros.Topic{Name: "/note", Type: std_msgs.StringType})
	Must(t, err)
	r.waiting.Add(queueBytes + 1) // as if the disk were slow
	total := 0
	for _, lost := range []int{1, 3, 0, 2} {
		for range lost {
			p.Publish(Sample(&std_msgs.String{}, Start+time.Duration(total)))
			total++
		}
		s := r.Status()
		want := diagnostic_msgs.KeyValue{Key: "dropped_messages", Value: fmt.Sprint(total)}
		if lost == 0 {
			if s.Level != diagnostic_msgs.DiagnosticStatusOk || s.Message != "writing x.mcap" {
				t.Errorf("nothing is lost: status %d %q", s.Level, s.Message)
			}
		} else if text := fmt.Sprint(lost, " messages were dropped since the last report: the disk is too slow"); s.Level != diagnostic_msgs.DiagnosticStatusWarn || s.Message != text {
			t.Errorf("%d lost: status %d %q", lost, s.Level, s.Message)
		}
		if s.Values[2] != want {
			t.Errorf("%v, want %v", s.Values[2], want)
		}
	}
	r.waiting.Add(-queueBytes - 1)
	Must(t, r.Close())
}

// A file that is still being written can be looked at: what was in it when it was opened stays readable while its last
// chunk is written over.
func TestIndexOfGrowingFile(t *testing.T) {
	for _, name := range []string{"x.mcap", "x.bag"} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), name)
			w, err := Create(file, Options{Node: "/n"})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			p, err := w.Advertise(ros.Topic{Name: "/a", Type: std_msgs.StringType})
			if err != nil {
				t.Fatal(err)
			}
			const each = 500
			sent := 0
			more := func() {
				for range each {
					s := ros.NewSample(&std_msgs.String{Data: time.Duration(sent * 1e6).String()})
					s.Time = msgs.At(time.Hour + time.Duration(sent)*time.Millisecond)
					p.Publish(s)
					sent++
				}
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
			}
			more()
			x, err := OpenIndex(file)
			if err != nil {
				t.Fatal(err)
			}
			defer x.Close()
			first, last, _ := x.Span()
			for range 3 {
				more()
				n := 0
				x.cache, x.recent = map[int64][]entry{}, nil // as after other blocks
				if err := x.Between(first-1, last, func(Message) { n++ }); err != nil || n != each {
					t.Errorf("%d of %d messages: %v", n, each, err)
				}
			}
		})
	}
}

// A chunk of more than can be read is not, whatever an index says of it.
func TestIndexOfHugeChunk(t *testing.T) {
	x := &Index{}
	err := x.add(block{place: place{size: maxBlock + 1}, channels: map[uint32]bool{}}, true)
	if err == nil || !strings.Contains(err.Error(), "at most 268435456 are read") || len(x.blocks) > 0 {
		t.Errorf("%d blocks, %v", len(x.blocks), err)
	}
}

// TestOnlyKnownTypesAreWritten: each format takes the messages that its ROS has.
func TestOnlyKnownTypesAreWritten(t *testing.T) {
	for _, c := range []struct {
		t         msgs.Type
		bag, mcap bool
	}{{msgs.Type{}, false, false}, {msgs.Type{MD5: "x"}, true, false}, {msgs.Type{DDSName: "x"}, false, true}, {msgs.Type{MD5: "x", DDSName: "x"}, true, true}} {
		if bag, mcap := newBagEncoder(SampleOptions).has(&c.t), newMCAPEncoder(SampleOptions).has(&c.t); bag != c.bag || mcap != c.mcap {
			t.Errorf("%+v: in a bag %t, in an mcap %t", c.t, bag, mcap)
		}
	}
}
