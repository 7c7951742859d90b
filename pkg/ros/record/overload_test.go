package record

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
)

// TestRecorderRecovers: after an overload everything is recorded again.
func TestRecorderRecovers(t *testing.T) {
	d := &disk{}
	w, err := newWriter(d, newMCAPEncoder(testOptions))
	must(t, err)
	r := NewRecorder(w, "x.mcap", nil)
	p, err := r.Advertise(ros.Topic{Name: "/note", Type: std_msgs.StringType})
	must(t, err)
	note := sample(&std_msgs.String{Data: strings.Repeat("x", 1<<20)}, start)
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
	must(t, r.Close())
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
	d := &disk{}
	w, err := newWriter(d, newMCAPEncoder(testOptions))
	must(t, err)
	r := NewRecorder(w, "x.mcap", nil)
	p, err := r.Advertise(ros.Topic{Name: "/note", Type: std_msgs.StringType})
	must(t, err)
	r.waiting.Add(queueBytes)
	p.Publish(sample(&std_msgs.String{}, start))
	if n := r.Dropped(); n != 0 {
		t.Errorf("%d messages are dropped", n)
	}
	must(t, r.Close())
}

// badAt is a disk that refuses to write at places before a byte.
type badAt struct {
	disk
	before int64
}

func (d *badAt) WriteAt(b []byte, at int64) (int, error) {
	if at < d.before {
		return 0, errFull
	}
	return d.disk.WriteAt(b, at)
}

// TestWriterReportsEachWrite: a recording does not begin on a disk that takes nothing,
// begins as a whole file, and tells when its beginning cannot be brought up to date.
func TestWriterReportsEachWrite(t *testing.T) {
	for _, f := range []func() encoder{
		func() encoder { return newMCAPEncoder(testOptions) }, func() encoder { return newBagEncoder(testOptions) },
	} {
		head, err := f().head()
		must(t, err)
		var tail bytes.Buffer
		must(t, f().tail(&tail, int64(len(head))))
		rooms := []int64{1} // 0 would be endless
		if tail.Len() > 0 {
			rooms = append(rooms, int64(len(head)))
		}
		for _, room := range rooms {
			d := &disk{full: room}
			if w, err := newWriter(d, f()); !errors.Is(err, errFull) || w != nil || !d.closed {
				t.Errorf("room for %d bytes: error %v, closed: %v", room, err, d.closed)
			}
		}
		d := &badAt{}
		w, err := newWriter(d, f())
		must(t, err)
		if got, err := readAll(d.data.b); err != nil || len(got) != 0 {
			t.Errorf("before the first message: %d messages, %v", len(got), err)
		}
		_, patched := w.encoder.patch(true)
		d.before = patched + 1
		tell(t, w, samples(3))
		if err := w.Flush(); patched > 0 && !errors.Is(err, errFull) || patched == 0 && err != nil {
			t.Errorf("a beginning at %d that cannot be written: error %v", patched, err)
		}
	}
}
