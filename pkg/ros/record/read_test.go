package record_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/foxglove/go-rosbag"
	"github.com/foxglove/mcap/go/mcap"

	"sinew/msgs"
	"sinew/pkg/ros/record"
)

// formats are the ways in which others write recordings.
func formats(t testing.TB, list []record.Given) map[string][]byte {
	chunked := mcap.WriterOptions{Chunked: true, ChunkSize: 4 << 10, IncludeCRC: true}
	zstd, lz4, bare := chunked, chunked, chunked
	zstd.Compression, lz4.Compression = mcap.CompressionZSTD, mcap.CompressionLZ4
	bare.SkipMessageIndexing, bare.SkipStatistics, bare.SkipRepeatedSchemas, bare.SkipChunkIndex = true, true, true, true
	return map[string][]byte{
		"mcap in chunks":      record.ForeignMCAP(t, list, chunked, "cdr"),
		"mcap zstd":           record.ForeignMCAP(t, list, zstd, "cdr"),
		"mcap lz4":            record.ForeignMCAP(t, list, lz4, "cdr"),
		"mcap without chunks": record.ForeignMCAP(t, list, mcap.WriterOptions{}, "cdr"),
		"mcap without index":  record.ForeignMCAP(t, list, bare, "cdr"),
		"mcap of ros1":        record.ForeignMCAP(t, list, zstd, "ros1"),
		"bag":                 record.ForeignBag(t, list, rosbag.WithCompression("none"), rosbag.WithChunksize(4<<10)),
		"bag lz4":             record.ForeignBag(t, list, rosbag.WithCompression("lz4"), rosbag.WithChunksize(4<<10)),
	}
}

func TestReadForeign(t *testing.T) {
	list := record.Samples(300)
	for name, data := range formats(t, list) {
		t.Run(name, func(t *testing.T) {
			got, err := record.ReadAll(data)
			if err != nil {
				t.Fatal(err)
			}
			record.Check(t, got, record.InOrder(list))
		})
	}
}

// TestReadCutOff cuts files at many places: what was whole is read, and the error
// says that there should be more.
func TestReadCutOff(t *testing.T) {
	list := record.Samples(300)
	want := record.InOrder(list)
	for name, data := range formats(t, list) {
		t.Run(name, func(t *testing.T) {
			before, cuts := 0, 50
			if testing.Short() {
				cuts = 10
			}
			for n := len(data) / cuts; n < len(data)*9/10; n += len(data)/cuts + 7 {
				got, err := record.ReadAll(data[:n])
				if !errors.Is(err, record.ErrIncomplete) && (err != nil || len(got) < len(want)) { // cut within the index
					t.Fatalf("%d of %d bytes: %d messages, error %v", n, len(data), len(got), err)
				}
				if len(got) < before {
					t.Fatalf("%d messages of %d bytes, %d of fewer", len(got), n, before)
				}
				before = len(got)
				for _, m := range got {
					if m.Topic != "/robot/measured_cp" && m.Topic != "/robot/note" {
						t.Fatalf("%d bytes: message %+v", n, m)
					}
				}
			}
			if before < len(want)/2 {
				t.Errorf("%d messages of %d, of which nine tenths were there", before, len(want))
			}
		})
	}
}

func TestReadWanted(t *testing.T) {
	list := record.Samples(30)
	for name, data := range formats(t, list) {
		asked := map[string]int{}
		var got []record.Message
		err := record.ReadInTest(bytes.NewReader(data), int64(len(data)), func(topic string, typ *msgs.Type) bool {
			asked[topic+" "+typ.Name]++
			return topic == "/robot/note"
		}, func(m record.Message) error { got = append(got, m); return nil })
		if err != nil || len(got) != 10 {
			t.Errorf("%s: %d messages, error %v", name, len(got), err)
		}
		if want := map[string]int{"/robot/measured_cp geometry_msgs/PoseStamped": 1, "/robot/note std_msgs/String": 1}; !reflect.DeepEqual(asked, want) {
			t.Errorf("%s: asked for %v", name, asked)
		}
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	list := record.Samples(30)
	file := filepath.Join(dir, "x.mcap")
	record.Must(t, os.WriteFile(file, formats(t, list)["mcap zstd"], 0o644))
	stop := errors.New("enough")
	n := 0
	err := record.Read(file, nil, func(record.Message) error {
		if n++; n == 5 {
			return stop
		}
		return nil
	})
	if err != stop || n != 5 {
		t.Errorf("visited %d messages, error %v", n, err)
	}
	other := filepath.Join(dir, "x.csv")
	record.Must(t, os.WriteFile(other, []byte("t,x\n0,0\n"), 0o644))
	for _, file := range []string{other, filepath.Join(dir, "none.bag")} {
		if err := record.Read(file, nil, func(record.Message) error { return nil }); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: error %v", file, err)
		}
		if _, err := record.Topics(file); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: error %v", file, err)
		}
	}
}

func TestTopics(t *testing.T) {
	list := record.Samples(30)
	dir := t.TempDir()
	for name, data := range formats(t, list) {
		file := filepath.Join(dir, "x")
		record.Must(t, os.WriteFile(file, data, 0o644))
		topics, err := record.Topics(file)
		record.Must(t, err)
		byName := map[string]record.Topic{}
		for _, topic := range topics {
			byName[topic.Name] = topic
		}
		pose := byName["/robot/measured_cp"]
		if pose.Messages != 30 || pose.First != record.Start || pose.Last != record.Start+29*time.Millisecond || pose.TypeName != "geometry_msgs/PoseStamped" || pose.Type == nil {
			t.Errorf("%s: %+v", name, pose)
		}
		if len(topics) != 3 || byName["/unknown"].Type != nil || byName["/old"].Type != nil {
			t.Errorf("%s: %+v", name, topics)
		}
	}
}

// FuzzRead feeds damaged and made-up files, which must neither panic nor give
// messages that were not asked for.
func FuzzRead(f *testing.F) {
	for _, data := range formats(f, record.Samples(4)) {
		f.Add(data)
		f.Add(data[:len(data)*2/3])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var last time.Duration
		_ = record.ReadInTest(bytes.NewReader(data), int64(len(data)), func(topic string, _ *msgs.Type) bool { return topic != "/robot/note" },
			func(m record.Message) error {
				if m.Topic == "/robot/note" || m.Time < last || m.Message == nil {
					t.Errorf("visited %+v after %v", m, last)
				}
				last = m.Time
				return nil
			})
	})
}
