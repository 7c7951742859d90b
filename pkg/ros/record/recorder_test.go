package record

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
)

func TestRecorder(t *testing.T) {
	list := story(3000)
	for _, ext := range extensions {
		file, w := create(t, ext)
		r := NewRecorder(w, file, nil)
		tell(t, r, list)
		must(t, r.Close())
		must(t, r.Close())
		if n := uint64(len(list)); r.Written() != n || r.Dropped() != 0 {
			t.Errorf("%s: %d written, %d dropped, want %d and none", ext, r.Written(), r.Dropped(), n)
		}
		data, err := os.ReadFile(file)
		must(t, err)
		got, err := readAll(data)
		must(t, err)
		check(t, got, list)
		tell(t, r, list[:10]) // too late, but no harm
	}
}

// TestRecorderFlushes: what was published is in the file soon, without a Close.
func TestRecorderFlushes(t *testing.T) {
	list := story(100)
	for _, ext := range extensions {
		file, w := create(t, ext)
		r := NewRecorder(w, file, nil)
		tell(t, r, list)
		until(t, "all messages are in the file", func() bool {
			data, err := os.ReadFile(file)
			must(t, err)
			got, err := readAll(data)
			return err == nil && len(got) == len(list)
		})
		must(t, r.Close())
	}
}

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// disk is a target that a test makes slow or full.
type disk struct {
	mu     sync.Mutex
	data   seekBuffer
	full   int64 // bytes, 0 is endless
	gate   sync.Mutex
	closed bool
}

var errFull = errors.New("no space left on device")

func (d *disk) WriteAt(b []byte, at int64) (int, error) {
	d.gate.Lock()
	defer d.gate.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	fits := len(b)
	if d.full > 0 {
		fits = int(min(max(d.full-at, 0), int64(len(b))))
	}
	d.data.at = int(at)
	n, _ := d.data.Write(b[:fits])
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

func (d *disk) Truncate(size int64) error {
	d.data.b = d.data.b[:size]
	return nil
}

func (d *disk) Close() error {
	d.closed = true
	return nil
}

// TestRecorderNeverWaits: publishing to a disk that stands still takes no time
// but fills the queue; then messages are dropped, counted and told of.
func TestRecorderNeverWaits(t *testing.T) {
	d := &disk{}
	w, err := newWriter(d, newMCAPEncoder(testOptions))
	must(t, err)
	r := NewRecorder(w, "x.mcap", nil)
	p, err := r.Advertise(ros.Topic{Name: "/note", Type: std_msgs.StringType})
	must(t, err)
	d.gate.Lock()
	// the writer may have as much as a chunk in hand
	note := sample(&std_msgs.String{Data: strings.Repeat("x", 1000)}, start)
	const published = queueMessages + 2*chunkBytes/1000
	for range published {
		p.Publish(note)
	}
	if got := r.Status(); got.Level != diagnostic_msgs.DiagnosticStatusWarn || !strings.Contains(got.Message, "dropped") {
		t.Errorf("status %d %q", got.Level, got.Message)
	}
	if got := r.Status(); got.Level != diagnostic_msgs.DiagnosticStatusOk {
		t.Errorf("status %d %q, though nothing was dropped since", got.Level, got.Message)
	}
	r.waiting.Add(queueBytes) // as if large ones waited
	before := r.Dropped()
	p.Publish(note)
	if r.Dropped() != before+1 {
		t.Error("more bytes wait than may")
	}
	r.waiting.Add(-queueBytes)
	d.gate.Unlock()
	must(t, r.Close())
	if r.Written()+r.Dropped() != published+1 || r.Dropped() == 0 {
		t.Errorf("%d written and %d dropped of %d", r.Written(), r.Dropped(), published+1)
	}
	got, err := readAll(d.data.b)
	if err != nil || uint64(len(got)) != r.Written() {
		t.Errorf("the file has %d of %d messages, %v", len(got), r.Written(), err)
	}
}

// TestDiskFull: the recording ends, what fits stays readable and complete by its
// index, and publishing goes on.
func TestDiskFull(t *testing.T) {
	for _, f := range []encoder{newMCAPEncoder(testOptions), newBagEncoder(testOptions)} {
		d := &disk{full: 3 << 20}
		w, err := newWriter(d, f)
		must(t, err)
		r := NewRecorder(w, "x", nil)
		list := story(1000)
		tell(t, r, list)
		p, err := r.Advertise(ros.Topic{Name: "/big", Type: std_msgs.StringType})
		must(t, err)
		for i := range 8 {
			p.Publish(sample(&std_msgs.String{Data: strings.Repeat("x", 1<<20)}, start+time.Duration(i)*time.Second))
		}
		until(t, "the recorder has noticed", func() bool { return r.Status().Level == diagnostic_msgs.DiagnosticStatusError })
		if p.Wanted() {
			t.Error("messages are still wanted")
		}
		p.Publish(sample(&std_msgs.String{}, start))
		if err := r.Close(); !errors.Is(err, errFull) || !d.closed {
			t.Errorf("error %v, closed: %v", err, d.closed)
		}
		got, err := readAll(d.data.b)
		if err != nil || len(got) < 1000 {
			t.Errorf("%d messages, %v", len(got), err)
		}
	}
}

// TestRecorderInParallel is for the race detector.
func TestRecorderInParallel(t *testing.T) {
	file, w := create(t, ".bag")
	r := NewRecorder(w, file, nil)
	var all sync.WaitGroup
	const goroutines, each = 4, 300
	for g := range goroutines {
		all.Go(func() {
			topic := ros.Topic{Name: "/command", Type: std_msgs.StringType}
			for i := range each {
				r.Received(topic, sample(&std_msgs.String{Data: string(rune('a' + g))}, start+time.Duration(i)))
				r.Status()
			}
		})
	}
	all.Wait()
	must(t, r.Close())
	n := 0
	must(t, Read(file, nil, func(Message) error { n++; return nil }))
	if n != goroutines*each {
		t.Errorf("%d messages, want %d", n, goroutines*each)
	}
}
