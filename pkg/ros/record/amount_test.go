package record

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/ros"
)

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
		for _, f := range []encoder{newMCAPEncoder(testOptions), newBagEncoder(testOptions)} {
			d := &counter{}
			w, err := newWriter(d, f)
			must(t, err)
			var streams []*stream
			for i := range 20 {
				streams = append(streams, &stream{topic: ros.Topic{Name: fmt.Sprint("/topic", i), Type: std_msgs.StringType}})
			}
			const perTick = 20
			s := sample(&std_msgs.String{Data: strings.Repeat("x", c.bytesPerSecond/4/perTick)}, start)
			data := f.data(s)
			for k := range 4 * c.seconds {
				for i := range perTick {
					w.write(streams[i], msgs.At(start+time.Duration(k)*flushPeriod), data)
				}
				w.tick()
			}
			must(t, w.Close())
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
	list := story(6000)
	for _, f := range []func() encoder{
		func() encoder { return newMCAPEncoder(testOptions) },
		func() encoder { return newBagEncoder(testOptions) },
	} {
		d := &disk{}
		w, err := newWriter(d, f())
		must(t, err)
		told := 0
		wholes, ticks := 0, 0
		for batch := range slices.Chunk(list, perTick) {
			tell(t, w, batch)
			w.tick()
			told += len(batch)
			ticks++
			if w.whole {
				wholes++
			}
			if ticks%7 != 0 { // reading takes time
				continue
			}
			got, _ := readAll(slices.Clone(d.data.b)) // an end that is missing may be told of
			if len(got) < told-chunkTicks*perTick {
				t.Fatalf("%T: %d of %d messages are read, whole %v", w.encoder, len(got), told, w.whole)
			}
			check(t, got, list[:len(got)])
		}
		if wholes == 0 || wholes == ticks {
			t.Errorf("%T: the file was whole %d times of %d; the test wants both", w.encoder, wholes, ticks)
		}
		must(t, w.Close())
		got, err := readAll(d.data.b)
		must(t, err)
		check(t, got, list)
	}
}

// TestCloseWithin: what a slow disk has not taken in time is counted and named.
func TestCloseWithin(t *testing.T) {
	d := &disk{}
	w, err := newWriter(d, newMCAPEncoder(testOptions))
	must(t, err)
	r := NewRecorder(w, "slow.mcap", nil)
	list := story(1000)
	d.gate.Lock()
	tell(t, r, list)
	begun := time.Now()
	err = r.CloseWithin(50 * time.Millisecond)
	if took := time.Since(begun); took > time.Minute/2 {
		t.Errorf("took %v", took)
	}
	want := fmt.Sprintf("%d of %d messages are not in the file, 0 of them dropped", len(list), len(list))
	if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "slow.mcap: the disk is too slow") {
		t.Errorf("%v", err)
	}
	d.gate.Unlock()
	must(t, r.CloseWithin(time.Minute))
}

// TestKeptOnAFullDisk: what is told at the end is what can be read, and that there was
// more.
func TestKeptOnAFullDisk(t *testing.T) {
	d := &disk{full: 1 << 13}
	w, err := newWriter(d, newMCAPEncoder(testOptions))
	must(t, err)
	r := NewRecorder(w, "full.mcap", nil)
	list := story(1000)
	tell(t, r, list)
	for end := time.Now().Add(time.Minute); !r.failed.Load() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	err = r.CloseWithin(time.Minute)
	if err == nil || !strings.Contains(err.Error(), "after the disk had failed") {
		t.Errorf("%v", err)
	}
	got, _ := readAll(d.data.b)
	kept, lost := r.Kept()
	if kept != uint64(len(got)) || kept+lost != r.taken.Load() || lost == 0 {
		t.Errorf("%d kept, %d lost; %d can be read of %d taken", kept, lost, len(got), r.taken.Load())
	}
}

// TestRecordedQoS: what is recorded is played with the quality of service that it was
// published with.
func TestRecordedQoS(t *testing.T) {
	for _, c := range []struct {
		topic ros.Topic
		want  []string
	}{
		{ros.Topic{Type: std_msgs.StringType}, []string{"depth: 10", "reliability: 1", "durability: 2"}},
		{ros.Topic{Type: std_msgs.StringType, Lossy: true}, []string{"depth: 10", "reliability: 1", "durability: 2"}},
		{ros.Topic{Type: std_msgs.StringType, Latched: true}, []string{"depth: 1", "reliability: 1", "durability: 1"}},
		{ros.Topic{Type: tf2_msgs.TFMessageType}, []string{"depth: 100", "reliability: 1", "durability: 2"}},
	} {
		got := strings.Fields(strings.ReplaceAll(offeredQoS(c.topic), ": ", ":"))
		for _, line := range c.want {
			if !slices.Contains(got, strings.ReplaceAll(line, " ", "")) {
				t.Errorf("%+v: no %q in\n%s", c.topic, line, offeredQoS(c.topic))
			}
		}
	}
}

// TestCloseDuringAStream: what is published while the recording ends is in the file or
// dropped, and never makes a complete recording look incomplete.
func TestCloseDuringAStream(t *testing.T) {
	for range 200 {
		w, err := newWriter(&counter{}, newMCAPEncoder(testOptions))
		must(t, err)
		r := NewRecorder(w, "x.mcap", nil)
		note := sample(&std_msgs.String{Data: "x"}, start)
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
		must(t, r.CloseWithin(time.Minute))
		close(quit)
		all.Wait()
		if taken, flushed, waiting := r.taken.Load(), r.flushed.Load(), len(r.queue); flushed > taken || waiting != 0 {
			t.Fatalf("%d of %d messages are in the file, %d wait for ever", flushed, taken, waiting)
		}
	}
}
