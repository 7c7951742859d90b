package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/foxglove/go-rosbag"
	"github.com/foxglove/mcap/go/mcap"

	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
)

var extensions = []string{".mcap", ".bag"}

func TestWriteAndRead(t *testing.T) {
	list := record.Story(9000) // some chunks
	for _, ext := range extensions {
		file, w := create(t, ext)
		record.Tell(t, w, list)
		record.Must(t, w.Close())
		data, err := os.ReadFile(file)
		record.Must(t, err)
		got, err := record.ReadAll(data)
		record.Must(t, err)
		record.Check(t, got, list)
		if len(data) <= record.ChunkBytes {
			t.Errorf("%s: %d bytes are not several chunks", ext, len(data))
		}
	}
}

// create begins a recording in a new file of a format.
func create(t *testing.T, ext string) (file string, w *record.Writer) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "x"+ext)
	w, err := record.Create(file, record.SampleOptions)
	record.Must(t, err)
	return file, w
}

// recording gives a closed file of a format with a list.
func recording(t *testing.T, ext string, list []record.Given) *os.File {
	t.Helper()
	file, w := create(t, ext)
	record.Tell(t, w, list)
	record.Must(t, w.Close())
	f, err := os.Open(file)
	record.Must(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

// TestLibraryReads has the libraries of the formats read, by index, what we write.
func TestLibraryReadsMCAP(t *testing.T) {
	list := record.Story(9000)
	f := recording(t, ".mcap", list)
	r, err := mcap.NewReader(f)
	record.Must(t, err)
	info, err := r.Info()
	record.Must(t, err)
	if info.Header.Profile != "ros2" || info.Statistics.MessageCount != uint64(len(list)) || len(info.ChunkIndexes) < 2 {
		t.Errorf("profile %q, %d messages in %d chunks", info.Header.Profile, info.Statistics.MessageCount, len(info.ChunkIndexes))
	}
	if s := info.Statistics; s.MessageStartTime != uint64(list[0].At) || s.MessageEndTime != uint64(list[len(list)-1].At) {
		t.Errorf("from %d to %d", s.MessageStartTime, s.MessageEndTime)
	}
	var names []string
	for _, m := range info.MetadataIndexes {
		aRecord, err := r.GetMetadata(m.Offset)
		record.Must(t, err)
		names = append(names, fmt.Sprint(aRecord.Name, aRecord.Metadata))
	}
	if want := []string{"sinewmap[version:1.2.3]", "rosbag2map[ROS_DISTRO:unknown]"}; !reflect.DeepEqual(names, want) {
		t.Errorf("metadata %q, want %q", names, want)
	}
	a, err := r.GetAttachmentReader(info.AttachmentIndexes[0].Offset)
	record.Must(t, err)
	if b, err := io.ReadAll(a.Data()); err != nil || a.Name != "robot.yaml" || !bytes.Equal(b, record.SampleOptions.Robot) {
		t.Errorf("attachment %q: %q, %v", a.Name, b, err)
	}
	it, err := r.Messages(mcap.UsingIndex(true), mcap.InOrder(mcap.LogTimeOrder))
	record.Must(t, err)
	for i := 0; ; i++ {
		schema, channel, m, err := it.NextInto(nil)
		if errors.Is(err, io.EOF) {
			if i != len(list) {
				t.Errorf("%d messages, want %d", i, len(list))
			}
			break
		}
		record.Must(t, err)
		want := list[i]
		if channel.Topic != want.Topic || m.LogTime != uint64(want.At) || schema.Name != want.Message.Type().ROS2Name || !bytes.Equal(m.Data, want.Message.AppendCDR(nil)) {
			t.Fatalf("message %d is of %s at %d", i, channel.Topic, m.LogTime)
		}
		if qos := channel.Metadata["offered_qos_profiles"]; strings.Contains(qos, "durability: 1") != strings.HasSuffix(channel.Topic, "note") {
			t.Fatalf("%s has QoS %s", channel.Topic, qos)
		}
	}
}

func TestLibraryReadsBag(t *testing.T) {
	list := record.Story(9000)
	f := recording(t, ".bag", list)
	r, err := rosbag.NewReader(f)
	record.Must(t, err)
	it, err := r.Messages()
	record.Must(t, err)
	n := 0
	for ; it.More(); n++ {
		c, m, err := it.Next()
		record.Must(t, err)
		want := list[n]
		if c.Topic != want.Topic || m.Time != uint64(want.At) || c.Data.MD5Sum != want.Message.Type().MD5 || !bytes.Equal(m.Data, want.Message.AppendROS1(nil)) {
			t.Fatalf("message %d is of %s at %d", n, c.Topic, m.Time)
		}
		if latched := c.Data.Latching != nil && *c.Data.Latching; latched != strings.HasSuffix(c.Topic, "note") {
			t.Fatalf("%s is latched: %v", c.Topic, latched)
		}
		if caller := c.Data.CallerID; (caller == nil) != (c.Topic == "/command") || caller != nil && *caller != "/robot" {
			t.Fatalf("%s has caller %v", c.Topic, caller)
		}
	}
	if n != len(list) {
		t.Errorf("%d messages, want %d", n, len(list))
	}
}

// TestFlushedFileIsWhole copies a file while it is written: each copy must be
// complete by the index, with all that was written before.
func TestFlushedFileIsWhole(t *testing.T) {
	list := record.Story(1500)
	for _, ext := range extensions {
		file, w := create(t, ext)
		for n := 0; n < len(list); n += 500 {
			if n > 0 {
				record.Tell(t, w, list[n-500:n])
			}
			record.Must(t, w.Flush())
			data, err := os.ReadFile(file)
			record.Must(t, err)
			got, err := record.ReadAll(data)
			record.Must(t, err)
			record.Check(t, got, list[:n])
			if byIndex := countByIndex(t, ext, data); byIndex != n {
				t.Errorf("%s: the index has %d messages of %d", ext, byIndex, n)
			}
		}
		record.Must(t, w.Close())
	}
}

func countByIndex(t *testing.T, ext string, data []byte) int {
	t.Helper()
	if ext == ".bag" {
		r, err := rosbag.NewReader(bytes.NewReader(data))
		record.Must(t, err)
		info, err := r.Info()
		record.Must(t, err)
		return int(info.MessageCount)
	}
	r, err := mcap.NewReader(bytes.NewReader(data))
	record.Must(t, err)
	info, err := r.Info()
	record.Must(t, err)
	return int(info.Statistics.MessageCount)
}

// TestSameBytes: the same messages give the same file, however often it was
// flushed on the way.
func TestSameBytes(t *testing.T) {
	list := record.Story(6000)
	for _, ext := range extensions {
		var files [2][]byte
		for i := range files {
			file, w := create(t, ext)
			record.Tell(t, w, list[:1000])
			if i == 1 {
				record.Must(t, w.Flush())
			}
			record.Tell(t, w, list[1000:])
			record.Must(t, w.Close())
			data, err := os.ReadFile(file)
			record.Must(t, err)
			files[i] = data
		}
		if !bytes.Equal(files[0], files[1]) {
			t.Errorf("%s: files differ", ext)
		}
	}
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.bag")
	record.Must(t, os.WriteFile(file, []byte("of value"), 0o644))
	if _, err := record.Create(file, record.Options{}); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("error %v", err)
	}
	if data, _ := os.ReadFile(file); string(data) != "of value" {
		t.Errorf("the file that was there is %q now", data)
	}
	empty := filepath.Join(dir, "empty.mcap") // as mktemp makes it
	record.Must(t, os.WriteFile(empty, nil, 0o600))
	w, err := record.Create(empty, record.Options{})
	record.Must(t, err)
	record.Must(t, w.Close())
	w, err = record.Create(file, record.Options{Overwrite: true})
	record.Must(t, err)
	record.Must(t, w.Close())
	record.Must(t, w.Close())
	for _, file := range []string{filepath.Join(dir, "x.csv"), filepath.Join(dir, "none", "x.bag")} {
		if _, err := record.Create(file, record.Options{}); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: error %v", file, err)
		}
	}
}

// BenchmarkWriter writes a second of eight topics at 1 kHz and flushes four times.
func BenchmarkWriter(b *testing.B) {
	for _, ext := range extensions {
		b.Run(ext[1:], func(b *testing.B) {
			w, err := record.Create(filepath.Join(b.TempDir(), "x"+ext), record.SampleOptions)
			record.Must(b, err)
			defer w.Close()
			var topics []ros.Publisher
			for i := range 8 {
				p, err := w.Advertise(ros.Topic{Name: fmt.Sprintf("/pose%d", i), Type: record.PoseOf(0, 0).Type()})
				record.Must(b, err)
				topics = append(topics, p)
			}
			b.ReportAllocs()
			for second := 0; b.Loop(); second++ {
				for i := range 1000 {
					at := record.Start + time.Duration(second)*time.Second + time.Duration(i)*time.Millisecond
					for _, p := range topics {
						p.Publish(record.Sample(record.PoseOf(i, at), at))
					}
					if i%250 == 249 {
						record.Must(b, w.Flush())
					}
				}
			}
		})
	}
}
