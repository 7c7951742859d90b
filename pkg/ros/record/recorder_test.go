package record_test

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
	"sinew/pkg/ros/record"
)

func TestRecorder(t *testing.T) {
	list := record.Story(3000)
	for _, ext := range extensions {
		file, w := create(t, ext)
		r := record.NewRecorder(w, file, nil)
		record.Tell(t, r, list)
		record.Must(t, r.Close())
		record.Must(t, r.Close())
		if n := uint64(len(list)); r.Written() != n || r.Dropped() != 0 {
			t.Errorf("%s: %d written, %d dropped, want %d and none", ext, r.Written(), r.Dropped(), n)
		}
		data, err := os.ReadFile(file)
		record.Must(t, err)
		got, err := record.ReadAll(data)
		record.Must(t, err)
		record.Check(t, got, list)
		record.Tell(t, r, list[:10]) // too late, but no harm
	}
}

// TestRecorderFlushes: what was published is in the file soon, without a Close.
func TestRecorderFlushes(t *testing.T) {
	list := record.Story(100)
	for _, ext := range extensions {
		file, w := create(t, ext)
		r := record.NewRecorder(w, file, nil)
		record.Tell(t, r, list)
		until(t, "all messages are in the file", func() bool {
			data, err := os.ReadFile(file)
			record.Must(t, err)
			got, err := record.ReadAll(data)
			return err == nil && len(got) == len(list)
		})
		record.Must(t, r.Close())
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

// TestDiskFull: the recording ends, what fits stays readable and complete by its
// index, and publishing continues.
func TestDiskFull(t *testing.T) {
	for _, f := range []record.Encoder{record.NewMCAPEncoder(record.SampleOptions), record.NewBagEncoder(record.SampleOptions)} {
		d := &record.Disk{Full: 3 << 20}
		w, err := record.NewWriter(d, f)
		record.Must(t, err)
		r := record.NewRecorder(w, "x", nil)
		list := record.Story(1000)
		record.Tell(t, r, list)
		p, err := r.Advertise(ros.Topic{Name: "/big", Type: std_msgs.StringType})
		record.Must(t, err)
		for i := range 8 {
			p.Publish(record.Sample(&std_msgs.String{Data: strings.Repeat("x", 1<<20)}, record.Start+time.Duration(i)*time.Second))
		}
		until(t, "the recorder has noticed", func() bool { return r.Status().Level == diagnostic_msgs.DiagnosticStatusError })
		if p.HasSubscribers() {
			t.Error("messages are still wanted")
		}
		p.Publish(record.Sample(&std_msgs.String{}, record.Start))
		if err := r.Close(); !errors.Is(err, record.ErrFull) || !d.Closed {
			t.Errorf("error %v, closed: %v", err, d.Closed)
		}
		got, err := record.ReadAll(d.Data.B)
		if err != nil || len(got) < 1000 {
			t.Errorf("%d messages, %v", len(got), err)
		}
	}
}

// TestRecorderInParallel is for the race detector.
func TestRecorderInParallel(t *testing.T) {
	file, w := create(t, ".bag")
	r := record.NewRecorder(w, file, nil)
	var all sync.WaitGroup
	const goroutines, each = 4, 300
	for g := range goroutines {
		all.Go(func() {
			topic := ros.Topic{Name: "/command", Type: std_msgs.StringType}
			for i := range each {
				r.Received(topic, record.Sample(&std_msgs.String{Data: string(rune('a' + g))}, record.Start+time.Duration(i)))
				r.Status()
			}
		})
	}
	all.Wait()
	record.Must(t, r.Close())
	n := 0
	record.Must(t, record.Read(file, nil, func(record.Message) error { n++; return nil }))
	if n != goroutines*each {
		t.Errorf("%d messages, want %d", n, goroutines*each)
	}
}
